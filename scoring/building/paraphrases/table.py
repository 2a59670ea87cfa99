"""Paraphrases of the phrases of one or more linked texts, and the files that keep them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.building.alignment import Words
from scoring.building.paraphrases.counting import LinkedText, PhrasePairCounts, count_pairs
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.stores import About, TextIndex, index_of, mapped, mapped_index
from scoring.metrics.resources.table import RawTable, build, phrase_key, write_store

# Paraphrases by pivoting: two English phrases that are aligned with the same foreign phrase.
#
#     p(e2 | e1) = sum over foreign phrases f of p(f | e1) p(e2 | f)
#
# (Bannard and Callison-Burch, 2005), and of several texts the mean over all of them
# (Callison-Burch, 2008), also where a phrase is not in one. With a syntactic label s of the English
# phrase, all counts are those of phrases with this label: p(e2 | e1, s).


Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
LEAST = 0.001
MOST = 50  # Paraphrases of a phrase.
_ENTRIES = 20_000_000  # Of a block of rows of the product, at most: about 400 MB.


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """CodeCounts of one text: `left[r]` (an English phrase, or one with a label) was aligned with
    `right[r]` (a foreign phrase, or one with a label) `times[r]` times; each pair is one row."""

    left: Ints
    right: Ints
    times: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Paraphrases:
    """Row by row: a phrase, its paraphrase, and p(paraphrase | phrase); sorted by phrase, then
    the most probable first, then by the number of the paraphrase."""

    phrase: Ints
    paraphrase: Ints
    probability: Floats

    def __len__(self) -> int:
        return len(self.phrase)


def pivot(
    texts: Sequence[Aligned],
    size: int,
    *,
    least: float = LEAST,
    most: int = MOST,
    min_count: int = 1,
    rows: Ints | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Iterator[Paraphrases]:
    """Yield the paraphrases of `rows` (default: of all phrases), block by block.

    Phrases are numbers below `size` that mean the same in all texts; the probability is the mean
    over the texts, 0 for one without the phrase. Entries below `least` are left out, and all but
    the `most` greatest of a phrase (0: none is). A pair that was seen fewer than `min_count` times
    in a text is left out, but counts in the denominators. Without cuts the probabilities of a
    phrase, with that of itself, sum to the share of texts that have it. Memory is bounded whatever
    the size.
    """
    forth, back = _matrices(texts, size, min_count)
    selected = np.flatnonzero(np.diff(forth.indptr)) if rows is None else rows
    # The entries of a row of the product are at most the sum over its foreign phrases.
    joined = (forth != 0).astype(np.int64) @ np.diff(back.indptr).astype(np.int64)
    bound = np.cumsum(joined[selected])
    start = 0
    while start < len(selected):
        before = int(bound[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(bound, before + _ENTRIES, side="right")))
        yield _cut((forth[selected[start:stop]] @ back).tocoo(), selected[start:stop], least, most)
        progress(stop / len(selected))
        start = stop


def mutual(rows: Paraphrases, size: int) -> Paraphrases:
    """The rows whose paraphrase has the phrase among its own paraphrases too.

    Of the paraphrases of a rare phrase many are frequent phrases of another meaning, which a fault
    of the alignment joins with it; among those of the frequent phrase the rare one is not.
    """
    codes = rows.phrase * size + rows.paraphrase
    is_mutual = np.isin(codes, rows.paraphrase * size + rows.phrase)
    return Paraphrases(
        rows.phrase[is_mutual], rows.paraphrase[is_mutual], rows.probability[is_mutual]
    )


def _matrices(texts: Sequence[Aligned], size: int, min_count: int) -> tuple[Any, Any]:
    """p(f | e), divided by the number of texts, and p(e | f). Foreign phrases of different
    texts are different columns, so that one product sums over texts."""
    from scipy.sparse import csr_array

    left, right, forth, back = [], [], [], []
    width = 0
    for text in texts:
        of_left = np.bincount(text.left, text.times, minlength=size)
        distinct, inverse = np.unique(text.right, return_inverse=True)
        of_right = np.bincount(inverse, text.times, minlength=len(distinct))
        frequent = text.times >= min_count
        left.append(text.left[frequent])
        right.append(inverse[frequent] + width)
        forth.append((text.times / of_left[text.left])[frequent])
        back.append((text.times / of_right[inverse])[frequent])
        width += len(distinct)
    rows, columns = np.concatenate(left), np.concatenate(right)
    share = np.concatenate(forth) / len(texts)
    return (
        csr_array((share, (rows, columns)), shape=(size, width)),
        csr_array((np.concatenate(back), (columns, rows)), shape=(width, size)),
    )


def _cut(product: Any, rows: Ints, least: float, most: int) -> Paraphrases:
    """The rows of a product without phrases that are their own paraphrases."""
    phrase = rows[product.row]
    other = product.col.astype(np.int64)
    value = np.minimum(product.data, 1.0)
    retained = (phrase != other) & (value >= least)
    phrase, other, value = phrase[retained], other[retained], value[retained]
    order = np.lexsort((other, -value, phrase))
    phrase, other, value = phrase[order], other[order], value[order]
    if most:
        first = np.flatnonzero(np.diff(phrase, prepend=-1))
        rank = np.arange(len(phrase)) - np.repeat(first, np.diff(first, append=len(phrase)))
        retained = rank < most
        phrase, other, value = phrase[retained], other[retained], value[retained]
    return Paraphrases(phrase, other, value)


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
    texts: Sequence[LinkedText],
    *,
    longest: int = LONGEST,
    least: float = LEAST,
    most: int = MOST,
    min_count: int = 1,
    wanted: Sequence[Words] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> PivotTable:
    """Extract the phrase pairs of each text and pivot through all of them (see `pivot`).

    `wanted` restricts the phrases that get paraphrases, and so memory and time. The table is
    labelled if every text has labels; their numbers mean the same in all texts.
    """
    pair_counts = [count_pairs(text, longest=longest, wanted=wanted) for text in texts]
    progress(0.5)
    names, numbers = _join(texts, pair_counts)
    rows = None
    if wanted is not None:
        place = {name: number for number, name in enumerate(names)}
        selected = {place[name] for words in wanted if (name := " ".join(words)) in place}
        rows = np.array(sorted(selected), dtype=np.int64)
    aligned = [
        Aligned(number, counts.foreign, counts.times)
        for number, counts in zip(numbers, pair_counts, strict=True)
    ]
    table = _whole(
        pivot(
            aligned,
            len(names),
            least=least,
            most=most,
            min_count=min_count,
            rows=rows,
            progress=lambda share: progress(0.5 + share * 0.3),
        )
    )
    parts = [
        (number[counts.labelled[0]], counts.foreign[counts.labelled[0]], *counts.labelled[1:])
        for counts, number in zip(pair_counts, numbers, strict=True)
        if counts.labelled is not None
    ]
    labelled = _labelled(parts, rows, least, most) if len(parts) == len(pair_counts) else None
    progress(1.0)
    return PivotTable(names, table, labelled)


def _join(
    texts: Sequence[LinkedText], pair_counts: Sequence[PhrasePairCounts]
) -> tuple[list[str], list[Ints]]:
    """The phrases of all texts in order, and for each text the number of each row's phrase."""
    used = [np.unique(counts.english, return_inverse=True) for counts in pair_counts]
    named = [text.english.texts(phrases) for text, (phrases, _) in zip(texts, used, strict=True)]
    names = sorted(set().union(*named))
    place = {name: number for number, name in enumerate(names)}
    numbers = [
        np.array([place[name] for name in phrases], dtype=np.int64)[inverse]
        for phrases, (_, inverse) in zip(named, used, strict=True)
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
        Aligned(part_keys, foreign * many + label, times)
        for part_keys, (_, foreign, label, times) in zip(keys, parts, strict=True)
    ]
    phrase, label = np.divmod(codes, many)
    times = np.bincount(key, np.concatenate([part[3] for part in parts]), minlength=len(codes))
    selected = None if rows is None else np.flatnonzero(np.isin(phrase, rows))
    table = _whole(pivot(aligned, len(codes), least=least, most=most, rows=selected))
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
    usable = (sides[0] != sides[1]) & (sides != distinct.get("", -1)).all(axis=0)
    if not usable.any():
        return False
    names = list(distinct)
    numbers, sides = np.unique(sides[:, usable], return_inverse=True)
    for number in numbers.tolist():
        raw.number(names[number])
    left, right = sides.reshape(2, -1).astype(np.int32)
    raw.left, raw.right = array("i", left.tobytes()), array("i", right.tobytes())
    raw.probabilities = array("d", rows.probability[usable].tobytes())
    raw.skipped = int((~usable).sum())
    write_store(build(raw), folder, source_sha256=source_sha256)
    return True


