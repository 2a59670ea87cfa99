"""Tables with features, PPDB and Moses, as stores of paraphrases.

PPDB has p(e2 | e1), and by the label of its rule p(e2 | e1, LHS) and p(LHS | e1), as negative
logarithms (Ganitkevitch, Van Durme and Callison-Burch 2013). A phrase table of Moses is pivoted,
and has no labels.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np

from scoring.building.paraphrases.table import (
    Floats,
    Ints,
    LabelledParaphrases,
    Paraphrases,
    PhraseStore,
    PivotTable,
    build_store,
    write_phrases,
)
from scoring.metrics.files import Problems, sha256, text_lines
from scoring.metrics.resources.table import convert as convert_table
from scoring.metrics.resources.table import (
    grouped,
    is_moses,
    ppdb_rows,
    read_rows,
    watched,
)

SHARES = 1_000_000
LABELLED = "phrases"  # The folder of a store in that of a table.
_LOGS = tuple(
    re.compile(rf"(?:^|\s)(?:{names})=(\S+)")
    for names in (
        r"-logp\(e2\|e1\)|p\(e2\|e1\)|p\(e\|f\)",
        r"-logp\(e2\|e1,LHS\)|p\(e2\|e1,LHS\)|p\(e\|f,LHS\)",
        r"-logp\(LHS\|e1\)|p\(LHS\|e1\)|p\(LHS\|f\)",
    )
)


def has_features(path: Path) -> bool:
    """Whether a table is of PPDB or Moses, by its first line."""
    with path.open(encoding="utf-8-sig", errors="replace") as stream:
        return "|||" in next((line for line in stream if line.strip()), "")


def convert(source: Path, folder: Path, *, progress: Callable[[float], None]) -> dict[str, int]:
    """Make the stores of a table, the kind `table`: that of the metric `paraeval` and, of PPDB and
    Moses, that of test sets in the folder LABELLED, if a row has p(e2 | e1). Raises FileRefused."""
    if not has_features(source):
        return convert_table(source, folder, progress=progress)
    counts = convert_table(source, folder, progress=lambda share: progress(share / 2))
    store = features_store(source, progress=lambda share: progress(0.5 + share / 2))
    if len(store.partners):
        write_phrases(store, folder / LABELLED, source_sha256=sha256(source))
    return {**counts, "labels": len(store.labels)} if store.labels else counts


def features_store(
    path: Path,
    *,
    wanted: Collection[str] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> PhraseStore:
    """The paraphrases of a table of PPDB or Moses with p(e2 | e1), of the phrases `wanted` alone if
    any are named; without a row there is none. Raises FileRefused."""
    problems = Problems(path)
    rows = _FeatureRows(wanted)
    lines = watched(path, text_lines(path, problems), progress)
    first = next(lines, (0, ""))
    if not is_moses(first[1]):
        for label, phrase, other, logs in ppdb_rows(chain([first], lines), problems, _LOGS):
            rows.add(label, phrase, other, logs)
        problems.check()
    else:
        raw = read_rows(path, progress)
        names = list(raw.numbers)
        for left, right, value in zip(raw.left, raw.right, raw.probabilities, strict=True):
            rows.add("", names[left], names[right], (value, None, None))
    return rows.store()


class _FeatureRows:
    """Rows of a table with features, as numbers; of several for a pair the most probable counts."""

    def __init__(self, wanted: Collection[str] | None) -> None:
        self._wanted = wanted
        self._phrases: dict[str, int] = {}
        self._labels: dict[str, int] = {}
        self._places = array("q")  # Phrase, paraphrase and label, three for each row.
        self._values = array("d")  # p(e2 | e1), p(e2 | e1, label) and p(label | e1), likewise.

    def add(self, label: str, phrase: str, other: str, values: Sequence[float | None]) -> None:
        given, with_label, share = values
        if given is None or phrase == other or not (phrase and other):
            return
        if self._wanted is not None and phrase not in self._wanted:
            return
        for name, numbers in (
            (phrase, self._phrases),
            (other, self._phrases),
            (label, self._labels),
        ):
            self._places.append(numbers.setdefault(name, len(numbers)))
        self._values.extend(
            (given, given if with_label is None else with_label, 1.0 if share is None else share)
        )

    def store(self) -> PhraseStore:
        places = np.frombuffer(self._places, dtype=np.int64).reshape(-1, 3)
        given, with_label, share = np.frombuffer(self._values).reshape(-1, 3).T
        names, size = sorted(self._phrases), len(self._phrases)
        rank = {name: at for at, name in enumerate(names)}
        order = np.array([rank[name] for name in self._phrases], dtype=np.int64)
        left, right = order[places[:, 0]], order[places[:, 1]]
        rows = _best_rows(left, right, given, size)
        if set(self._labels) <= {""}:
            return build_store(PivotTable(names, rows))
        labels = list(self._labels)
        many, label = len(labels), places[:, 2]
        codes = np.unique(np.concatenate((left * many + label, right * many + label)))
        of_left, of_right = (np.searchsorted(codes, one * many + label) for one in (left, right))
        parts = np.zeros(len(codes))
        np.maximum.at(parts, of_left, share)
        times = np.maximum(np.rint(parts * SHARES), 1).astype(np.int64)
        by_label = _best_rows(of_left, of_right, with_label, len(codes))
        labelled = LabelledParaphrases(codes // many, codes % many, times, by_label)
        made = build_store(PivotTable(names, rows, labelled), tuple(labels))
        return replace(made, counted=False)


def _best_rows(left: Ints, right: Ints, values: Floats, size: int) -> Paraphrases:
    """Each pair once, with its greatest value, in the order of `Paraphrases`."""
    codes, best = grouped(left * size + right, values, np.maximum)
    phrase, other = np.divmod(codes, max(size, 1))
    order = np.lexsort((other, -best, phrase))
    return Paraphrases(phrase[order], other[order], best[order])
