"""Metrics whose score over a corpus comes from summed counts, not from the scores of its texts."""

from scoring.metrics import Pair, Score
from scoring.metrics.base import NO_WORDS, NO_WORDS_TARGET, NOTHING, CorpusMetric
from scoring.metrics.values import AGAINST_ORIGINAL, add_vectors


class Same(CorpusMetric[set[str]]):
    """The share of words that the original has."""

    name = "toy_same"
    title = "Same words"
    OPTIONS = (AGAINST_ORIGINAL,)
    WORDS_AT = 1

    def _know(self, targets):
        return set(targets[0].split())

    def _statistics(self, known, paraphrase):
        words = paraphrase.split()
        return (sum(word in known for word in words), len(words)) if known else None

    def _value(self, total):
        return total[0] / total[1]


PAIRS = [Pair("a b", "a"), Pair("a b", "c d e"), Pair("a b", ""), Pair("", "a")]


def test_texts_and_the_corpus_are_scored_in_one_pass():
    metric = Same()
    scores, counts = metric.score_and_statistics(PAIRS)
    assert scores == [
        Score(1.0),
        Score(0.0),
        Score.undefined(NO_WORDS),
        Score.undefined(NO_WORDS_TARGET),
    ]
    assert counts == metric.corpus_statistics(PAIRS) == [(1, 1), (0, 3), (0, 0), None]
    # One word of four, and not the mean of one and nought.
    assert metric.corpus_value(add_vectors(counts)) == Score(0.25)


def test_a_corpus_of_nothing_is_undefined():
    metric = Same()
    assert metric.corpus_value(()) == Score.undefined(NOTHING)
    assert metric.corpus_value((0, 0)) == Score.undefined(NOTHING)
