"""Lists of n best realisations, and the metrics that read them."""

# Scores of all lists go from -12 to -2: scaled, -4 is .8, -7 is .5.
ROWS = [
    ("the cat sat on the mat", "on the mat the cat sat", -4),
    ("the cat sat on the mat", "on the mat sat the cat", -7),
    ("a dog ran", "ran a dog", -12),
    ("a dog ran", "a dog was running", -2),
]

ORIGINAL = ROWS[0][0]


def as_tabs(rows):
    return "".join(f"{original}\t{text}\t{score}\n" for original, text, score in rows)
