"""Metrics of the tests: one that needs the whole campaign first, one that fails on some texts."""

from scoring.metrics import Metric, Score
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


not_a_metric = "text"
