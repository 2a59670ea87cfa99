"""What a reader says of a file that it refuses."""

import pytest

from scoring.metrics.files import FileRefused


def refused(call, *args):
    """The lines of the refusal, each from the file's name on."""
    with pytest.raises(FileRefused) as caught:
        call(*args)
    return [line.split("/")[-1] for line in caught.value.lines]
