"""Pairs, and what metrics that are made of others give for them."""

from scoring.metrics import Pair

PAIRS = [
    Pair("the cat sat on the mat", "a cat was on the mat", ("the cat sat there",)),
    Pair("a dog ran home", "dogs run home"),
    Pair("the tree is green", "the tree is green"),
    Pair("x y z", ""),
]


def prepared(metric, pairs=PAIRS):
    metric.use(metric.prepare(pairs))
    return metric


def values(metric, pairs=PAIRS):
    return [score.value for score in metric.score_many(pairs)]
