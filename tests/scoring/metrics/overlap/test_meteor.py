"""METEOR beside nltk's, on WordNet as nltk reads it from the folder that stage_wordnet makes."""

from __future__ import annotations

import warnings
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import create
from scoring.metrics.resources.wordnet import DEBIAN, load_wordnet
from tests.scoring.metrics.wordnet_files import VOCABULARY, meteor, wordnet_is_here

WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=10)


@pytest.fixture(scope="module")
def nltk_wordnet(tmp_path_factory):
    """nltk's reader on a staged folder. It looks below `corpora` alone."""
    import nltk
    from nltk.corpus.reader import WordNetCorpusReader

    root = tmp_path_factory.mktemp("nltk")
    with override_settings(DATA_DIR=root / "corpora"):
        call_command("stage_wordnet", stdout=StringIO())
    nltk.data.path.insert(0, str(root))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The multilingual functions")
        yield WordNetCorpusReader(nltk.data.find("corpora/wordnet"), None)
    nltk.data.path.remove(str(root))


@wordnet_is_here
@given(WORDS, WORDS, st.sampled_from([{}, {"alpha": 0.5}, {"beta": 1, "gamma": 0.9}]))
def test_equals_nltk(nltk_wordnet, original, paraphrase, weights):
    from nltk.translate.meteor_score import meteor_score

    found = meteor(" ".join(original), " ".join(paraphrase), **weights)
    assert found.value == meteor_score([original], paraphrase, wordnet=nltk_wordnet, **weights)


@wordnet_is_here
@given(st.lists(WORDS, min_size=2, max_size=3), WORDS)
def test_equals_nltk_for_several_references(nltk_wordnet, references, paraphrase):
    from nltk.translate.meteor_score import meteor_score

    found = meteor("x", " ".join(paraphrase), *map(" ".join, references))
    assert found.value == meteor_score(references, paraphrase, wordnet=nltk_wordnet)


# Synonyms of each other that stemming leaves alone, so that many matches are possible.
CARS = st.lists(st.sampled_from(["car", "auto", "motorcar", "x", "cars"]), max_size=6)


@wordnet_is_here
@given(CARS, CARS)
def test_takes_the_matches_that_nltk_takes(nltk_wordnet, original, paraphrase):
    from nltk.translate.meteor_score import meteor_score

    original, paraphrase = ["a", *original], [*paraphrase, "a"]
    found = meteor(" ".join(original), " ".join(paraphrase))
    assert found.value == meteor_score([original], paraphrase, wordnet=nltk_wordnet)


@wordnet_is_here
def test_synonyms_equal_those_that_nltk_finds(nltk_wordnet):
    own = load_wordnet(DEBIAN)
    lemmas = [lemma for lemma in sorted(nltk_wordnet.all_lemma_names()) if "_" not in lemma][::97]
    words = [*lemmas, *(lemma + ending for lemma in lemmas for ending in ("s", "ed", "ing", "er"))]
    for end, other in [("f", "ves"), ("man", "men"), ("y", "ies"), ("e", "ing"), ("e", "es")]:
        words += [lemma.removesuffix(end) + other for lemma in lemmas if lemma.endswith(end)]
    words += [*VOCABULARY, "men", "oxen", "Paris", "afraid", "was", "axes"]
    assert len(lemmas) > 500
    for word in words:
        expected = {
            lemma.name()
            for synset in nltk_wordnet.synsets(word)
            for lemma in synset.lemmas()
            if "_" not in lemma.name()
        }
        assert own.synonyms(word) == expected, word


@wordnet_is_here
def test_the_example_that_users_of_nltk_reported():
    # nltk's own documentation: 0.6944, with these words.
    assert meteor(
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is a guide to action which ensures that the military always obeys the commands of "
        "the party",
    ).value == pytest.approx(0.6944, abs=5e-5)


