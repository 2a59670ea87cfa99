"""Word vectors for tests, written as word2vec text."""

import math

VOCABULARY = [f"w{number}" for number in range(12)]

# Six words on a half circle: the cosine of two is the cosine of the angle between them.
ANGLES = {"cat": 0, "kitten": 15, "dog": 60, "sat": 90, "lay": 100, "not": 180}
CIRCLE = {
    word: (math.cos(math.radians(angle)), math.sin(math.radians(angle)))
    for word, angle in ANGLES.items()
}


def write_vectors(path, vectors):
    size = len(next(iter(vectors.values())))
    lines = [f"{len(vectors)} {size}"]
    lines += [f"{word} {' '.join(map(repr, values))}" for word, values in vectors.items()]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def cosine(one, other):
    return math.cos(math.radians(ANGLES[one] - ANGLES[other]))
