"""Korean morphemes and English content words, and the tokenizer `ko`."""

import lzma
import math
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from simplemma import lemmatize

from scoring.metrics import Pair, create
from scoring.metrics.texts import content_words as english
from scoring.metrics.texts.content_words import (
    CORRECTIONS,
    FUNCTION_WORDS,
    content_words,
)
from scoring.metrics.texts.tokenizers import (
    LONGEST_KEPT,
    _opened,
    load,
    meaningful,
    morphemes,
    ngram_counts,
    stem,
    stem_versions,
    tokenizer,
    tokens,
    word_spans,
    words,
)
from tools.lemmas import packed

U2 = "U2가 콘서트를 개최한 국가는 어디입니까?"


def units(text, segmentation="merged", auxiliaries="keep"):
    return " ".join(meaningful(text, segmentation=segmentation, auxiliaries=auxiliaries))


@pytest.mark.parametrize(
    ("text", "raw", "merged"),
    [
        (U2, "u 2 콘서트 개최 하 국가 어디 이", "u2 콘서트 개최하 국가 어디 이"),
        ("iPhone13을 샀다.", "iphone 13 사", "iphone13 사"),
        ("U 2와 COVID-19", "u 2 covid 19", "u 2 covid 19"),  # A blank or a mark parts them.
        ("깨끗하게 공부했다", "깨끗 하 공부 하", "깨끗하 공부하"),
        ("공부를 했다", "공부 하", "공부 하"),  # A particle parts them: a verb of its own.
        ("학생들이", "학생 들", "학생 들"),
        ("שלום 🙂 50%!", "שלום 🙂 50", "שלום 🙂 50"),
        ("\u200fשלום\u200e\x00", "שלום", "שלום"),
        ("\ud800국가\udfff", "국가", "국가"),
        ("... ?!", "", ""),
        ("  \n", "", ""),
    ],
)
def test_what_carries_meaning(text, raw, merged):
    assert units(text, "raw") == raw
    assert units(text) == merged


@pytest.mark.parametrize(
    ("text", "kept", "dropped"),
    [
        ("나는 학생이다", "나 학생 이", "나 학생"),
        ("먹어 보았다", "먹 보", "먹"),
        ("가지 않는다", "가 않", "가"),
        ("학생이 아니다", "학생 아니", "학생 아니"),  # The negative copula is no auxiliary.
    ],
)
def test_auxiliaries(text, kept, dropped):
    assert units(text) == kept
    assert units(text, auxiliaries="drop") == dropped


def test_raw_units_are_the_analysers_without_endings_particles_and_marks():
    kiwi = _opened(os.getpid())
    for text in (U2, "어떤 나라에서 U2가 공연을 하였는지 알려 주세요.", "그는 3.5km를 걸었다!"):
        plain = [
            token.form.lower()
            for token in kiwi.tokenize(text)
            if token.tag[0] not in "EJ" and (token.tag[0] != "S" or token.tag in "SL SH SN")
        ]
        assert units(text, "raw").split() == plain


def test_a_text_is_analysed_once_and_a_long_one_not_kept():
    assert morphemes(U2) is morphemes(U2)
    long = U2 * (LONGEST_KEPT // len(U2) + 1)
    assert morphemes(long) is not morphemes(long)


def test_threads_get_what_one_alone_gets():
    texts = [f"{U2} {n}" for n in range(60)]
    alone = [units(text) for text in texts]

    def work(blanks):  # Not from the cache.
        return [units(text + " " * blanks) for text in texts]

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, (1, 2, 3))) == [alone] * 3


@pytest.mark.slow
def test_a_process_that_was_forked_off_opens_an_analyser_of_its_own():
    before = units(U2)
    child = os.fork()
    if child == 0:
        try:
            opened = _opened.cache_info().misses
            same = units(U2 + " ") == before
            os._exit(0 if same and _opened.cache_info().misses == opened + 1 else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_tokenizer_counts_morphemes_and_signs_its_library():
    assert tokens(U2, "ko", lowercase=True)[:5] == ("u", "2", "가", "콘서트", "를")
    metric = create("bleu", {"tokenize": "ko"})
    # Another particle leaves the noun; of words cut at white space nothing is left.
    pair = Pair("학생이", "학생은")
    assert create("bleu", {"smooth": "none"}).score(pair).value == 0
    unigrams = create("bleu", {"tokenize": "ko", "smooth": "floor"}).score(pair).value
    assert unigrams == pytest.approx(100 * math.sqrt(1 / 2 * 0.1 / 1))
    assert "kiwipiepy=" in str(metric.signature())
    assert metric.queue == "korean"
    assert create("bleu").queue == ""


def test_without_its_extra_nothing_is_cut_or_signed(monkeypatch):
    monkeypatch.setitem(sys.modules, "kiwipiepy", None)
    _opened.cache_clear()
    for call in (load, create("bleu", {"tokenize": "ko"}).signature):
        with pytest.raises(ValueError, match="extra korean is not installed"):
            call()


# Our 13a beside sacrebleu's, and what is kept of a text.


PIECES = ["a", "B", "19", "é", "고", " ", ".", ",", "-", "..", ".5", "&quot;", "&amp;", "<skipped>"]

MARKS = [*"!\"#$%&'()*+/:;<=>?@[\\]^_`{|}~", "-\n", "\n", "\t", "\u00a0", "٣"]

TEXTS = st.lists(st.sampled_from(PIECES + MARKS), max_size=12).map("".join)


@given(TEXTS | st.text())
@example("It costs $5.20, not 5,20... (U.S., 1990-91)!")
def test_13a_cuts_as_sacrebleu(text):
    theirs = Tokenizer13a()(text.rstrip()).split()
    assert tokenizer("13a", lowercase=False)(text) == theirs


def test_an_unknown_tokenizer_names_the_known_ones():
    with pytest.raises(ValueError, match="tokenize=word is not allowed; use 13a, intl"):
        tokenizer("word", lowercase=False)


@pytest.mark.parametrize("cut", ["char", "zh"])
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rouge_1", 3 / 4),
        ("rouge_2", 1 / 3),
        ("rouge_l", 3 / 4),
        ("bleu_1max", 3 / 4),
        ("jaccard", 3 / 5),
        ("edit_similarity", 3 / 4),
        ("length_ratio", 1),
    ],
)
def test_words_without_blanks_are_compared_by_character(name, expected, cut):
    """我要借钱 and 我想借钱: three of four characters, of which two stand side by side."""
    pair = Pair("我要借钱", "我想借钱", ())
    assert create(name, {"tokenize": cut}).score(pair).value == pytest.approx(expected)


