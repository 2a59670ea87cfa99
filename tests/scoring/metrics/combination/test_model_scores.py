"""N-best lists, and a model's scores beside a metric, by hand after White (2012), section 3.

"White paper" is "Shared Task Proposal: Syntactic Paraphrase Ranking".
"""

import pytest

from scoring.metrics import Pair, create
from scoring.metrics.combination.model_scores import convert
from tests.scoring.metrics.nbest_lists import ORIGINAL, as_tabs


def rouge(original, paraphrase, references=()):
    return create("rouge_1").score(Pair(original, paraphrase, references)).value


def test_a_model_score_is_scaled_over_all_lists_and_added(by_nbest):
    # White paper: "linearly interpolating using the min and max scores across all 20-best lists".
    text = "On the mat, the cat sat."
    found = by_nbest("model_metric", text, metric="rouge_1")
    assert found.value == pytest.approx(0.8 + 1)
    assert found.detail == {
        "realisation": "on the mat the cat sat",
        "model": pytest.approx(0.8),
        "metric": 1,
        "parts": [["rouge_1", 1.0, 1.0, 1.0], ["model", pytest.approx(0.8), pytest.approx(0.8), 1]],
    }


FIRST, NEAR = "on the mat the cat sat", "on the mat sat the dog"
HALF, FAR = "on the mat dogs run there", "on the floor dogs run there"
RUNNING, DOG = "a dog was running", {"references": ("on the mat the dog sat",)}
TWO = {"references": ("on the mat dogs ran about", "on the mat the cat slept")}


@pytest.mark.parametrize(
    ("name", "text", "original", "options", "value"),
    [
        ("model_metric", "ran a dog", "a dog ran", {}, 0 + 1),
        ("model_metric", RUNNING, "a dog ran", {}, 1 + rouge("a dog ran", RUNNING)),
        # The nearest realisation counts, not the best one.
        ("approx_hter", NEAR, ORIGINAL, {}, 0.5 - 1 / 6 + rouge(ORIGINAL, NEAR)),
        # White paper: "the metric score was used alone in cases where the edit rate exceeded 0.5".
        ("approx_hter", HALF, ORIGINAL, {}, 0.8 - 0.5 + rouge(ORIGINAL, HALF)),
        ("approx_hter", FAR, ORIGINAL, {}, rouge(ORIGINAL, FAR)),
        ("approx_hter", FAR, ORIGINAL, {"max_edit_rate": 0.7}, 0.8 - 4 / 6 + rouge(ORIGINAL, FAR)),
        # One of six words of the reference is another: TER is 1 / 6, turned round (footnote 1).
        ("model_metric", FIRST, ORIGINAL, {**DOG, "metric": "ter"}, 0.8 + 1 - 1 / 6),
        # References are the metric's, and the list is the original's.
        ("model_metric", FIRST, ORIGINAL, TWO, 0.8 + rouge(ORIGINAL, FIRST, TWO["references"])),
        ("model_metric", FIRST, ORIGINAL, {**TWO, "against": "original"}, 0.8 + 1),
        ("model_metric", FIRST, ORIGINAL, {"against": "references"}, None),
    ],
)
def test_worked_by_hand(by_nbest, name, text, original, options, value):
    found = by_nbest(name, text, original, **{"metric": "rouge_1", **options})
    assert found.value == pytest.approx(value)


@pytest.mark.parametrize(
    ("rows", "text", "edit_rate", "value"),
    [
        # Of equally near ones the one with the better score.
        ([("x", "a b c", 1), ("x", "a b d", 3), ("x", "e f g", 5)], "a b z", 1 / 3, 0.5 - 1 / 3),
        # Two words put into four: 2 / 4, not 2 / 6.
        ([("x", "a b c d", 1), ("x", "p q r s t", 2)], "a b c d e f", 0.5, 0 - 0.5),
    ],
)
def test_the_nearest_of_a_list(write_nbest, rows, text, edit_rate, value):
    nbest_file = write_nbest(as_tabs(rows), "nearest.tsv")
    metric = create("approx_hter", {"nbest": str(nbest_file), "metric": "rouge_1"})
    found = metric.score(Pair("x", text))
    assert found.detail["edit_rate"] == pytest.approx(edit_rate)
    assert found.value == pytest.approx(value)


def test_only_exact_realisations_have_a_model_score(by_nbest):
    found = by_nbest("model_metric", "on the mat the cat lay")
    assert found.reason.startswith("The paraphrase is not among the n-best realisations")
    # A realisation of another original does not count either.
    assert by_nbest("model_metric", "ran a dog").value is None


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


def test_lists_are_signed_with_the_metric(nbest_file, tmp_path):
    with pytest.raises(ValueError, match="metric=paraeval is not allowed"):
        create("approx_hter", {"nbest": nbest_file, "metric": "paraeval"})
    convert(tmp_path.joinpath(nbest_file), tmp_path / "store", progress=print)
    texts = [
        str(create("approx_hter", {"nbest": path, "metric": metric}).signature())
        for path in (nbest_file, str(tmp_path / "store"))
        for metric in ("bleu", "rouge_1")
    ]
    assert texts[:2] == texts[2:]
    assert texts[0] != texts[1]
    assert "sacrebleu" in texts[0]
