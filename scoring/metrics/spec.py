"""The text that names a metric with its options: `NAME[:option=value,...]`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from paraanno.plain.sentence import say
from scoring.metrics.base import Metric
from scoring.metrics.languages import language_problem
from scoring.metrics.registry import create, metric_class


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """A requested metric. `key` is its name in results: the entire text, or the `as=` name."""

    key: str
    name: str
    options: tuple[tuple[str, str], ...] = ()


def parse_spec(text: str) -> MetricSpec:
    """Read `bleu`, `bleu:lowercase=yes,smooth=floor` or `pinc:as=novelty`.

    Raises ValueError for anything else. Names and values are checked by `create`.
    """
    name, colon, rest = text.strip().partition(":")
    if not name or (colon and not rest):
        raise ValueError(
            say("%(text)s names no metric: write NAME or NAME:option=value,...", text=repr(text))
        )
    options: dict[str, str] = {}
    for part in rest.split(",") if rest else []:
        option, equals, value = part.partition("=")
        option, value = option.strip(), value.strip()
        if not (option and equals and value):
            raise ValueError(
                say(
                    "%(text)s: %(part)s should read option=value.", text=repr(text), part=repr(part)
                )
            )
        if option in options:
            raise ValueError(
                say(
                    "%(text)s: the option %(option)s is given twice.",
                    text=repr(text), option=option,
                )
            )  # fmt: skip
        options[option] = value
    key = options.pop("as", text.strip())
    return MetricSpec(key, name.strip(), tuple(sorted(options.items())))


def from_spec(spec: MetricSpec | str, languages: Sequence[str] | None = None) -> Metric[Any]:
    """Create the metric of a spec; ValueError if it is invalid.

    `languages` are those of the texts, empty for unknown; a metric that reads none of them is
    invalid too.
    """
    if isinstance(spec, str):
        spec = parse_spec(spec)
    if languages is None:
        return create(spec.name, dict(spec.options))
    options = metric_class(spec.name).in_languages(dict(spec.options), languages)
    metric = create(spec.name, options)
    if problem := language_problem(metric, languages):
        raise ValueError(problem)
    return metric
