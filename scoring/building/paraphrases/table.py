"""Paraphrases of the phrases of one or more linked texts, and the files that keep them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scoring.building.alignment.parallel import Words
from scoring.building.paraphrases.counting import LinkedText, PhrasePairCounts, count_pairs
from scoring.building.paraphrases.pivot import LEAST, MOST, Aligned, Paraphrases, mutual, pivot
from scoring.metrics.resources.table_reading import RawTable, phrase_key
from scoring.metrics.resources.table_store import build, write_store

Ints = NDArray[np.int64]
LONGEST = 5


@dataclass(frozen=True, slots=True, eq=False)
class LabelledParaphrases:
    """Paraphrases of phrases with a syntactic label.

    Key k is the phrase `phrase[k]` with the label `label[k]`, seen in `times[k]` phrase pairs;
    keys ascend by phrase, then label. `rows` are paraphrases of keys, which are keys too, of the
    same label.
    """

    phrase: Ints
    label: Ints
    times: Ints
    rows: Paraphrases


@dataclass(frozen=True, slots=True, eq=False)
class PivotTable:
    """Phrases in order of code points, which `rows` (and `labelled`) name by number."""

    phrases: list[str]
    rows: Paraphrases
    labelled: LabelledParaphrases | None = None

    def mutual(self) -> PivotTable:
        """The table of pairs that are paraphrases of each other (see `mutual`), without labels."""
        return PivotTable(self.phrases, mutual(self.rows, len(self.phrases)))

    def lines(self) -> Iterator[str]:
        """`phrase TAB paraphrase TAB p(paraphrase | phrase)`, sorted by phrase, then the most
        probable first, then by paraphrase."""
        names = self.phrases
        rows = self.rows
        for start in range(0, len(rows), 100_000):
            part = slice(start, start + 100_000)
            for phrase, other, value in zip(
                rows.phrase[part].tolist(),
                rows.paraphrase[part].tolist(),
                rows.probability[part].tolist(),
                strict=True,
            ):
                yield f"{names[phrase]}\t{names[other]}\t{value:.10g}\n"


def paraphrase(
    texts: Sequence[LinkedText], *, longest: int = LONGEST, least: float = LEAST,
    most: int = MOST, min_count: int = 1, wanted: Sequence[Words] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> PivotTable:  # fmt: skip
    """Extract the phrase pairs of each text and pivot through all of them (see `pivot`).

    `wanted` restricts the phrases that get paraphrases, and so memory and time. The table is
    labelled if every text has labels; their numbers mean the same in all texts.
    """
    found = [count_pairs(text, longest=longest, wanted=wanted) for text in texts]
    progress(0.5)
    names, numbers = _join(texts, found)
    rows = None
    if wanted is not None:
        place = {name: number for number, name in enumerate(names)}
        asked = {place[name] for words in wanted if (name := " ".join(words)) in place}
        rows = np.array(sorted(asked), dtype=np.int64)
    aligned = [
        Aligned(number, counts.foreign, counts.times)
        for number, counts in zip(numbers, found, strict=True)
    ]
    table = _whole(
        pivot(
            aligned, len(names), least=least, most=most, min_count=min_count, rows=rows,
            progress=lambda share: progress(0.5 + share * 0.3),
        )
    )  # fmt: skip
    parts = [
        (number[counts.labelled[0]], counts.foreign[counts.labelled[0]], *counts.labelled[1:])
        for counts, number in zip(found, numbers, strict=True)
        if counts.labelled is not None
    ]
    labelled = _labelled(parts, rows, least, most) if len(parts) == len(found) else None
    progress(1.0)
    return PivotTable(names, table, labelled)


def _join(
    texts: Sequence[LinkedText], found: Sequence[PhrasePairCounts]
) -> tuple[list[str], list[Ints]]:
    """The phrases of all texts in order, and for each text the number of each row's phrase."""
    used = [np.unique(counts.english, return_inverse=True) for counts in found]
    named = [text.english.texts(mine) for text, (mine, _) in zip(texts, used, strict=True)]
    names = sorted(set().union(*named))
    place = {name: number for number, name in enumerate(names)}
    numbers = [
        np.array([place[name] for name in mine], dtype=np.int64)[inverse]
        for mine, (_, inverse) in zip(named, used, strict=True)
    ]
    return names, numbers


def _labelled(
    parts: Sequence[tuple[Ints, Ints, Ints, Ints]], rows: Ints | None, least: float, most: int
) -> LabelledParaphrases:
    """`parts`: for each text the phrase, the foreign phrase, the label and how often."""
    many = max(int(label.max(initial=0)) for _, _, label, _ in parts) + 1
    codes, key = np.unique(
        np.concatenate([phrase * many + label for phrase, _, label, _ in parts]),
        return_inverse=True,
    )
    ends = np.cumsum([len(times) for *_, times in parts])
    keys = np.split(key, ends[:-1])
    aligned = [
        Aligned(mine, foreign * many + label, times)
        for mine, (_, foreign, label, times) in zip(keys, parts, strict=True)
    ]
    phrase, label = np.divmod(codes, many)
    times = np.bincount(key, np.concatenate([part[3] for part in parts]), minlength=len(codes))
    asked = None if rows is None else np.flatnonzero(np.isin(phrase, rows))
    table = _whole(pivot(aligned, len(codes), least=least, most=most, rows=asked))
    return LabelledParaphrases(phrase, label, times.astype(np.int64), table)


def _whole(blocks: Iterable[Paraphrases]) -> Paraphrases:
    parts = list(blocks)
    none = np.empty(0, dtype=np.int64)
    return Paraphrases(
        np.concatenate([none, *(part.phrase for part in parts)]),
        np.concatenate([none, *(part.paraphrase for part in parts)]),
        np.concatenate([none.astype(np.float64), *(part.probability for part in parts)]),
    )


def save_for_paraeval(table: PivotTable, folder: Path, *, source_sha256: str) -> bool:
    """Write the store that the metric `paraeval` reads in place of the file of `lines`, whose
    SHA-256 is given. False, and nothing is written, if no pair differs in its words."""
    raw = RawTable()
    rows = table.rows
    used, place = np.unique(np.concatenate((rows.phrase, rows.paraphrase)), return_inverse=True)
    keys = [phrase_key(table.phrases[number]) for number in used.tolist()]
    distinct = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    sides = np.array([distinct[key] for key in keys], dtype=np.int64)[place].reshape(2, -1)
    # A phrase of punctuation only has no word.
    kept = (sides[0] != sides[1]) & (sides != distinct.get("", -1)).all(axis=0)
    if not kept.any():
        return False
    names = list(distinct)
    numbers, sides = np.unique(sides[:, kept], return_inverse=True)
    for number in numbers.tolist():
        raw.number(names[number])
    left, right = sides.reshape(2, -1).astype(np.int32)
    raw.left, raw.right = array("i", left.tobytes()), array("i", right.tobytes())
    raw.probabilities = array("d", rows.probability[kept].tobytes())
    raw.skipped = int((~kept).sum())
    write_store(build(raw), folder, source_sha256=source_sha256)
    return True
