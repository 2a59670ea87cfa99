"""Metrics that only tests know: of a group, with detail, of a queue of its own, and cruel ones."""

import os
import signal
import time

from scoring.metrics.base import Metric
from scoring.metrics.values import AGAINST_ORIGINAL, Score


class Toy(Metric[str]):
    """The length of the paraphrase."""

    title = "Toy"
    OPTIONS = (AGAINST_ORIGINAL,)

    def _know(self, targets):
        return targets[0]

    def _score(self, known, paraphrase):
        return Score(float(len(paraphrase)))


class Grouped(Toy):
    """How many different paraphrases the original has."""

    name = "toy-grouped"
    grouped = True

    def _score_pair(self, pair, known):
        return Score(float(len(pair.group)))


class Telling(Toy):
    """Tells how it came to the number."""

    name = "toy-telling"
    keeps_detail = True

    def _score(self, known, paraphrase):
        told = {"tiers": [{"words": ["a", "b"], "at": [0, 1]}], "matched_words": 3}
        return Score(1.0, detail=told)


class Untellable(Toy):
    """Its detail is no JSON for one text."""

    name = "toy-untellable"
    keeps_detail = True

    def _score(self, known, paraphrase):
        return Score(1.0, detail={"not JSON": float("nan")} if "poison" in paraphrase else {"n": 1})


class Quoting(Toy):
    """Says the paraphrase again: in its detail, or as the reason for having no number."""

    name = "toy-quoting"
    keeps_detail = True

    def _score(self, known, paraphrase):
        if len(paraphrase) % 2:
            return Score.undefined(paraphrase)
        return Score(len(paraphrase) / 10, detail={"said": [paraphrase, None]})


class Korean(Toy):
    """Needs a worker of its own."""

    name = "toy-korean"
    queue = "korean"


class Deadly(Toy):
    """Ends its process with every text that says so, as a crash in a library does."""

    name = "toy-deadly"

    def _score(self, known, paraphrase):
        if "poison" in paraphrase:
            os.kill(os.getpid(), signal.SIGKILL)
        return super()._score(known, paraphrase)


class Slow(Toy):
    """Takes its time, so that something can happen meanwhile."""

    name = "toy-slow"
    chunk_size = 20

    def _score(self, known, paraphrase):
        time.sleep(0.005)
        return super()._score(known, paraphrase)
