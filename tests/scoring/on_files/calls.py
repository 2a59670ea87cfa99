"""Files that commands read and write."""

import csv


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def lines(path):
    """The cells of every line, that of the header too."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))
