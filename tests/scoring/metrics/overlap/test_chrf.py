"""chrF and chrF++ beside sacrebleu itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from scoring.metrics import Pair, create
from scoring.metrics.base import add_vectors
from scoring.metrics.overlap.simplification import syllables_of

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


# SARI beside values of EASSE, and the plain measures of a simplification.


ORIGINAL = "About 95 species are currently accepted ."
REFERENCES = (
    "About 95 species are currently known .",
    "About 95 species are now accepted .",
    "95 species are now accepted .",
)


def value(name, original, paraphrase, *references, **options):
    return create(name, options).score(Pair(original, paraphrase, references)).value


@pytest.mark.parametrize(
    ("text", "by_f", "by_precision"),
    [  # What EASSE 0.2.4 gives (corpus_sari of one text, with use_f1_for_deletion and without).
        ("About 95 you now get in .", 31.350246975246975, 26.953601953601957),
        ("About 95 species are now agreed .", 63.23743386243385, 61.70965608465608),
        ("About 95 species are currently agreed .", 46.72930933800499, 50.88681849551415),
    ],
)
def test_sari_is_that_of_easse(text, by_f, by_precision):
    assert value("sari", ORIGINAL, text, *REFERENCES) == pytest.approx(by_f, abs=1e-9)
    found = value("sari", ORIGINAL, text, *REFERENCES, deletion="precision")
    assert found == pytest.approx(by_precision, abs=1e-9)


def test_the_corpus_score_sums_counts():
    scored = create("sari")
    pairs = [
        Pair(ORIGINAL, REFERENCES[0], REFERENCES),
        Pair("a b c d e", "a b c d", ("a b c", "b c d")),
    ]
    scores, statistics = scored.score_and_statistics(pairs)
    together = scored.corpus_value(add_vectors(statistics)).value
    assert 0 < together < 100
    assert together != pytest.approx(sum(one.value for one in scores) / 2)
    assert scored.corpus_score(pairs).value == together


def test_sari_needs_references_and_words():
    assert create("sari").score(Pair("a", "b")).reason == "There is no reference."
    assert "no words" in create("sari").score(Pair("a", " ", ("b",))).reason
    assert "no words" in create("sari").score(Pair(" ", "a", ("b",))).reason
    assert create("sari").meets(0) == (False, 0) and create("sari").meets(2) == (True, 2)


def test_fkgl_by_hand():
    # Two sentences, eight words, nine syllables.
    text = "The cat sat on a mat. It was\u2019t here."
    assert value("fkgl", "x", "The cat sat on a mat. It purred.") == pytest.approx(
        0.39 * 8 / 2 + 11.8 * 8 / 8 - 15.59
    )
    assert value("fkgl", "x", text) == value("fkgl", "another", text)
    assert "no words" in create("fkgl").score(Pair("x", " . ")).reason
    # Two marks more count as words.
    assert value("fkgl", "x", "The cat sat on a mat. It purred.", count="tokens") == pytest.approx(
        0.39 * 10 / 2 + 11.8 * 8 / 10 - 15.59
    )
    assert create("fkgl").score(Pair("x", "\uace0\uc591\uc774", language="ko")).value is None


@pytest.mark.parametrize(
    ("word", "number"),
    [
        *(("the", 1), ("cat", 1), ("radio", 3), ("people", 2), ("named", 1), ("wanted", 2)),
        *(("table", 2), ("houses", 2), ("times", 1), ("nation", 2), ("rhythm", 1), (".", 0)),
        *(("states", 1), ("wishes", 2), ("7", 1)),
    ],
)
def test_syllables(word, number):
    assert syllables_of(word) == number


def test_compression_and_additions():
    assert value("compression", "abcd", "ab") == 0.5
    assert value("compression", "ab", "ab cd") == 2.5
    assert create("compression").score(Pair("ab", " ")).value is None
    assert value("additions", "a b c", "a b d d") == 0.5
    assert value("additions", "a b c d", "A b") == 0
    assert value("additions", "a b c d", "A b", lowercase="no") == 0.25
    assert create("additions").score(Pair("...", "a")).value is None


def test_lsum_matches_sentences_wherever_they_stand():
    turned = ("The cat sat. A dog lay on it.", "A dog lay on it. The cat sat.")
    assert value("rouge_lsum", *turned) == 1 > value("rouge_l", *turned)
    assert value("rouge_lsum", *turned, sentences="lines") == value("rouge_l", *turned)
    # Lin (2004), section 3.2: a union of w1 w2 and w1 w3 w5 is 4 of 5 words.
    union = value("rouge_lsum", "w1 w2 w3 w4 w5", "w1 w2 w6 w7 w8. w1 w3 w8 w9 w5", part="recall")
    assert union == pytest.approx(4 / 5)
    # A word that the text has once is matched once.
    assert value("rouge_lsum", "a. a. a", "a b", part="recall") == pytest.approx(1 / 3)
    assert create("rouge_lsum").score(Pair("a", " ")).value is None
