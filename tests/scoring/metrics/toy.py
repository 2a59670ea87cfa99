"""Metrics of the tests: one that needs the whole campaign first, one that fails on some texts."""

from scoring.metrics import Metric, Option, Score
from scoring.metrics.values import AGAINST_ORIGINAL


class Share(Metric[str]):
    """Length of the paraphrase by the total length of all; no mean makes sense before that."""

    name = "toy_share"
    title = "Share of length"
    needs_state = True
    higher_is_better = False
    OPTIONS = (AGAINST_ORIGINAL,)

    def prepare(self, pairs):
        return {"total": sum(len(pair.paraphrase) for pair in pairs)}

    def _know(self, targets):
        return targets[0]

    def _score(self, known, paraphrase):
        if not self.state["total"]:
            return Score.undefined("All texts are empty.")
        return Score(len(paraphrase) / self.state["total"])


class Poison(Metric[str]):
    """Length of the paraphrase; a text that holds the word `poison` breaks it."""

    name = "toy_poison"
    title = "Breaks on poison"
    OPTIONS = (
        AGAINST_ORIGINAL,
        Option("times", "1", "Factor.", least=1, most=9),
    )

    def _know(self, targets):
        return targets[0]

    def _score(self, known, paraphrase):
        if "poison" in paraphrase:
            raise RuntimeError("poisoned text")
        return Score(float(len(paraphrase) * int(self.options["times"])))


not_a_metric = "text"