@wordnet_is_here
def test_worked_by_hand():
    # Three of four words are the same, the fourth is a synonym: one chunk of four matches.
    assert meteor("i like this car", "i like this auto").value == 1 - 0.5 / 4**3
    # P = R = 1, two chunks of two matches.
    assert meteor("cat dog", "dog cat").value == pytest.approx(1 - 0.5)
    assert meteor("one", "one").value == 0.5
    # By stem, and by synonym: the last takes the last, so that there is one chunk of two.
    assert meteor("car car", "cars cars").value == 1 - 0.5 / 2**3
    assert meteor("motorcar motorcar", "car auto").value == 1 - 0.5 / 2**3
    assert meteor("this is", "nothing alike").value == 0
    # `countries` is known by its stem alone.
    assert meteor("countries", "country").value == 0.5
    assert meteor("nation", "land").value == 0.5


@wordnet_is_here
def test_stems_or_words_are_looked_up():
    # WordNet knows `automobile`, but not its stem `automobil`.
    assert meteor("car", "automobile").value == 0
    assert meteor("car", "automobile", lookup="words").value == 0.5
    assert meteor("cars", "autos", lookup="words").value == 0.5
    # `feline` and `dog` share no synset; `xyzzy` has none.
    assert meteor("dog xyzzy", "feline plugh", lookup="words").value == 0


@wordnet_is_here
def test_the_mean_over_references():
    best, mean = (meteor("x", "one", "one", "two", references=how) for how in ("max", "mean"))
    assert (best.value, mean.value) == (0.5, 0.25)


@wordnet_is_here
@given(st.text(), st.text())
def test_lies_between_0_and_1_or_says_why_not(original, paraphrase):
    found = meteor(original, paraphrase)
    assert bool(found.reason) if found.value is None else 0 <= found.value <= 1


@wordnet_is_here
def test_odd_texts():
    assert meteor("a", " ").reason == "The paraphrase has no words."
    assert meteor("?!", "a").reason == "The text compared with has no words."
    assert meteor("a \ud800 b", "\udfff a 🎉").value > 0
    assert meteor("مرحبا", "مرحبا").value == 0.5
    text = "one two three " * 3000
    assert meteor(text, text).value == pytest.approx(1)


@wordnet_is_here
def test_the_signature_names_what_the_number_depends_on():
    signature = str(create("meteor", {"lang": "en"}).signature())
    assert "|wordnet=3.0" in signature
    assert "|wordnet@" in signature
    assert "|nltk=" in signature
    assert str(DEBIAN) not in signature


SENTENCES = (
    "Don't you like the automobile's engine (3.5 litres)?",
    "\"We DON'T like it,\" she said -- it's loud.",
    "You'Ll run; they cannot, e.g. in the U.S. of 1990...",
    "the countries' men gonna run, he'd said: 'run'!",
    "그는 \u201c좋다\u201d고 했다.",
)


@wordnet_is_here
@pytest.mark.parametrize("original", SENTENCES)
@pytest.mark.parametrize("paraphrase", SENTENCES)
def test_tokens_of_nltk(nltk_wordnet, original, paraphrase):
    """As nltk's users call it: word_tokenize of each text, each a single sentence."""
    from nltk import word_tokenize
    from nltk.translate.meteor_score import meteor_score

    one, other = (word_tokenize(text, preserve_line=True) for text in (original, paraphrase))
    found = meteor(original, paraphrase, tokenize="nltk")
    assert found.value == meteor_score([one], other, wordnet=nltk_wordnet)


@wordnet_is_here
def test_punctuation_is_a_token_of_nltk():
    assert meteor("Run!", "run?").value == meteor("run", "run").value
    # One of two tokens matches: P = R = 0.5, one chunk of one match.
    assert meteor("Run!", "run?", tokenize="nltk").value == pytest.approx(0.25)
    assert meteor("?!", "a", tokenize="nltk").value == 0
    assert meteor("a", " ", tokenize="nltk").reason == "The paraphrase has no words."
