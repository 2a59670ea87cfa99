"""Reader of metric scores for an extrinsic evaluation: what `score` writes, a file for a system."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from paraanno.plain.columns import Columns
from paraanno.plain.problems import Problem, ProblemLog
from paraanno.plain.records import format_of, read_records
from paraanno.plain.sentence import say
from scoring.extrinsic.classifiers import Floats
from scoring.extrinsic.reading import ID, MOST_PROBLEMS


def read_scores(
    path: Path, metrics: Sequence[str], ids: Sequence[str]
) -> tuple[dict[str, Floats], tuple[Problem, ...]]:
    """Columns of numbers by metric, in the order of `ids`; NaN for an empty cell or a missing row.

    Rows of other ids are left out. It is a problem if an id repeats, a cell is no number, or none
    of the ids is there. Problems are returned, not raised.
    """
    log = ProblemLog(str(path), limit=MOST_PROBLEMS)
    place = {key: row for row, key in enumerate(ids)}
    found = {name: np.full(len(ids), math.nan) for name in metrics}
    seen: dict[str, int] = {}
    columns = Columns.of((ID, *metrics))
    for cells in read_records(path, log=log, columns=columns, format=format_of(path.name, "csv")):
        key = (cells.label(ID) or "").strip()
        cells.once(ID, key, seen)
        for name, column in found.items():
            value = cells.number(name)
            if value is not None and key in place:
                column[place[key]] = value
    if not log.errors and not place.keys() & seen.keys():
        log.error(0, say("has none of the ids of the texts: score these texts by their ids"))
    return found, log.problems()
