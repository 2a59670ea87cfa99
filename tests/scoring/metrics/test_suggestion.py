"""What a user may have meant by a name that does not exist."""

import pytest

from paraanno.common.texts import say
from scoring.metrics import names
from scoring.metrics.registry import printed
from scoring.metrics.values import suggestions, with_suggestion


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("rougeL", "rouge_l"),
        ("ROUGE-1", "rouge_1"),
        ("chrF++", "chrfpp"),
        ("chrF", "chrf"),
        ("BLEU", "bleu"),
        ("blue", "bleu"),
        ("self-bleu", "self_bleu"),
        ("meteor_score", "meteor"),
        ("BERTScore", "bertscore"),
        ("sacreBLEU", "bleu"),
    ],
)
def test_the_first_suggestion_is_what_other_programs_call_so(name, meant):
    assert suggestions(name, names())[0] == meant


def test_several_metrics_may_be_meant():
    assert suggestions("rouge", names()) == ["rouge_l", "rouge_2", "rouge_1"]


def test_nothing_is_suggested_for_a_name_like_none():
    problem = say("It is not there.")
    assert with_suggestion(problem, "xyzzy", names()) is problem
    assert suggestions("", names()) == []
    # The other name of a metric that is not among them.
    assert suggestions("sbert", ["pinc"]) == []


def test_the_suggestion_is_first_in_the_message():
    told = with_suggestion(say("It is not there."), "rougeL", names())
    assert str(told) == "Did you mean rouge_l? It is not there."


@pytest.mark.parametrize(
    ("label", "written"),
    [
        ("chrfpp", "chrF++"),
        ("rouge_l", "ROUGE-L"),
        ("bleu:against=original,lowercase=yes", "BLEU (against original, lowercase yes)"),
        ("meteor:lookup=none", "METEOR without WordNet"),
        ("meteor:alpha=0.5,lookup=none #7", "METEOR without WordNet (alpha 0.5) #7"),
        ("wmd (demo file)", "Word mover's distance (demo file)"),
        ("pinc (phrase)", "PINC (phrase)"),
        # Names that people gave stay.
        ("novelty", "novelty"),
        ("my bleu", "my bleu"),
        ("bleurt", "bleurt"),
        ("", ""),
    ],
)
def test_names_as_people_write_them(label, written):
    assert printed(label) == written
