"""N-best lists, and a model's scores beside a metric, by hand after White (2012), section 3.

"White paper" is "Shared Task Proposal: Syntactic Paraphrase Ranking".
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create
from scoring.metrics.resources.nbest import convert
from tests.scoring.metrics.nbest_lists import ORIGINAL, as_tabs


def rouge(original, paraphrase):
    return create("rouge_1").score(Pair(original, paraphrase)).value


def test_a_model_score_is_scaled_over_all_lists_and_added(by_nbest):
    # White paper: "linearly interpolating using the min and max scores across all 20-best lists".
    text = "On the mat, the cat sat."
    found = by_nbest("model_metric", text, metric="rouge_1")
    assert found.value == pytest.approx(0.8 + 1)
    assert found.detail == {
        "realisation": "on the mat the cat sat", "model": pytest.approx(0.8), "metric": 1,
        "parts": [["rouge_1", 1.0, 1.0, 1.0], ["model", pytest.approx(0.8), pytest.approx(0.8), 1]],
    }  # fmt: skip
    assert by_nbest("model_metric", "ran a dog", "a dog ran", metric="rouge_1").value == 0 + 1
    found = by_nbest("model_metric", "a dog was running", "a dog ran", metric="rouge_1")
    assert found.value == pytest.approx(1 + rouge("a dog ran", "a dog was running"))


def test_only_exact_realisations_have_a_model_score(by_nbest):
    found = by_nbest("model_metric", "on the mat the cat lay")
    assert found.reason.startswith("The paraphrase is not among the n-best realisations")
    # A realisation of another original does not count either.
    assert by_nbest("model_metric", "ran a dog").value is None


@pytest.mark.parametrize("metric", ["bleu", "rouge_1"])
def test_approximated_hter_by_hand(by_nbest, metric):
    # One of six words differs from "on the mat the cat sat", two words from the other list.
    text = "on the mat the cat lay"
    found = by_nbest("approx_hter", text, metric=metric)
    plain = create(metric).score(Pair(ORIGINAL, text)).value
    plain = plain / 100 if metric == "bleu" else plain
    assert found.value == pytest.approx(0.8 - 1 / 6 + plain)
    assert found.detail["edit_rate"] == pytest.approx(1 / 6)
    assert found.detail["alone"] is False


def test_the_nearest_realisation_counts_not_the_best_one(by_nbest):
    found = by_nbest("approx_hter", "on the mat sat the dog", metric="rouge_1")
    assert found.detail["realisation"] == "on the mat sat the cat"
    assert found.value == pytest.approx(0.5 - 1 / 6 + rouge(ORIGINAL, "on the mat sat the dog"))


def test_of_equally_near_ones_the_one_with_the_better_score(write_nbest):
    nbest_file = write_nbest(
        as_tabs([("x", "a b c", 1), ("x", "a b d", 3), ("x", "e f g", 5)]), "ties.tsv"
    )
    metric = create("approx_hter", {"nbest": str(nbest_file), "metric": "rouge_1"})
    assert metric.score(Pair("x", "a b z")).value == pytest.approx(0.5 - 1 / 3)


def test_the_edit_rate_is_divided_by_the_words_of_the_realisation(write_nbest):
    nbest_file = write_nbest(as_tabs([("x", "a b c d", 1), ("x", "p q r s t", 2)]), "lengths.tsv")
    metric = create("approx_hter", {"nbest": str(nbest_file), "metric": "rouge_1"})
    # Two words put into four: 2 / 4, not 2 / 6.
    assert metric.score(Pair("x", "a b c d e f")).detail["edit_rate"] == 0.5


def test_far_from_all_realisations_the_metric_stands_alone(by_nbest):
    # White paper: "the metric score was used alone in cases where the edit rate exceeded 0.5".
    half = by_nbest("approx_hter", "on the mat dogs run there", metric="rouge_1")
    assert half.value == pytest.approx(0.8 - 0.5 + half.detail["metric"])
    text = "on the floor dogs run there"
    far = by_nbest("approx_hter", text, metric="rouge_1")
    assert far.detail["edit_rate"] == pytest.approx(4 / 6)
    assert far.value == rouge(ORIGINAL, text)
    near = by_nbest("approx_hter", text, metric="rouge_1", max_edit_rate=0.7)
    assert near.value == pytest.approx(0.8 - 4 / 6 + rouge(ORIGINAL, text))


def test_ter_is_turned_round(by_nbest):
    # One of six words of the reference is another: TER is 1 / 6. White paper, footnote 1.
    reference = ("on the mat the dog sat",)
    found = by_nbest("model_metric", "on the mat the cat sat", references=reference, metric="ter")
    assert found.value == pytest.approx(0.8 + 1 - 1 / 6)


def test_references_are_the_metrics_and_the_list_is_the_originals(by_nbest):
    text = "on the mat the cat sat"
    references = ("on the mat dogs ran about", "on the mat the cat slept")
    found = by_nbest("model_metric", text, references=references, metric="rouge_1")
    best = create("rouge_1").score(Pair(ORIGINAL, text, references)).value
    assert found.value == pytest.approx(0.8 + best)
    original = by_nbest(
        "model_metric", text, references=references, metric="rouge_1", against="original"
    )
    assert original.value == pytest.approx(0.8 + 1)
    assert by_nbest("model_metric", text, metric="rouge_1", against="references").value is None


@pytest.mark.parametrize("name", ["model_metric", "approx_hter"])
@pytest.mark.parametrize(
    ("original", "text", "reason"),
    [
        ("a bird sang", "a bird was singing", "There is no n-best list of this original."),
        (ORIGINAL, " ", "The paraphrase has no words."),
        (ORIGINAL, "x" * 20_001, "The paraphrase has 20,001 characters"),
    ],
)
def test_without_a_list_or_words_there_is_no_score(by_nbest, name, original, text, reason):
    found = by_nbest(name, text, original)
    assert found.value is None
    assert found.reason.startswith(reason)


@given(st.text(), st.sampled_from(["bleu", "rouge_l"]))
def test_lies_within_its_range_or_says_why_not(nbest_file, text, metric):
    for name in ("model_metric", "approx_hter"):
        found = create(name, {"nbest": nbest_file, "metric": metric}).score(Pair(ORIGINAL, text))
        assert bool(found.reason) if found.value is None else -0.5 <= found.value <= 2


WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=7)


@given(WORDS, st.lists(WORDS, min_size=2, max_size=4, unique_by=tuple))
def test_edit_rates_beside_a_plain_table_of_distances(write_nbest, text, others):
    rows = [("x", " ".join(words), at) for at, words in enumerate(others)]
    nbest_file = str(write_nbest(as_tabs(rows), "random.tsv"))
    metric = create("approx_hter", {"nbest": nbest_file, "metric": "rouge_1", "max_edit_rate": 1})
    found = metric.score(Pair("x", " ".join(text)))
    assert found.detail["edit_rate"] == min(slow_edits(o, text) / len(o) for o in others)


def slow_edits(one, other):
    if not one or not other:
        return len(one) + len(other)
    row = list(range(len(other) + 1))
    for at, word in enumerate(one, 1):
        last, row = row, [at]
        for place, peer in enumerate(other, 1):
            row.append(min(last[place] + 1, row[-1] + 1, last[place - 1] + (word != peer)))
    return row[-1]


def test_lists_are_needed_and_signed_with_the_metric(write_nbest, nbest_file, tmp_path):
    with pytest.raises(ValueError, match="approx_hter: the option nbest=FILE is missing"):
        create("approx_hter")
    with pytest.raises(ValueError, match="metric=paraeval is not allowed"):
        create("approx_hter", {"nbest": nbest_file, "metric": "paraeval"})
    convert(tmp_path.joinpath(nbest_file), tmp_path / "store", progress=lambda share: None)
    texts = [
        str(create("approx_hter", {"nbest": path, "metric": metric}).signature())
        for path in (nbest_file, str(tmp_path / "store"))
        for metric in ("bleu", "rouge_1")
    ]
    assert texts[:2] == texts[2:]
    assert texts[0] != texts[1]
    assert "sacrebleu" in texts[0]