# The store of a paraphrase table: best paraphrases of a phrase, also by syntactic label.
#
# Unlike the table that `paraeval` reads it has a direction: p(paraphrase | phrase).


Ranked = list[tuple[str, float]]  # Paraphrases with their probabilities, the best first.
ABOUT = About(
    frozenset({"phrases", "pairs", "labels", "keys"}),
    say("is not a store of paraphrases; create it with pivot --store."),
    say("is not that of paraphrases, or incomplete; create the store again."),
)
_ARRAYS = ("offsets", "partners", "key_codes", "key_times", "key_offsets", "key_partners")


@dataclass(frozen=True, slots=True, eq=False)
class PhraseStore:
    """Paraphrases of phrase p are `partners[offsets[p]:offsets[p + 1]]`, the best first, with
    their `probabilities`. A key is a phrase with a label, coded as phrase x labels + label, in
    ascending order; keys have the same arrays, and `key_times` counts the phrase with the label in
    phrase pairs. Unless `counted` it has p(label | phrase) in parts of SHARES, as PPDB says no
    counts."""

    phrases: TextIndex
    labels: tuple[str, ...]
    offsets: Ints
    partners: Ints
    probabilities: NDArray[np.float64]
    key_codes: Ints
    key_times: Ints
    key_offsets: Ints
    key_partners: Ints
    key_probabilities: NDArray[np.float64]
    counted: bool = True

    def best(self, phrase: str) -> Ranked:
        """The paraphrases of a phrase; empty if there are none."""
        (at,) = self.phrases.find([phrase])
        if at < 0:
            return []
        return self._ranked(self.offsets, self.partners, self.probabilities, at)

    def labels_of(self, phrase: str) -> dict[str, int]:
        """The labels that a phrase was seen with, and how often in phrase pairs."""
        return {
            self.labels[int(self.key_codes[key]) % len(self.labels)]: int(self.key_times[key])
            for key in self._keys(phrase)
        }

    def best_with(self, phrase: str, label: str) -> Ranked:
        """The paraphrases of a phrase with a label; empty if it was not seen with it."""
        for key in self._keys(phrase):
            if self.labels[int(self.key_codes[key]) % len(self.labels)] == label:
                return self._ranked(
                    self.key_offsets, self.key_partners, self.key_probabilities, key
                )
        return []

    def _keys(self, phrase: str) -> range:
        (at,) = self.phrases.find([phrase])
        many = len(self.labels)
        if at < 0 or not many:
            return range(0)
        return range(*np.searchsorted(self.key_codes, (at * many, (at + 1) * many)).tolist())

    def _ranked(
        self, offsets: Ints, partners: Ints, probabilities: NDArray[np.float64], row: int
    ) -> Ranked:
        part = slice(int(offsets[row]), int(offsets[row + 1]))
        return [
            (self.phrases[other], value)
            for other, value in zip(
                partners[part].tolist(), probabilities[part].tolist(), strict=True
            )
        ]


