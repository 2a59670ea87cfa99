"""What a user may have meant by a name that does not exist."""

import pytest

from paraanno.common.texts import say
from scoring.metrics import Pair, create, names
from scoring.metrics.registry import metric_class, printed
from scoring.metrics.values import part_row, suggestions, with_suggestion


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


# Every combination shows its parts, each with the score that it has in a column of its own.


PAIR = Pair(
    "The cat sat on the mat.", "On the mat the cat sat.", ("The cat was on the mat.", "A cat sat.")
)
NBEST = (
    "original\trealisation\tscore\n"
    "The cat sat on the mat.\tOn the mat the cat sat.\t-1\n"
    "The cat sat on the mat.\tThe cat, it sat.\t-3\n"
    "The cat sat on the mat.\tThe cat sat on a mat.\t-0.5\n"
)
COMBINATIONS = {
    "approx_hter": {"metric": "ter"},
    "bleu_apem": {"lang": "en"},
    "combine": {"of": "bleu+pinc", "weights": "0.02+1"},
    "ibleu": {},
    "model_metric": {"metric": "bleu"},
}


def test_none_is_left_out():
    combinations = {name for name in names() if metric_class(name).family == "combination"}
    # A regression is no sum.
    assert combinations == {*COMBINATIONS, "pem_style"}
    shown = [*combinations, "bert_ibleu", "parascore"]  # The last two: neural/test_mixes.py.
    assert all(metric_class(name).keeps_detail for name in shown)


@pytest.mark.parametrize("name", COMBINATIONS)
def test_the_score_is_the_sum_of_the_parts_that_are_shown(name, tmp_path):
    options = dict(COMBINATIONS[name])
    if name in ("approx_hter", "model_metric"):
        options["nbest"] = str(tmp_path / "nbest.tsv")
        (tmp_path / "nbest.tsv").write_text(NBEST, "utf-8")
    found = create(name, options).score(PAIR)
    parts = found.detail["parts"]
    assert len(parts) >= 2
    assert found.value == pytest.approx(sum(weight * term for *_, term, weight in parts))
    for part, score, *_ in parts:
        if part in names():
            own = {"lang": "en"} if part == "apem" else {}
            assert score == create(part, own).score(PAIR).value


def test_far_from_all_realisations_the_metric_stands_alone(tmp_path):
    (tmp_path / "nbest.tsv").write_text(NBEST, "utf-8")
    metric = create("approx_hter", {"nbest": str(tmp_path / "nbest.tsv")})
    far = Pair(PAIR.original, "Somewhere else a dog ran home.")
    bleu = create("bleu").score(far).value
    assert metric.score(far).detail["parts"] == [part_row("bleu", bleu, bleu / 100, 1.0)]
