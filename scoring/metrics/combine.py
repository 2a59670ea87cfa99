"""A weighted sum of any metrics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from typing import Any

from scoring.metrics.base import Metric, Option, Pair
from scoring.metrics.composite import Composite, Part
from scoring.metrics.files import NONE, FileOption
from scoring.metrics.nbest import NBEST
from scoring.metrics.page_counts import COUNTS
from scoring.metrics.registry import create, metric_class
from scoring.metrics.synonyms import SYNONYMS
from scoring.metrics.table import TABLE
from scoring.metrics.vectors import VECTORS

_PART = re.compile(r"\s*(\w+)\s*(?:\{([^{}]*)\}\s*)?")
_FILES = tuple(
    replace(option, default=NONE) for option in (VECTORS, TABLE, SYNONYMS, COUNTS, NBEST)
)
_BATCH = 250
_MOST = 1000.0

Spec = tuple[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class PartsOption(Option):
    """Metrics parted by `+`, each with its options in braces, parted by `;`."""

    def read(self, metric: str, given: object) -> str:
        """The canonical text: options sorted, no blanks. ValueError says what is wrong."""
        text = str(given).strip()
        if not text:
            raise ValueError(f"{metric}: the option {self.name}=METRIC+METRIC is missing.")
        return "+".join(_spelt(*_part(metric, part)) for part in text.split("+"))


def _part(metric: str, text: str) -> Spec:
    found = _PART.fullmatch(text)
    if not found:
        raise ValueError(
            f"{metric}: {text!r} names no metric; write NAME or NAME{{option=value;...}}, with + "
            "between the parts."
        )
    options: dict[str, str] = {}
    for one in found[2].split(";") if found[2] else []:
        option, equals, value = (piece.strip() for piece in one.partition("="))
        if not (option and equals and value) or option in options:
            raise ValueError(f"{metric}: {one!r} should read option=value, each option once.")
        options[option] = value
    return found[1], options


def _spelt(name: str, options: dict[str, str]) -> str:
    inside = ";".join(f"{option}={value}" for option, value in sorted(options.items()))
    return f"{name}{{{inside}}}" if inside else name


@dataclass(frozen=True, slots=True)
class WeightsOption(Option):
    """Numbers parted by `+`, or `equal`."""

    def read(self, metric: str, given: object) -> str:
        text = str(given).strip()
        if text == "equal":
            return text
        try:
            numbers = [float(part) for part in text.split("+")]
        except ValueError:
            numbers = [float("nan")]
        if not all(isfinite(number) and abs(number) <= _MOST for number in numbers):
            raise ValueError(
                f"{metric}: {self.name}={text} is not allowed; write equal, or numbers with + "
                "between them, such as 0.8+-0.2."
            )
        return "+".join(f"{number:.12g}" for number in numbers)


class Combine(Composite):
    """A weighted sum of the scores of other metrics, as they are or brought on one scale over the
    whole campaign. Without a score where one of its parts has none.

        combine:of=bleu{smooth=none}+pinc,weights=0.8+0.2,scale=minmax

    Scaled parts count so that higher is better; as they are, the sign of a weight decides.
    """

    name = "combine"
    title = "Combination"
    OPTIONS = (
        PartsOption(
            "of",
            "",
            "The parts: names of metrics with + between them, each with its options in braces, as "
            "in bleu{smooth=none;lowercase=yes}+pinc.",
        ),
        WeightsOption(
            "weights", "equal", "The weight of each part, with + between them, or equal."
        ),
        Option(
            "scale",
            "none",
            "Before they are added: none takes scores as they are; minmax brings them to 0 to 1 "
            "and z to mean 0 and standard deviation 1 over the campaign, both turning round "
            "those of which lower is better.",
            ("none", "minmax", "z"),
        ),
        *_FILES,
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.needs_state = self.options["scale"] != "none"
        specs = [_part(self.name, text) for text in self.options["of"].split("+")]
        weights = _weights(self.options["weights"], len(specs))
        files = {
            option.name: self.options[option.name]
            for option in _FILES
            if self.options[option.name] != NONE
        }
        self.set_parts(
            Part(_spelt(*spec), _create(*spec, files), weight)
            for spec, weight in zip(specs, weights, strict=True)
        )

    def _prepare(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        if self.options["scale"] == "none":
            return {}
        return {"scales": [self._scale(part.metric, pairs) for part in self.parts]}

    def _scale(self, metric: Metric[Any], pairs: Sequence[Pair]) -> list[str]:
        """Offset and divisor as texts: a database may write a number of JSON in another form."""
        values = []
        for start in range(0, len(pairs), _BATCH):
            for score in metric.score_many(pairs[start : start + _BATCH]):
                values += [] if score.value is None else [score.value]
        if not values or min(values) == max(values):
            return ["0.0", "0.0"]
        if self.options["scale"] == "minmax":
            low, high = min(values), max(values)
            found = (low, high - low) if metric.higher_is_better else (high, low - high)
        else:
            mean = sum(values) / len(values)
            spread = sqrt(sum((value - mean) ** 2 for value in values) / len(values))
            found = (mean, spread if metric.higher_is_better else -spread)
        return [repr(number) for number in found]

    def use(self, state: Any) -> None:
        super().use(state)
        scales = (state or {}).get("scales")
        if scales:
            self.set_parts(
                replace(part, offset=float(offset), divisor=float(divisor))
                for part, (offset, divisor) in zip(self.parts, scales, strict=True)
            )


def _weights(text: str, parts: int) -> list[float]:
    if text == "equal":
        return [1 / parts] * parts
    weights = [float(one) for one in text.split("+")]
    if len(weights) != parts:
        raise ValueError(f"combine: {len(weights)} weights for {parts} parts; give one for each.")
    return weights


def _create(name: str, options: dict[str, str], files: dict[str, str]) -> Metric[Any]:
    """One part. A file is named by an option of the whole, so that a run can look it up: a path
    inside the text would let its sender read the server's disk."""
    if name == Combine.name:
        raise ValueError("combine: a part cannot be a combination itself; name its parts.")
    own = {option.name for option in metric_class(name).OPTIONS if isinstance(option, FileOption)}
    known = {option.name for option in _FILES}
    for option in sorted(own & options.keys()):
        raise ValueError(
            f"combine: {option}= cannot stand inside the braces of {name}; "
            + (
                f"write {option}= beside of=, for all parts."
                if option in known
                else f"score {name} by itself and combine its column elsewhere."
            )
        )
    return create(name, {**options, **{n: path for n, path in files.items() if n in own}})
