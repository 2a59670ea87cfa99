"""Metrics that are made for a language read texts in it alone."""

import pytest

from scoring.metrics import Pair, create, from_spec
from scoring.metrics.languages import language_problem, same_language

ENGLISH = ("The tree is old.", "An old tree")


def test_a_text_in_another_language_has_no_score_and_says_why():
    metric = from_spec("apem", ["en"])
    assert metric.options["lang"] == "en" and metric.reads() == ("en",)
    assert metric.score(Pair(*ENGLISH, language="en-GB")).value == 1
    assert metric.score(Pair(*ENGLISH)).value == 1  # Unknown: taken to be in the one named.
    other = metric.score(Pair(*ENGLISH, language="ko"))
    assert (other.value, other.reason) == (None, "The text is in ko, and apem reads en here.")


@pytest.mark.parametrize(
    "spec", ["bleu:tokenize=ko", "rouge_1:stem=porter", "chrf", "self_bleu:tokenize=zh"]
)
def test_options_that_are_made_for_a_language_bind_it(spec):
    metric = from_spec(spec)
    score = metric.score_and_statistics([Pair(*ENGLISH, group=ENGLISH[1:], language="fr")])[0][0]
    assert (score.value is None) == bool(metric.reads())
    assert bool(metric.reads()) == (spec != "chrf")
    if metric.reads():
        assert "The text is in fr" in score.reason


def test_a_metric_is_told_the_language_or_asks_for_it():
    for spec in ("apem", "bleu_apem", "combine:of=bleu+apem"):
        metric = from_spec(spec, ["ko-KR", "ko"])
        assert metric.reads() == ("ko",) and not metric.undecided and metric.queue == "korean"
        with pytest.raises(ValueError, match="needs the language of the texts, which is unknown"):
            from_spec(spec, [""])
        with pytest.raises(ValueError, match="must be told which language it reads.*lang=ko"):
            from_spec(spec, ["en", "ko"])
        assert "needs the language" in from_spec(spec).score(Pair(*ENGLISH)).reason
    assert from_spec("combine:of=bleu+apem{lang=en}", [""]).reads() == ("en",)
    assert from_spec("apem:lang=ko", ["en", "ko"]).reads() == ("ko",)
    with pytest.raises(ValueError, match="apem reads texts in ko here, and the texts are in en"):
        from_spec("apem:lang=ko", ["en"])
    assert language_problem(create("bleu"), [""]) == language_problem(create("bleu"), ["xx"]) == ""


def test_variants_belong_to_their_language():
    assert same_language("pt", "pt-BR") and same_language("zh", "yue")
    assert not same_language("ko", "kok") and not same_language("en", "")