def build_store(table: PivotTable, labels: tuple[str, ...] = ()) -> PhraseStore:
    """The store of a table, with the names of its labels."""
    phrases, ids = index_of(table.phrases)
    place = ids.astype(np.int64)
    offsets, partners, probabilities = _by_row(table.rows, place, place)
    codes = times = key_partners = np.empty(0, dtype=np.int64)
    key_offsets, key_probabilities = np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.float64)
    if table.labelled is not None:
        labelled = table.labelled
        codes = place[labelled.phrase] * len(labels) + labelled.label
        order = np.argsort(codes)
        key_place = np.empty(len(order), dtype=np.int64)
        key_place[order] = np.arange(len(order))
        codes, times = codes[order], labelled.times[order]
        key_offsets, key_partners, key_probabilities = _by_row(
            labelled.rows, key_place, place[labelled.phrase]
        )
    return PhraseStore(
        phrases,
        labels,
        offsets,
        partners,
        probabilities,
        codes,
        times,
        key_offsets,
        key_partners,
        key_probabilities,
    )


def _by_row(
    rows: Paraphrases, owner: Ints, partner: Ints
) -> tuple[Ints, Ints, NDArray[np.float64]]:
    """Offsets, partners and probabilities in the order of the owners' new numbers."""
    owners = owner[rows.phrase]
    order = np.argsort(owners, kind="stable")
    offsets = np.zeros(len(owner) + 1, dtype=np.int64)
    np.cumsum(np.bincount(owners, minlength=len(owner)), out=offsets[1:])
    return offsets, partner[rows.paraphrase][order], rows.probability[order]


def write_phrases(store: PhraseStore, folder: Path, *, source_sha256: str) -> None:
    """Write a store into an empty or new folder; `about.json` is written last and marks it
    complete."""
    folder.mkdir(parents=True, exist_ok=True)
    store.phrases.save(folder, "phrases")
    for name in (*_ARRAYS, "probabilities", "key_probabilities"):
        np.save(folder / f"{name}.npy", getattr(store, name), allow_pickle=False)
    about = {
        "sha256": source_sha256,
        "phrases": len(store.phrases),
        "pairs": len(store.partners),
        "labels": list(store.labels),
        "keys": len(store.key_codes),
        "counted": store.counted,
    }
    ABOUT.write(folder, about)


def open_phrases(folder: Path) -> PhraseStore:
    """The memory-mapped store; FileRefused if its files are damaged or mixed up."""
    about = ABOUT.read(folder)
    arrays = {name: mapped(folder / f"{name}.npy", np.int64) for name in _ARRAYS}
    store = PhraseStore(
        mapped_index(folder, "phrases"),
        tuple(map(str, about["labels"])),
        probabilities=mapped(folder / "probabilities.npy", np.float64),
        key_probabilities=mapped(folder / "key_probabilities.npy", np.float64),
        counted=about.get("counted", True) is True,
        **arrays,
    )
    whole = (
        len(store.phrases) == about["phrases"] == len(store.offsets) - 1
        and len(store.partners) == len(store.probabilities) == about["pairs"] == store.offsets[-1]
        and len(store.key_codes) == about["keys"] == len(store.key_offsets) - 1
        and len(store.key_times) == about["keys"]
        and len(store.key_partners) == len(store.key_probabilities) == store.key_offsets[-1]
    )
    if not whole:
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    return store
