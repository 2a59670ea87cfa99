"""A generator's own scores beside a metric (White 2012): model + metric, approximated HTER."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from importlib.metadata import version
from typing import Any, ClassVar

from rapidfuzz.distance import Levenshtein

from paraanno.common.texts import say
from scoring.metrics.base import DecimalOption, Metric
from scoring.metrics.registry import create, metric_class
from scoring.metrics.resources.nbest import NBEST, NBest, load_nbest, nbest_sha256
from scoring.metrics.texts import FOLD, WORD_CUT, Tokens, tokens, versions
from scoring.metrics.values import AGAINST, Option, Pair, PartRow, Score, part_row

_NO_LIST = say("There is no n-best list of this original.")
_NOT_IN_LIST = say("The paraphrase is not among the n-best realisations of this original.")
METRIC = Option(
    "metric",
    "bleu",
    say(
        "The metric that is added, from 0 to 1: those up to 100 are divided by 100, and TER "
        "becomes 1 - TER."
    ),
    ("bleu", "meteor", "ter", "chrf", "rouge_1", "rouge_2", "rouge_l"),
)

Candidates = list[tuple[str, Tokens, float]]  # Realisation, its words, its model score.


class ModelScored(Metric[Any]):
    """A subclass combines a metric's score with the n-best list of the original."""

    family = "combination"
    keeps_detail = True
    longest = 20_000
    OPTIONS: ClassVar[tuple[Option, ...]] = (AGAINST, NBEST, METRIC, WORD_CUT, FOLD)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._lowercase = self.options["lowercase"] == "yes"
        self._nbest: NBest | None = None

    @cached_property
    def inner(self) -> Metric[Any]:
        """The metric that is added, with its own defaults."""
        name = self.options["metric"]
        # METEOR reads one language only, so that there is nothing to choose.
        spoken = metric_class(name).in_languages({}, metric_class(name).languages)
        return create(name, {"against": self.options["against"], **spoken})

    def reads(self) -> tuple[str, ...]:
        return self.inner.reads()

    def language_refusal(self, language: str) -> str:
        return self.inner.language_refusal(language)

    @property
    def references(self) -> str:
        return self.inner.references

    @property
    def nbest(self) -> NBest:
        """The lists, loaded lazily."""
        if self._nbest is None:
            self._nbest = load_nbest(self.options["nbest"])
        return self._nbest

    def load(self) -> None:
        self._nbest = load_nbest(self.options["nbest"])
        self.inner.load()

    def versions(self) -> dict[str, str]:
        return {**versions(self.options["tokenize"]), "metric": str(self.inner.signature())}

    def resources(self) -> dict[str, str]:
        return {"nbest": nbest_sha256(self.options["nbest"])}

    def words(self, text: str) -> Tokens:
        """The words of a text."""
        return tokens(text, self.options["tokenize"], lowercase=self._lowercase)

    def refusal(self, targets: tuple[str, ...], paraphrase: str) -> str:
        return super().refusal(targets, paraphrase) or self.inner.refusal(targets, paraphrase)

    def _know(self, targets: tuple[str, ...]) -> Any:
        return self.inner._know(targets)

    def _score(self, target: Any, paraphrase: str) -> Score:
        score = self.inner._score(target, paraphrase)
        if score.value is None:
            return score
        value = score.value / 100 if self.inner.percent else score.value
        value = value if self.inner.higher_is_better else 1 - value
        return Score(value, detail={"own": score.value})

    def _score_pair(self, pair: Pair, cache: dict[tuple[str, ...], Any]) -> Score:
        metric = super()._score_pair(pair, cache)
        if metric.value is None:
            return metric
        candidates = [
            (text, words, score)
            for text, score in self.nbest.of(pair.original)
            if (words := self.words(text))
        ]
        if not candidates:
            return Score.undefined(_NO_LIST)
        combined = self._beside(candidates, self.words(pair.paraphrase), metric.value)
        if combined.value is None:
            return combined
        own = part_row(self.inner.name, metric.detail["own"], metric.value, 1.0)
        return replace(
            combined, detail={**combined.detail, "parts": [own, *_model_parts(combined.detail)]}
        )

    @abstractmethod
    def _beside(self, candidates: Candidates, words: Tokens, metric: float) -> Score:
        """The score of a paraphrase; `candidates` has at least one, best first."""


def _model_parts(detail: Mapping[str, Any]) -> list[PartRow]:
    """The parts that come from the model: none where the metric counts alone."""
    if detail.get("alone"):
        return []
    signs = {"model": 1.0, "edit_rate": -1.0}
    return [part_row(n, detail[n], detail[n], sign) for n, sign in signs.items() if n in detail]


class ModelMetric(ModelScored):
    """score = (model score - least of all lists) / (greatest - least) + metric."""

    name = "model_metric"
    title = "Model + metric"
    summary = say(
        "0 to 2, with TER also below 0: the model's score of the paraphrase, scaled to 0 to "
        "1, plus that of a metric. Only for texts in the model's n-best lists."
    )

    def _beside(self, candidates: Candidates, words: Tokens, metric: float) -> Score:
        for text, others, model in candidates:
            if others == words:
                detail = {"realisation": text, "model": model, "metric": metric}
                return Score(model + metric, detail=detail)
        return Score.undefined(_NOT_IN_LIST)


class ApproxHter(ModelScored):
    """The formula:

        score = model score, scaled to 0 to 1, - edit rate + metric
                or, where the edit rate is above max_edit_rate, metric

    The edit rate is the minimum number of insertions, deletions and substitutions of words, divided
    by the number of words of the realisation. The nearest realisation is the one with the lowest.
    """

    name = "approx_hter"
    title = "Approximated HTER"
    summary = say(
        "-0.5 to 2, with TER also lower: a metric, plus the model's score of the realisation "
        "nearest to the paraphrase, minus the edit rate to it. Far from all realisations "
        "only the metric counts."
    )
    OPTIONS = (
        *ModelScored.OPTIONS,
        DecimalOption(
            "max_edit_rate", "0.5", say("Above this edit rate the score is the metric alone.")
        ),
    )

    def versions(self) -> dict[str, str]:
        return super().versions() | {"rapidfuzz": version("rapidfuzz")}

    def _beside(self, candidates: Candidates, words: Tokens, metric: float) -> Score:
        rates = [Levenshtein.distance(others, words) / len(others) for _, others, _ in candidates]
        rate = min(rates)
        text, _, model = candidates[rates.index(rate)]  # Of equally near ones, the best.
        detail = {"realisation": text, "edit_rate": rate, "model": model, "metric": metric}
        if rate > float(self.options["max_edit_rate"]):
            return Score(metric, detail=detail | {"alone": True})
        return Score(model - rate + metric, detail=detail | {"alone": False})
