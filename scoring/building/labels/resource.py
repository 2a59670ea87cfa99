"""The kind `parses`: trees of the sentences of a text, in their order."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from paraanno.plain.sentence import say
from scoring.building.labels.parses import read_trees
from scoring.metrics.files import FileRefused, Problems, sha256, size_of
from scoring.metrics.resources.stores import About

TREES = "parses.txt"
_ABOUT = About(frozenset({"trees"}), say("is not a store of parses; add it again."))
_TELL_TREES = 1000
_BYTES_OF_WORD = 12  # About, with its brackets or its line.


def convert(source: Path, folder: Path, *, progress: Callable[[float], None]) -> dict[str, int]:
    """Check the trees of a file and keep it; whose sentences they are is checked where they meet.

    Returns how many trees and words there are. Raises FileRefused with a line for each problem.
    """
    problems = Problems(source)
    expected = size_of(source) / _BYTES_OF_WORD
    trees = words = 0
    for _line, tree, leaves in read_trees(source, problems):
        trees += tree is not None
        words += len(leaves)
        if trees % _TELL_TREES == 0:
            progress(min(0.9, words / expected))
    problems.check()
    if not trees:
        raise FileRefused.at(source, 0, say("has no tree; write one for each sentence."))
    shutil.copyfile(source, folder / TREES)
    progress(1.0)
    _ABOUT.write(folder, {"sha256": sha256(source), "trees": trees})
    return {"trees": trees, "parsed": words}


def parses_file(place: Path) -> Path:
    """The file of a store, or the file itself."""
    return place / TREES if place.is_dir() else place
