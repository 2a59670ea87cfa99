"""P-BLEU: how alike the paraphrases of one original are."""

import csv
import json
from itertools import permutations

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from scoring.metrics import Pair, create

TEXT = st.lists(st.sampled_from("abcd"), min_size=1, max_size=7).map(" ".join)


def p_bleu(group, paraphrase=None, **options):
    text = group[0] if paraphrase is None else paraphrase
    return create("p_bleu", options).score(Pair("the original", text, ("a b",), tuple(group)))


@given(st.sets(TEXT, min_size=2, max_size=5), st.sampled_from(["exp", "floor", "add-k", "none"]))
def test_it_is_the_mean_of_sacrebleu_over_all_ordered_pairs(group, smooth):
    bleu = BLEU(smooth_method=smooth, effective_order=True)
    values = [bleu.sentence_score(one, [two]).score for one, two in permutations(group, 2)]
    ours = p_bleu(sorted(group), smooth=smooth)
    assert ours.value == pytest.approx(sum(values) / len(values), abs=1e-9)


def test_every_paraphrase_of_an_original_has_the_same_score_and_blank_ones_none():
    group = ("a b c d", "a b c e", " ")
    scores = [p_bleu(group, text) for text in group]
    assert scores[0] == scores[1] == p_bleu(group[:2])
    assert scores[0].value > 0
    assert (scores[2].value, scores[2].reason) == (None, "The paraphrase has no words.")


@pytest.mark.parametrize("group", [(), ("a b",), ("a b", " \n", "")])
def test_one_paraphrase_alone_is_undefined(group):
    score = p_bleu(group, "a b")
    assert score.value is None
    assert score.reason.startswith("Only one paraphrase of this original has words")


def test_a_huge_group_gets_a_reason_and_not_a_worker_for_hours():
    score = p_bleu(tuple(f"word {number}" for number in range(301)))
    assert score.value is None
    assert "more than 300 paraphrases" in score.reason


def test_the_score_command_groups_the_rows_of_a_file_by_their_original(tmp_path, capsys):
    path = tmp_path / "pairs.csv"
    rows = [("1", "x", "a b c d"), ("2", "y", "q"), ("3", "x", "a b c e"), ("4", "x", "a b c d")]
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([("id", "original", "paraphrase"), *rows])
    call_command("score", str(path), "--metric", "p_bleu", "--metric", "pinc", "--json")
    scores = json.loads(capsys.readouterr().out)["metrics"]["p_bleu"]["scores"]
    expected = p_bleu(("a b c d", "a b c e")).value
    assert scores == {"1": expected, "2": None, "3": expected, "4": expected}
