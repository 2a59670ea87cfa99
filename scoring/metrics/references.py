"""What texts were compared with: how many met the original, how many met references, and how
many references those had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass

from paraanno.plain.sentence import say
from scoring.metrics.values import Pair

# Number of texts by number of references.
Counts = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Met:
    """Numbers of texts by what they were compared with; a text that met both counts in both.

    `least` and `most` are the numbers of references of the texts that met any, 0 if none did.
    `neither` counts texts that have no score for want of them, or were compared with each other.
    """

    original: int = 0
    references: int = 0
    neither: int = 0
    least: int = 0
    most: int = 0

    @property
    def number(self) -> str:
        """The number of references of a text that met any: 1, or 1-3."""
        return f"{self.least}-{self.most}" if self.least != self.most else f"{self.most}"

    def __str__(self) -> str:
        """Its parts of a signature."""
        parts = [
            f"nrefs:{self.number}",
            f"met_original:{self.original}",
            f"met_references:{self.references}",
        ]
        return "|".join([*parts, f"met_neither:{self.neither}"] if self.neither else parts)

    def as_json(self) -> dict[str, int]:
        """The numbers by name."""
        return asdict(self)


def reference_counts(pairs: Iterable[Pair]) -> Counts:
    """Number of pairs by number of references."""
    return Counter(len(pair.references) for pair in pairs)


def met_by(meets: Callable[[int], tuple[bool, int]], counts: Counts) -> Met:
    """Count the texts by what `meets` says for their number of references (`Metric.meets`)."""
    original = references = neither = 0
    numbers = set()
    for number, texts in counts.items():
        with_original, read = meets(number)
        original += texts if with_original else 0
        references += texts if read else 0
        neither += 0 if with_original or read else texts
        numbers |= {read} if read and texts else set()
    return Met(original, references, neither, min(numbers, default=0), max(numbers, default=0))


def mixture(counts: Counts) -> str:
    """Why `against=auto` has no single meaning for these texts; empty if it has one."""
    without = counts.get(0, 0)
    known = sum(counts.values()) - without
    if not (known and without):
        return ""
    return say(
        "%(known)s texts have references and %(without)s have none, and a score against the "
        "original is not one against a reference. Choose against=references (texts without one "
        "get no score), against=original, or against=mixed (each text with what it has).",
        known=known, without=without,
    )  # fmt: skip
