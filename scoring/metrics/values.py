"""Inputs and outputs of metrics: pairs, options, scores, signatures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from operator import add
from typing import Any, Literal

from paraanno.plain.sentence import joined, say

Kind = Literal["corpus", "mean"]
Vector = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """One paraphrase, the text it paraphrases, and the reference texts (blank ones left out).

    `group` holds the distinct paraphrases of the same original, including this one. `language` is
    a tag of BCP 47; empty if unknown.
    """

    original: str
    paraphrase: str
    references: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """A finite number, or None with the reason why it is undefined; never both, never neither.

    `detail` holds the metric's explanation of the score, ready for JSON.
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
    """One option of a metric. `values` lists the texts allowed; if empty, whole numbers from
    `least` to `most` are allowed."""

    name: str
    default: str
    summary: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 0

    def read(self, metric: str, given: object) -> str:
        """The canonical text of a given value; ValueError names the values allowed."""
        text = {True: "yes", False: "no"}[given] if isinstance(given, bool) else str(given).strip()
        if set(YES_NO) <= set(self.values):
            text = _YES_NO_WORDS.get(text.lower(), text)
        if self.values:
            if text in self.values:
                return text
            raise ValueError(
                say(
                    "%(metric)s: %(option)s=%(value)s is not allowed; use %(allowed)s.",
                    metric=metric, option=self.name, value=text, allowed=", ".join(self.values),
                )
            )  # fmt: skip
        if text.isascii() and text.isdigit() and self.least <= int(text) <= self.most:
            return str(int(text))
        raise ValueError(
            say(
                "%(metric)s: %(option)s=%(value)s is not allowed; use a whole number from "
                "%(low)s to %(high)s.",
                metric=metric, option=self.name, value=text, low=self.least, high=self.most,
            )
        )  # fmt: skip


YES_NO = ("yes", "no")
MADE_EARLIER = say("This run was made by an earlier version of the software: start a new one.")
_YES_NO_WORDS = {"true": "yes", "1": "yes", "false": "no", "0": "no", "yes": "yes", "no": "no"}

AGAINST = Option(
    "against",
    "auto",
    say(
        "What the paraphrase is compared with; auto takes the references if every text has one and "
        "the original if none has; mixed takes the references where there are any, else the "
        "original."
    ),
    ("auto", "original", "references", "both", "mixed"),
)
AGAINST_ORIGINAL = Option(
    "against", "original", say("This metric always compares with the original."), ("original",)
)

_REFERENCES = {
    "multi": say("multi uses them together as the metric defines it"),
    "max": say("max takes the best score (the lowest where lower is better)"),
    "mean": say("mean takes the mean of the scores"),
}


def references_option(*values: str) -> Option:
    """The option for several references; the first of `values` is the default."""
    ways = joined("; ", [_REFERENCES[value] for value in values])
    return Option(
        "references", values[0], say("With several references: %(ways)s.", ways=ways), values
    )


@dataclass(frozen=True, slots=True)
class Signature:
    """Everything that must be equal for two scores to be comparable; `str()` is its stable text.

    `resources` holds SHA-256 by option name, `state` the SHA-256 of the prepared state, and
    `versions` the versions of the metric's formula and of its libraries.
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
    """Percent-escape the delimiters of a signature, so that no two look the same."""
    for mark in "%|:@=":
        text = text.replace(mark, f"%{ord(mark):02X}")
    return text


NO_SCORES = Score.undefined(say("No text of this system has a score."))


def mean_score(scores: Iterable[Score]) -> tuple[Score, int]:
    """The mean of the defined scores, and their number."""
    values = [score.value for score in scores if score.value is not None]
    if not values:
        return NO_SCORES, 0
    return Score(sum(values) / len(values)), len(values)


def add_vectors(vectors: Iterable[Vector | None]) -> Vector:
    """The elementwise sum of those that are not None; empty for none."""
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
