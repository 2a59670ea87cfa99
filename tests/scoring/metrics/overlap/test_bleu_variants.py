"""Self-BLEU and iBLEU beside sums made of sacrebleu's own scores."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from scoring.metrics import Pair, create

TEXT = st.lists(st.sampled_from(["a", "b", "c", "D", "d", "."]), min_size=1, max_size=9).map(
    " ".join
)


def sentence(text, references):
    return BLEU(effective_order=True).sentence_score(text, list(references)).score


def ibleu(original, paraphrase, references, **options):
    return create("ibleu", options).score(Pair(original, paraphrase, tuple(references)))


@given(TEXT, TEXT, TEXT)
def test_self_bleu_is_bleu_against_the_original_whatever_the_references(original, text, reference):
    score = create("self_bleu").score(Pair(original, text, (reference,)))
    assert score.value == pytest.approx(sentence(text, [original]), abs=1e-9)


def test_self_bleu_of_a_copy_is_100_and_worst():
    metric = create("self_bleu")
    assert metric.score(Pair("a b", "a b")).value == pytest.approx(100)
    assert metric.higher_is_better is False
    with pytest.raises(ValueError, match="against=references is not allowed"):
        create("self_bleu", {"against": "references"})


@given(TEXT, TEXT, st.lists(TEXT, min_size=1, max_size=3), st.sampled_from([0, 0.25, 0.8, 0.9, 1]))
def test_ibleu_is_the_weighted_difference(original, text, references, alpha):
    expected = alpha * sentence(text, references) - (1 - alpha) * sentence(text, [original])
    assert ibleu(original, text, references, alpha=alpha).value == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=5))
def test_ibleu_of_a_system_is_made_of_two_corpus_scores(rows):
    originals, texts, references = zip(*rows, strict=True)
    bleu = BLEU(effective_order=True)
    near = bleu.corpus_score(texts, [references]).score
    copied = bleu.corpus_score(texts, [originals]).score
    pairs = [Pair(original, text, (ref,)) for original, text, ref in rows]
    ours = create("ibleu").corpus_score(pairs)
    assert ours.value == pytest.approx(0.9 * near - 0.1 * copied, abs=1e-9)


@pytest.mark.parametrize(
    ("original", "text", "references", "reason"),
    [
        ("a b", "a b", (), "There is no reference."),
        ("a", "a b", (" ",), "The text compared with has no words."),
    ],
)
def test_ibleu_is_undefined_with_a_reason(original, text, references, reason):
    score = ibleu(original, text, references)
    assert (score.value, score.reason) == (None, reason)


def test_a_pair_without_a_reference_is_left_out_of_the_ibleu_of_a_system():
    pairs = [Pair("a b", "a c", ("a c",)), Pair("a b", "a b")]
    assert create("ibleu").corpus_score(pairs) == create("ibleu").corpus_score(pairs[:1])
    assert create("ibleu").corpus_score(pairs[1:]).value is None


@pytest.mark.parametrize("alpha", ["-0.1", "1.1", "x", "nan"])
def test_a_weight_outside_0_to_1_is_refused(alpha):
    with pytest.raises(ValueError, match="use a number from 0 to 1"):
        create("ibleu", {"alpha": alpha})
