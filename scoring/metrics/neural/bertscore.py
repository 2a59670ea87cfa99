"""BERTScore with the options of the program of its authors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.neural.encoder import Encoded
from scoring.metrics.neural.metrics import DIGITS, LAYER, NOT_ABOVE_0, Neural, directions
from scoring.metrics.resources.neural_models import MODEL
from scoring.metrics.values import AGAINST, YES_NO, Option, Pair, Score, references_option

NO_WEIGHT = say("Every token of a text is in all texts compared with: none has a weight.")


@dataclass(frozen=True, slots=True)
class BaselineOption(Option):
    """`no`, or a number from 0 to below 1."""

    def read(self, metric: str, given: object) -> str:
        text = str(given).strip()
        if text == "no" or given is False:
            return "no"
        try:
            number = float(text)
        except ValueError:
            number = -1.0
        if not 0 <= number < 1:
            raise ValueError(
                say(
                    "%(metric)s: %(option)s=%(value)s is not allowed; use no or a number from 0 "
                    "to below 1.",
                    metric=metric,
                    option=self.name,
                    value=text,
                )
            )
        return f"{number:.15g}"


class BertScore(Neural):
    """F1 of BERTScore (Zhang et al. 2020, equations 1 to 3), as the program bert_score has it.

    Its tokens are matched with all of the other text, also with those that a model puts around a
    text, which have no weight of their own. Numbers of different models or layers must not be
    compared.
    """

    name = "bertscore"
    title = "BERTScore F1"
    summary = say(
        "-1 to 1, mostly 0.3 to 1: BERTScore's F1 by a model that its signature names, with "
        "weights of rare tokens and rescaling as options."
    )
    OPTIONS = (
        AGAINST,
        references_option("max", "mean"),
        MODEL,
        LAYER,
        Option(
            "idf",
            "no",
            say("Weigh tokens by how few of all texts compared with have them."),
            YES_NO,
        ),
        BaselineOption(
            "rescale",
            "no",
            say(
                "The F1 b of texts that have nothing to do with each other, by this model and "
                "layer: the score is (F1 - b) / (1 - b); no leaves it as it is."
            ),
        ),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.needs_state = self.options["idf"] == "yes"
        self._baseline = 0.0 if self.options["rescale"] == "no" else float(self.options["rescale"])
        self._idf: dict[int, float] = {}
        self._unseen = 0.0

    def prepare(self, pairs: Iterable[Pair]) -> Any:
        """With `idf`: how many of the distinct texts compared with have each token, by number."""
        if not self.needs_state:
            return None
        texts = {text for pair in pairs for text in self.targets(pair)}
        having: Counter[int] = Counter()
        for text in sorted(texts):
            having.update(set(self.encoder.cut(text)[0]))
        return {"texts": len(texts), "having": {str(one): n for one, n in sorted(having.items())}}

    def use(self, state: Any) -> None:
        super().use(state)
        if state is not None:
            self._unseen = log(state["texts"] + 1)
            self._idf = {
                int(one): self._unseen - log(number + 1) for one, number in state["having"].items()
            }

    def score_many(self, pairs: Sequence[Pair]) -> list[Score]:
        self.check_prepared()
        return super().score_many(pairs)

    def _of_pair(self, pair: Pair, encoded: Mapping[str, Encoded]) -> Score:
        candidate = encoded[pair.paraphrase]
        return self._of_several(
            [self._f1(candidate, encoded[target]) for target in self.targets(pair)]
        )

    def _f1(self, candidate: Encoded, other: Encoded) -> Score:
        if problem := self.problem(candidate, other):
            return Score.undefined(problem)
        cosines = directions(candidate.hidden) @ directions(other.hidden).T
        weights = self._weights(candidate), self._weights(other)
        if not (weights[0].any() and weights[1].any()):
            return Score.undefined(NO_WEIGHT)
        precision = float(np.average(cosines.max(axis=1), weights=weights[0]))
        recall = float(np.average(cosines.max(axis=0), weights=weights[1]))
        if min(precision, recall) <= 0:
            return Score.undefined(NOT_ABOVE_0)
        f1 = 2 * precision * recall / (precision + recall)
        return Score(round((f1 - self._baseline) / (1 - self._baseline), DIGITS))

    def _weights(self, text: Encoded) -> NDArray[np.float64]:
        """One for each token: 0 for those around the text."""
        if not self.needs_state:
            return text.words.astype(np.float64)
        rare = np.array([self._idf.get(one, self._unseen) for one in text.ids])
        return np.where(text.words, rare, 0.0)
