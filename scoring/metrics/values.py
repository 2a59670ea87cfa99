"""What goes into a metric and what comes out: pairs, options, scores, signatures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from operator import add
from typing import Any, Literal

Kind = Literal["corpus", "mean"]
Vector = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """One paraphrase, the text it paraphrases, and the reference texts (blank ones left out).

    `group` holds the distinct paraphrases of the same original, this one among them.
    """

    original: str
    paraphrase: str
    references: tuple[str, ...] = ()
    group: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """A finite number, or None with the reason why there is none; never both, never neither.

    `detail` holds what a metric can tell about how it came to the number, ready for JSON.
    """

    value: float | None
    reason: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        value = self.value
        if (value is None) != bool(self.reason):
            raise ValueError("A score has either a value or a reason.")
        if value is not None and not isfinite(value):
            raise ValueError(f"A score must be a finite number, not {value}.")

    @classmethod
    def undefined(cls, reason: str) -> Score:
        return cls(None, reason)


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of a metric. `values` lists the texts allowed; empty allows whole numbers
    from `least` to `most`."""

    name: str
    default: str
    summary: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 0

    def read(self, metric: str, given: object) -> str:
        """The canonical text of a given value; ValueError names the values allowed."""
        text = {True: "yes", False: "no"}[given] if isinstance(given, bool) else str(given).strip()
        if self.values == YES_NO:
            text = _YES_NO_WORDS.get(text.lower(), text)
        if self.values:
            if text in self.values:
                return text
            allowed = ", ".join(self.values)
        else:
            if text.isascii() and text.isdigit() and self.least <= int(text) <= self.most:
                return str(int(text))
            allowed = f"a whole number from {self.least} to {self.most}"
        raise ValueError(f"{metric}: {self.name}={text} is not allowed; use {allowed}.")


YES_NO = ("yes", "no")
MADE_EARLIER = "An earlier version of the software made this run: start a new one."
_YES_NO_WORDS = {"true": "yes", "1": "yes", "false": "no", "0": "no", "yes": "yes", "no": "no"}

AGAINST = Option(
    "against",
    "auto",
    "What the paraphrase is compared with; auto takes the references where there are any, "
    "else the original.",
    ("auto", "original", "references", "both"),
)
AGAINST_ORIGINAL = Option(
    "against", "original", "This metric always compares with the original.", ("original",)
)

_REFERENCES = {
    "multi": "multi uses them together as the metric defines it",
    "max": "max takes the best score (the lowest where lower is better)",
    "mean": "mean takes the mean of the scores",
}


def references_option(*values: str) -> Option:
    """How several texts to compare with are used; the first of `values` is the default."""
    summary = "; ".join(_REFERENCES[value] for value in values)
    return Option("references", values[0], f"Of several references: {summary}.", values)


@dataclass(frozen=True, slots=True)
class Signature:
    """All that must be equal for two numbers to be comparable; `str()` is its stable text.

    `resources` holds SHA-256 by option name, `state` the SHA-256 of what `prepare` made, and
    `versions` the versions of the metric's own formula and of the libraries it stands on.
    """

    metric: str
    options: tuple[tuple[str, str], ...] = ()
    resources: tuple[tuple[str, str], ...] = ()
    state: str = ""
    versions: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        parts = [self.metric]
        parts += [f"{_plain(name)}:{_plain(value)}" for name, value in sorted(self.options)]
        parts += [f"{_plain(name)}@{_plain(value)}" for name, value in sorted(self.resources)]
        parts += [f"state@{self.state}"] if self.state else []
        parts += [f"{_plain(name)}={_plain(value)}" for name, value in sorted(self.versions)]
        return "|".join(parts)


def _plain(text: str) -> str:
    """Percent-escapes the marks that part a signature, so that two never read alike."""
    for mark in "%|:@=":
        text = text.replace(mark, f"%{ord(mark):02X}")
    return text


def mean_score(scores: Iterable[Score]) -> tuple[Score, int]:
    """The mean of the defined scores, and how many there are."""
    values = [score.value for score in scores if score.value is not None]
    if not values:
        return Score.undefined("No text of this system has a score."), 0
    return Score(sum(values) / len(values)), len(values)


def add_vectors(vectors: Iterable[Vector | None]) -> Vector:
    """The sum, place by place, of those that are not None; empty for none."""
    total: Vector = ()
    for vector in vectors:
        if vector is not None:
            total = tuple(map(add, total, vector)) if total else vector
    return total


def state_hash(state: Any) -> str:
    """SHA-256 of a prepared state in its canonical JSON form; empty for no state."""
    if state is None:
        return ""
    text = json.dumps(state, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