# Counting n-grams.


def test_counts_of_all_orders_up_to_the_greatest():
    counts = ngram_counts(["a", "b", "a", "b"], 2)
    assert counts == {("a",): 2, ("b",): 2, ("a", "b"): 2, ("b", "a"): 1}


# The tokens of texts, kept for a while so that metrics share them.


def test_a_text_is_cut_once_and_a_long_one_not_kept():
    text = "the cat sat on the mat"
    assert tokens(text, "13a", lowercase=False) is tokens(text, "13a", lowercase=False)
    assert tokens("The cat", "13a", lowercase=True) != tokens("The cat", "13a", lowercase=False)
    long = "word " * (LONGEST_KEPT // 4)
    assert tokens(long, "13a", lowercase=False) is not tokens(long, "13a", lowercase=False)


# Cutting texts of any script into words.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat sat.", ["The", "cat", "sat"]),
        ("don't 'quote' dogs' rock’n’roll", ["don't", "quote", "dogs", "rock'n'roll"]),
        ("well-known U2 3.5 a_b", ["well", "known", "U2", "3", "5", "a", "b"]),
        ("콘서트를 개최한 국가는 어디입니까?", ["콘서트를", "개최한", "국가는", "어디입니까"]),
        ("हिन्दी में", ["हिन्दी", "में"]),  # Vowel signs belong to the word.
        ("مرحبا، 🙂 cafe\u0301", ["مرحبا", "cafe\u0301"]),
        ("' ’ ''", []),
        ("", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


def test_as_a_tokenizer():
    assert tokenizer("words", lowercase=True)("The CAT's.") == ["the", "cat's"]
    assert tokenizer("words", lowercase=False)("The CAT.") == ["The", "CAT"]


@given(st.text(alphabet=st.sampled_from("ab é콘'’-. \n\u2028\x1f3") | st.characters()))
def test_spans_are_where_the_words_are(text):
    found = [text[a:b].replace("’", "'") for a, b in word_spans(text)]
    assert found == words(text)


# English words that carry meaning, each by its lemma.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What nations have U2 held concerts in?", "nation u2 hold concert"),
        ("I can't play; he won't. They cannot, don’t!", "not play not not not"),
        ("It's Bob's, isn't it?", "bob not"),
        ("I do n't care , n't", "not care not"),
        ("Mandela's cats' 3.5%", "mandela cat 3 5"),
        ("Boeing flew to Beijing", "boeing fly beijing"),
        ("no one never without", "no one never without"),
        ("café 국가 שלום 🙂", "café 국가 שלום"),
        ("\ud800 a", ""),
        ("", ""),
    ],
)
def test_english_words_that_carry_meaning(text, words):
    assert " ".join(content_words(text)) == words


def test_forms_of_one_verb_have_one_lemma():
    """simplemma alone makes playe of playing, thinke of thinking, singe of singing."""
    for forms in (
        "play plays played playing",
        "think thinks thought thinking",
        "sing sings singing",
        "sit sits sat sitting",
        "mix mixes mixed mixing",
        "hope hopes hoped hoping",
        "walk walked walking",
        "grow grows grew growing",
        "write writes wrote writing",
    ):
        first, *others = forms.split()
        wrong = [form for form in others if content_words(form) != (first,)]
        assert wrong in ([], ["thought"]), forms  # A noun too, which simplemma takes it for.


def test_every_correction_is_needed():
    assert [form for form, lemma in CORRECTIONS.items() if english.lemma_of(form) == lemma] == []
    assert not FUNCTION_WORDS & set(CORRECTIONS.values())


def test_lemmas_are_those_of_simplemma():
    assert version("simplemma") == english.VERSION
    assert lzma.decompress(english.TABLE.read_bytes()) == lzma.decompress(packed())
    random.seed(1)
    words = list(english._table())
    endings = [
        "",
        "s",
        "cies",
        "ized",
        "erves",
        "isms",
        "'s",
        "n't",
        "n't've",
        "'d've'll",
        "\u02bcs",
    ]
    made = [word + random.choice(endings) for word in random.sample(words, 20_000)]
    made += [
        "can't",
        "caf\u00e9's",
        "\u0131s",
        "\u0131t's",
        "\u02bc",
        "cafe\u0301s",
        "\u2155",
    ]
    wrong = [
        word for word in made if english.lemma_of(word).lower() != lemmatize(word, "en").lower()
    ]
    assert wrong == []


# The Porter stems of English words (Porter 1980), by nltk.


@pytest.mark.parametrize(
    ("word", "its_stem"),
    [("caresses", "caress"), ("ponies", "poni"), ("relational", "relat"), ("hopping", "hop")],
)
def test_examples_of_the_paper(word, its_stem):
    assert stem(word) == its_stem


def test_the_library_is_named():
    assert stem_versions() == {"nltk": version("nltk")}
