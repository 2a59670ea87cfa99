"""Several references, what is compared at all, and texts too long to be compared."""

import pytest

from scoring.metrics import Pair, create

TEXT = "the cat sat on the mat"
NEAR, FAR = "the cat sat on a mat", "there the cat lay on the mat"


def value(metric, texts, **options):
    return create(metric, options).score(Pair("the original", TEXT, texts)).value


def test_max_and_mean_are_over_the_scores_against_each_reference():
    alone = [value("bleu", (reference,)) for reference in (NEAR, FAR)]
    assert value("bleu", (NEAR, FAR), references="max") == max(alone)
    assert value("bleu", (NEAR, FAR), references="mean") == pytest.approx(sum(alone) / 2)
    assert value("bleu", (NEAR, FAR), references="multi") > max(alone)


def test_a_reference_that_cannot_be_compared_with_is_left_out():
    assert value("bleu", (NEAR, "\u200b \n"), references="mean") is not None
    assert value("bleu", (" ", NEAR), references="mean") == value("bleu", (NEAR,))
    score = create("bleu", {"references": "max"}).score(Pair("x", TEXT, (" ", "\n")))
    assert (score.value, score.reason) == (None, "The text compared with has no words.")


def test_systems_then_have_the_mean_of_their_texts():
    metric = create("bleu", {"references": "max"})
    assert (create("bleu").system_kind, metric.system_kind) == ("corpus", "mean")
    assert metric.signature() != create("bleu").signature()


def test_both_puts_the_original_among_the_references():
    metric = create("bleu", {"against": "both", "references": "max"})
    assert metric.score(Pair(TEXT, TEXT, (FAR,))).value == pytest.approx(100)


@pytest.mark.parametrize(
    ("original", "paraphrase", "start"),
    [
        ("x" * 100_001, "a", "The text compared with has 100,001 characters: bleu compares"),
        ("a", "x" * 10_000_000, "The paraphrase has 10,000,000 characters: bleu compares at most"),
    ],
)
def test_a_text_longer_than_any_sentence_gets_no_score_but_a_reason(original, paraphrase, start):
    metric = create("bleu")
    pairs = [Pair(original, paraphrase), Pair("a b", "a b")]
    score, other = metric.score_many(pairs)
    assert score.value is None
    assert score.reason.startswith(start)
    assert other.value == pytest.approx(100)
    assert metric.corpus_score(pairs).value == pytest.approx(100)
