"""chrF and chrF++ beside sacrebleu itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from scoring.metrics import Pair, create

WORD = st.sampled_from(
    ["the", "The", "cat", "cats", "a", ".", "(hi)", "it's", "고양이", "고양이가"]
)
TEXT = st.lists(WORD, min_size=1, max_size=8).map(" ".join)
OPTIONS = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 8),
        "word_order": st.integers(0, 3),
        "beta": st.integers(1, 3),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    }
)


def chrf(text, references, metric="chrf", **options):
    return create(metric, options).score(Pair("the original", text, tuple(references)))


@given(TEXT, st.lists(TEXT, min_size=1, max_size=3), OPTIONS)
def test_a_text_scores_as_in_sacrebleu(text, references, options):
    expected = CHRF(**options).sentence_score(text, references).score
    assert chrf(text, references, **options).value == pytest.approx(expected, abs=1e-9)


@given(st.text(min_size=1), st.text(min_size=1), OPTIONS)
def test_so_do_texts_of_any_characters(text, reference, options):
    score = chrf(text, [reference], **options)
    if text.split() and reference.split():
        expected = CHRF(**options).sentence_score(text, [reference]).score
        assert score.value == pytest.approx(expected, abs=1e-9)
    else:
        assert score.value is None


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=6), OPTIONS)
def test_a_system_scores_as_a_corpus_in_sacrebleu(rows, options):
    texts, ones, twos = zip(*rows, strict=True)
    pairs = [Pair("x", text, (one, two)) for text, one, two in rows]
    ours = create("chrf", options).corpus_score(pairs).value
    assert ours == pytest.approx(CHRF(**options).corpus_score(texts, [ones, twos]).score, abs=1e-9)


@given(TEXT, TEXT)
def test_chrfpp_is_chrf_with_words_up_to_two(text, reference):
    assert chrf(text, [reference], "chrfpp") == chrf(text, [reference], word_order=2)
    expected = CHRF(word_order=2).sentence_score(text, [reference]).score
    assert chrf(text, [reference], "chrfpp").value == pytest.approx(expected, abs=1e-9)


def test_chrfpp_has_a_fixed_word_order():
    with pytest.raises(ValueError, match="unknown option word_order"):
        create("chrfpp", {"word_order": "1"})


def test_a_blank_paraphrase_in_a_corpus_costs_recall():
    pairs = [Pair("abc", "abc"), Pair("abc", "")]
    expected = CHRF().corpus_score(["abc", ""], [["abc", "abc"]]).score
    assert create("chrf").corpus_score(pairs).value == pytest.approx(expected)
    assert expected < 100
    assert create("chrf").corpus_score([Pair("a", "")]).value is None
