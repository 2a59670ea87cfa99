"""Metrics that are weighted sums of other metrics: those that are published, and a sum of any."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from typing import Any

from paraanno.common.texts import say
from scoring.metrics.base import DecimalOption, Metric
from scoring.metrics.combination.model_scores import NBEST
from scoring.metrics.files import NONE, FileOption
from scoring.metrics.phrases.google_distance import COUNTS, ApemSdgd
from scoring.metrics.registry import create, metric_class
from scoring.metrics.resources.synonyms import SYNONYMS
from scoring.metrics.resources.table import TABLE
from scoring.metrics.resources.vectors import VECTORS
from scoring.metrics.values import AGAINST, YES_NO, Option, Pair, Score, part_row

Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Addend:
    """A metric of the sum, its name in the sum, its weight, and the scaling of its scores: `offset`
    is subtracted, then the result is divided by `divisor`."""

    name: str
    metric: Metric[Any]
    weight: float
    offset: float = 0.0
    divisor: float = 1.0


class Composite(Metric[Texts]):
    """A weighted sum; a subclass sets `parts` in its constructor. Undefined if any part is."""

    family = "combination"
    keeps_detail = True

    def set_parts(self, parts: Iterable[Addend]) -> None:
        """Set the parts, and derive the attributes of the sum. ValueError for a file option that no
        part takes."""
        self.parts = tuple(parts)
        taken = {option.name for part in self.parts for option in part.metric.OPTIONS}
        for option in self.OPTIONS:
            unused = option.name not in taken and self.options[option.name] != NONE
            if unused and isinstance(option, FileOption):
                raise ValueError(
                    say(
                        "%(metric)s: no part takes %(option)s=; leave it out.",
                        metric=self.name,
                        option=option.name,
                    )
                )
        metrics = [part.metric for part in self.parts]
        self.needs_state = self.needs_state or any(metric.needs_state for metric in metrics)
        self.grouped = any(metric.grouped for metric in metrics)
        self.undecided = any(metric.undecided for metric in metrics)
        self.chunk_size = min(metric.chunk_size for metric in metrics)
        self.queue = max(metric.queue for metric in metrics)  # prefers neural to korean

    def load(self) -> None:
        for part in self.parts:
            part.metric.load()

    def reads(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one for part in self.parts for one in part.metric.reads()))

    def choices(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one for part in self.parts for one in part.metric.choices()))

    def language_refusal(self, language: str) -> str:
        refusals = (part.metric.language_refusal(language) for part in self.parts)
        return next(filter(None, refusals), "")

    def meets(self, references: int) -> tuple[bool, int]:
        requirements = [part.metric.meets(references) for part in self.parts]
        return any(original for original, _ in requirements), max(read for _, read in requirements)

    def is_auto(self) -> bool:
        return any(part.metric.is_auto() for part in self.parts)

    def versions(self) -> dict[str, str]:
        """The signature of each part, by its position in the sum."""
        return {f"part{at}": str(part.metric.signature()) for at, part in enumerate(self.parts, 1)}

    def resources(self) -> dict[str, str]:
        return {
            name: digest for part in self.parts for name, digest in part.metric.resources().items()
        }

    def prepare(self, pairs: Iterable[Pair]) -> Any:
        """The states of the parts, and that of the sum; all pairs are held in memory."""
        if not self.needs_state:
            return None
        all_pairs = list(pairs)
        states = [
            part.metric.prepare(all_pairs) if part.metric.needs_state else None
            for part in self.parts
        ]
        self._use_parts(states)
        return {"parts": states, **self._prepare(all_pairs)}

    def _prepare(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        """The state of the sum, computed once the parts are prepared, as JSON."""
        return {}

    def use(self, state: Any) -> None:
        super().use(state)
        if state:
            self._use_parts(state["parts"])
        self.state = None  # The parts hold it.

    def _use_parts(self, states: Sequence[Any]) -> None:
        for part, state in zip(self.parts, states, strict=True):
            part.metric.use(state)

    def score_many(self, pairs: Sequence[Pair]) -> list[Score]:
        self.check_prepared()
        columns = [part.metric.score_many(pairs) for part in self.parts]
        return [self._sum(scores) for scores in zip(*columns, strict=True)]

    def _sum(self, scores: Sequence[Score]) -> Score:
        total = 0.0
        detail = []
        for part, score in zip(self.parts, scores, strict=True):
            if score.value is None:
                return Score.undefined(
                    say("The part %(part)s has no score: %(why)s", part=part.name, why=score.reason)
                )
            if not part.divisor:
                return Score.undefined(
                    say(
                        "The part %(part)s has the same score everywhere: it has no scale.",
                        part=part.name,
                    )
                )
            value = (score.value - part.offset) / part.divisor
            total += part.weight * value
            detail.append(part_row(part.name, score.value, value, part.weight))
        return Score(total, detail={"parts": detail})

    # Unused: parts differ in what they compare with, so they score entire pairs.
    def _know(self, targets: Texts) -> Texts:
        return targets

    def _score(self, target: Texts, paraphrase: str) -> Score:
        return self.score(Pair(target[0], paraphrase, target[1:]))


# BLEU and APEM together (Moon, Gweon, Choi and Heo 2015, table 2).


OWN = "own"


def _optional(option: Option) -> Option:
    return replace(option, default=NONE) if isinstance(option, FileOption) else option


class BleuApem(Composite):
    """BLEU_APEM(a:b) = a/10 BLEU + b/10 APEM, both from 0 to 1: the scores that the two metrics
    have by themselves.

    Undefined if either is undefined.
    """

    name = "bleu_apem"
    languages = ApemSdgd.languages
    title = "BLEU_APEM"
    summary = say(
        "0 to 1: a weighted mean of BLEU and APEM. BLEU compares wording with references, "
        "APEM compares morphemes with the original."
    )
    OPTIONS = (
        AGAINST,
        DecimalOption("weight", "0.2", say("The weight of BLEU; APEM has the rest.")),
        Option(
            "bleu",
            "bleu_1max",
            say(
                "The BLEU: bleu_1max is that of the paper, words shared with one "
                "reference; bleu is "
                "the usual one."
            ),
            ("bleu_1max", "bleu"),
        ),
        Option(
            "apem",
            "apem",
            say(
                "The APEM: apem matches identical morphemes, apem_sd also synonyms, apem_sdgd also "
                "synonyms confirmed by a distance."
            ),
            ("apem", "apem_sd", "apem_sdgd"),
        ),
        Option(
            "tokenize",
            OWN,
            say(
                "How BLEU tokenizes texts: own (as that metric does by default), 13a (mteval), "
                "intl (Unicode punctuation), ko (Korean morphemes), or none (at white space)."
            ),
            (OWN, "13a", "intl", "ko", "none"),
        ),
        Option(
            "lowercase",
            OWN,
            say("Whether BLEU ignores case: own (as that metric does by default), yes or no."),
            (OWN, *YES_NO),
        ),
        *(_optional(option) for option in ApemSdgd.OPTIONS if option.name != AGAINST.name),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        weight = float(self.options["weight"])
        self.set_parts([self._part("bleu", weight), self._part("apem", 1 - weight)])

    def _part(self, which: str, weight: float) -> Addend:
        """The metric named in an option, with those of our options that it also takes."""
        name = self.options[which]
        takes = {option.name for option in metric_class(name).OPTIONS}
        taken = {
            option: value
            for option, value in self.options.items()
            if option in takes and value != OWN
        }
        if which == "apem":
            # It has only one choice, and a file that is not named counts as missing.
            taken = {option: value for option, value in taken.items() if value != NONE}
            taken.pop(AGAINST.name)
        metric = create(name, taken)
        return Addend(name, metric, weight, divisor=100.0 if metric.percent else 1.0)


# A weighted sum of any metrics.


_PART = re.compile(r"\s*(\w+)\s*(?:\{([^{}]*)\}\s*)?")
_FILES = tuple(
    replace(option, default=NONE) for option in (VECTORS, TABLE, SYNONYMS, COUNTS, NBEST)
)
_BATCH = 250
_MOST = 1000.0

Spec = tuple[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class PartsOption(Option):
    """Metrics separated by `+`, each with its options in braces, separated by `;`."""

    def read(self, metric: str, given: object) -> str:
        """The canonical text: options sorted, no spaces. Raises ValueError for an invalid one."""
        text = str(given).strip()
        if not text:
            raise ValueError(
                say(
                    "%(metric)s: the option %(option)s=METRIC+METRIC is missing.",
                    metric=metric,
                    option=self.name,
                )
            )
        return "+".join(_spelt(*_part(metric, part)) for part in text.split("+"))


def _part(metric: str, text: str) -> Spec:
    match = _PART.fullmatch(text)
    if not match:
        raise ValueError(
            say(
                "%(metric)s: %(text)s names no metric; write NAME or NAME{option=value;...}, with "
                "+ between the parts.",
                metric=metric,
                text=repr(text),
            )
        )
    options: dict[str, str] = {}
    for one in match[2].split(";") if match[2] else []:
        option, equals, value = (piece.strip() for piece in one.partition("="))
        if not (option and equals and value) or option in options:
            raise ValueError(
                say(
                    "%(metric)s: %(text)s should read option=value, each option once.",
                    metric=metric,
                    text=repr(one),
                )
            )
        options[option] = value
    return match[1], options


def _spelt(name: str, options: dict[str, str]) -> str:
    inside = ";".join(f"{option}={value}" for option, value in sorted(options.items()))
    return f"{name}{{{inside}}}" if inside else name


@dataclass(frozen=True, slots=True)
class WeightsOption(Option):
    """Numbers separated by `+`, or `equal`."""

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
                say(
                    "%(metric)s: %(option)s=%(value)s is not allowed; write equal, or numbers with "
                    "+ between them, such as 0.8+-0.2.",
                    metric=metric,
                    option=self.name,
                    value=text,
                )
            )
        return "+".join(f"{number:.12g}" for number in numbers)


class Combine(Composite):
    """Such as `combine:of=bleu{smooth=none}+pinc,weights=0.8+0.2,scale=minmax`.

    Scaled parts are oriented so that higher is better; unscaled, the sign of a weight decides.
    """

    name = "combine"
    title = "Combination"
    summary = say(
        "A weighted sum of the scores of other metrics, unscaled or brought to a common "
        "scale over the entire campaign. Undefined if one of its parts is."
    )
    OPTIONS = (
        PartsOption(
            "of",
            "",
            say(
                "The parts: names of metrics with + between them, each with its options in braces, "
                "as in bleu{smooth=none;lowercase=yes}+pinc."
            ),
        ),
        WeightsOption(
            "weights", "equal", say("The weight of each part, with + between them, or equal.")
        ),
        Option(
            "scale",
            "none",
            say(
                "Before they are added: none leaves scores unchanged; minmax scales them to 0 to 1 "
                "and z to mean 0 and standard deviation 1 over the campaign, both reversing those "
                "for which lower is better."
            ),
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
            Addend(_spelt(*spec), _create(*spec, files), weight)
            for spec, weight in zip(specs, weights, strict=True)
        )

    @classmethod
    def in_languages(cls, options: Mapping[str, str], languages: Iterable[str]) -> dict[str, str]:
        """The same for each part that follows the texts."""
        tags = tuple(languages)
        try:
            specs = [_part(cls.name, text) for text in options.get("of", "").split("+")]
            parts = [(n, metric_class(n).in_languages(own, tags)) for n, own in specs]
        except ValueError:
            return dict(options)  # The constructor tells what is wrong.
        return {**options, "of": "+".join(_spelt(*part) for part in parts)}

    def _prepare(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        if self.options["scale"] == "none":
            return {}
        return {"scales": [self._scale(part.metric, pairs) for part in self.parts]}

    def _scale(self, metric: Metric[Any], pairs: Sequence[Pair]) -> list[str]:
        """Offset and divisor as strings: a database may change the form of a JSON number."""
        values = []
        for start in range(0, len(pairs), _BATCH):
            for score in metric.score_many(pairs[start : start + _BATCH]):
                values += [] if score.value is None else [score.value]
        if not values or min(values) == max(values):
            return ["0.0", "0.0"]
        if self.options["scale"] == "minmax":
            low, high = min(values), max(values)
            scaling = (low, high - low) if metric.higher_is_better else (high, low - high)
        else:
            mean = sum(values) / len(values)
            spread = sqrt(sum((value - mean) ** 2 for value in values) / len(values))
            scaling = (mean, spread if metric.higher_is_better else -spread)
        return [repr(number) for number in scaling]

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
        raise ValueError(
            say(
                "combine: %(n)s weights for %(parts)s parts; give one for each.",
                n=len(weights),
                parts=parts,
            )
        )
    return weights


def _create(name: str, options: dict[str, str], files: dict[str, str]) -> Metric[Any]:
    """Create one part. Files are named by options of the combination, so that a run can look them
    up: a path inside the text would let its sender read the server's disk."""
    if name == Combine.name:
        raise ValueError(say("combine: a part cannot be a combination itself; name its parts."))
    own = {option.name for option in metric_class(name).OPTIONS if isinstance(option, FileOption)}
    file_options = {option.name for option in _FILES}
    for option in sorted(own & options.keys()):
        if option in file_options:
            raise ValueError(
                say(
                    "combine: %(option)s= cannot stand inside the braces of %(name)s; write "
                    "%(again)s= beside of=, for all parts.",
                    option=option,
                    name=name,
                    again=option,
                )
            )
        raise ValueError(
            say(
                "combine: %(option)s= cannot stand inside the braces of %(name)s; score %(again)s "
                "by itself and combine its column elsewhere.",
                option=option,
                name=name,
                again=name,
            )
        )
    return create(name, {**options, **{n: path for n, path in files.items() if n in own}})
