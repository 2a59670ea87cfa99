"""Damage to the files of a store."""

import numpy as np

# An array of objects, which numpy would open by unpickling it.
PICKLE = np.array([{}], dtype=object)
# The array of the file with one value less, so that it does not belong to the others.
SHORTER = object()


def put(path, content):
    """Write this in place of the file; None takes the file away."""
    if content is SHORTER:
        content = np.load(path)[:-1]
    if content is None:
        path.unlink()
    elif isinstance(content, np.ndarray):
        np.save(path, content, allow_pickle=True)
    else:
        path.write_text(str(content))
