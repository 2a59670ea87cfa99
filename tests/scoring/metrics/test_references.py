"""What texts were compared with, and the refusal of a mixture that nobody asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, Score, create, names
from scoring.metrics.base import NO_WORDS, NO_WORDS_TARGET, NOTHING, CorpusMetric
from scoring.metrics.combination.combine import Composite
from scoring.metrics.values import AGAINST_ORIGINAL, Met, add_vectors, reference_counts

ORIGINAL, TEXT = "the original text", "the cat sat on the mat"
REFERENCES = ("one reference", "another reference", "a third one")


def free_metrics():
    """Every metric that needs no file and compares itself, with every value of `against` that it
    takes."""
    for name in names():
        try:
            metric = create(name)
        except ValueError:
            continue
        if isinstance(metric, Composite):  # Its parts compare.
            continue
        values = next((one.values for one in metric.OPTIONS if one.name == "against"), ("",))
        yield from ((name, value) for value in values)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "against"), list(free_metrics()))
@given(numbers=st.lists(st.integers(0, 3), min_size=1, max_size=8))
def test_what_is_counted_is_what_is_compared_with(name, against, numbers):
    metric = create(name, {"against": against} if against else {})
    pairs = [Pair(ORIGINAL, TEXT, REFERENCES[:number]) for number in numbers]
    counts = reference_counts(pairs)
    mixed = 0 in numbers and any(numbers)
    if against == "auto" and mixed:
        with pytest.raises(ValueError, match=f"and {numbers.count(0)} have none"):
            metric.met(counts)
        return
    targets = [set(metric.targets(pair)) for pair in pairs]
    read = [len(one & set(REFERENCES)) for one in targets]
    several = [number for number in read if number]
    assert metric.met(counts) == Met(
        original=sum(ORIGINAL in one for one in targets),
        references=len(several),
        neither=sum(ORIGINAL not in one and not n for one, n in zip(targets, read, strict=True)),
        least=min(several, default=0),
        most=max(several, default=0),
    )


def test_half_of_the_references_gone_give_no_corpus_score_unless_a_mixture_is_asked_for():
    """The number of before was that of neither the references nor the original."""
    pairs = [Pair("a b c d e", "a b c d x", ("v a b c q",)), Pair("v w x y z", "v w x y e")]
    with pytest.raises(
        ValueError, match=r"^bleu: 1 texts have references and 1 have none, .*mixed"
    ):
        create("bleu").corpus_score(pairs)
    asked = {
        kind: create("bleu", {"against": kind}) for kind in ("mixed", "original", "references")
    }
    scores = {kind: metric.corpus_score(pairs).value for kind, metric in asked.items()}
    assert len(set(scores.values())) == 3
    signed = {kind: str(metric.met(reference_counts(pairs))) for kind, metric in asked.items()}
    assert signed == {
        "mixed": "nrefs:1|met_original:1|met_references:1",
        "original": "nrefs:0|met_original:2|met_references:0",
        "references": "nrefs:1|met_original:0|met_references:1|met_neither:1",
    }
    for each in (pairs[:1], pairs[1:]):
        assert create("bleu").corpus_score(each) == asked["mixed"].corpus_score(each)


def test_a_sum_meets_what_its_parts_meet():
    counts = {1: 2, 3: 1}
    assert str(create("combine", {"of": "bleu+pinc"}).met(counts)) == (
        "nrefs:1-3|met_original:3|met_references:3"
    )
    with pytest.raises(ValueError, match=r"combine: 3 texts have"):
        create("combine", {"of": "bleu+pinc"}).met({**counts, 0: 4})
    asked = create("combine", {"of": "bleu{against=mixed}+bleu{against=references;smooth=none}"})
    assert asked.met({**counts, 0: 4}) == Met(original=4, references=3, least=1, most=3)
    assert create("bleu_apem").is_auto() and not create("apem").is_auto()


# Metrics whose score over a corpus comes from summed counts, not from the scores of its texts.


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
