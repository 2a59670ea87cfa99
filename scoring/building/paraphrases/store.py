"""The store of a paraphrase table: best paraphrases of a phrase, also by syntactic label.

Unlike the table that `paraeval` reads it has a direction: p(paraphrase | phrase).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraanno.plain.sentence import say
from scoring.building.paraphrases.pivot import Paraphrases
from scoring.building.paraphrases.table import PivotTable
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.stores import About
from scoring.metrics.resources.text_index import TextIndex, index_of, mapped, mapped_index

Ints = NDArray[np.int64]
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
    phrase pairs."""

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
        found = table.labelled
        codes = place[found.phrase] * len(labels) + found.label
        order = np.argsort(codes)
        key_place = np.empty(len(order), dtype=np.int64)
        key_place[order] = np.arange(len(order))
        codes, times = codes[order], found.times[order]
        key_offsets, key_partners, key_probabilities = _by_row(
            found.rows, key_place, place[found.phrase]
        )
    return PhraseStore(
        phrases, labels, offsets, partners, probabilities,
        codes, times, key_offsets, key_partners, key_probabilities,
    )  # fmt: skip


def _by_row(
    rows: Paraphrases, owner: Ints, partner: Ints
) -> tuple[Ints, Ints, NDArray[np.float64]]:
    """Offsets, partners and probabilities in the order of the owners' new numbers."""
    mine = owner[rows.phrase]
    order = np.argsort(mine, kind="stable")
    offsets = np.zeros(len(owner) + 1, dtype=np.int64)
    np.cumsum(np.bincount(mine, minlength=len(owner)), out=offsets[1:])
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
    }
    ABOUT.write(folder, about)


def open_phrases(folder: Path) -> PhraseStore:
    """The memory-mapped store; FileRefused if its files are damaged or mixed up."""
    about = ABOUT.read(folder)
    arrays = {name: mapped(folder / f"{name}.npy", np.int64) for name in _ARRAYS}
    found = PhraseStore(
        mapped_index(folder, "phrases"), tuple(map(str, about["labels"])),
        probabilities=mapped(folder / "probabilities.npy", np.float64),
        key_probabilities=mapped(folder / "key_probabilities.npy", np.float64),
        **arrays,
    )  # fmt: skip
    whole = (
        len(found.phrases) == about["phrases"] == len(found.offsets) - 1
        and len(found.partners) == len(found.probabilities) == about["pairs"] == found.offsets[-1]
        and len(found.key_codes) == about["keys"] == len(found.key_offsets) - 1
        and len(found.key_times) == about["keys"]
        and len(found.key_partners) == len(found.key_probabilities) == found.key_offsets[-1]
    )
    if not whole:
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    return found
