"""Metrics that are weighted sums of other metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from paraanno.common.texts import say
from scoring.metrics.base import DecimalOption, Metric
from scoring.metrics.files import NONE, FileOption
from scoring.metrics.phrases.apem_sdgd import ApemSdgd
from scoring.metrics.registry import create, metric_class
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
