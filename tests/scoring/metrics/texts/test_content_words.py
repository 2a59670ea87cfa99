"""English words that carry meaning, each by its lemma."""

import lzma
import random
from importlib.metadata import version

import pytest
from simplemma import lemmatize

from scoring.metrics.texts import lemmas
from scoring.metrics.texts.content_words import CORRECTIONS, FUNCTION_WORDS, content_words
from tools.lemmas import packed


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
    assert [form for form, lemma in CORRECTIONS.items() if lemmas.lemma_of(form) == lemma] == []
    assert not FUNCTION_WORDS & set(CORRECTIONS.values())


def test_lemmas_are_those_of_simplemma():
    assert version("simplemma") == lemmas.VERSION
    assert lzma.decompress(lemmas.TABLE.read_bytes()) == lzma.decompress(packed())
    random.seed(1)
    words = list(lemmas._table())
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
        word for word in made if lemmas.lemma_of(word).lower() != lemmatize(word, "en").lower()
    ]
    assert wrong == []
