"""What goes into a metric and what comes out: pairs, options, scores, signatures."""

from dataclasses import FrozenInstanceError

import pytest

from scoring.metrics import Pair, Score, Signature, create
from scoring.metrics.values import mean_score


@pytest.mark.parametrize("result", [Score(0.5), Pair("a", "b"), create("pinc").signature()])
def test_results_cannot_be_changed(result):
    for name in result.__slots__:
        with pytest.raises(FrozenInstanceError):
            setattr(result, name, 1)


def test_options_have_one_form_in_the_signature():
    texts = {
        str(create("bleu", {"lowercase": value}).signature())
        for value in (True, "true", "1", "yes")
    }
    assert len(texts) == 1
    assert "lowercase:yes" in texts.pop()


def test_a_signature_changes_with_everything_that_changes_a_number():
    parts = ["m", (("a", "1"),), (("file", "ff"),), "ss", (("lib", "1"),)]
    changes = ["n", (("a", "2"),), (("file", "fe"),), "st", (("lib", "2"),)]
    texts = {str(Signature(*parts)), str(Signature("m", (("a", "1|lib=1"),), *parts[2:4]))}
    texts |= {str(Signature(*parts[:at], one, *parts[at + 1 :])) for at, one in enumerate(changes)}
    assert len(texts) == 7


def test_the_order_of_options_does_not_matter():
    one = Signature("m", (("a", "1"), ("b", "2")))
    assert str(one) == str(Signature("m", (("b", "2"), ("a", "1")))) == "m|a:1|b:2"


def test_a_score_has_a_value_or_a_reason():
    for value, reason in [(None, ""), (1.0, "why"), (float("nan"), ""), (float("inf"), "")]:
        with pytest.raises(ValueError, match="A score"):
            Score(value, reason)


def test_the_mean_leaves_undefined_scores_out_and_counts_the_rest():
    scores = [Score(1.0), Score.undefined("no"), Score(2.0)]
    assert mean_score(scores) == (Score(1.5), 2)
    assert mean_score([Score.undefined("no")])[0].value is None
