"""METEOR beside nltk's, on WordNet as nltk reads it from the folder that stage_wordnet makes."""

import warnings
from functools import partial
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import override_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.metrics import create
from scoring.metrics.registry import printed
from scoring.metrics.resources.synonyms import DEBIAN, load_wordnet
from tests.scoring.metrics.wordnet_files import VOCABULARY, meteor, wordnet_is_here

WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=10) | st.lists(
    # Synonyms of each other that stemming leaves alone, so that many matches are possible.
    st.sampled_from(["car", "auto", "motorcar", "a", "cars"]),
    min_size=1,
    max_size=7,
)


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


@pytest.fixture(scope="module")
def theirs(nltk_wordnet):
    from nltk.translate.meteor_score import meteor_score

    return partial(meteor_score, wordnet=nltk_wordnet)


@pytest.mark.slow
@wordnet_is_here
@given(
    st.lists(WORDS, min_size=1, max_size=3),
    WORDS,
    st.sampled_from([{}, {"alpha": 0.5}, {"beta": 1, "gamma": 0.9}]),
)
def test_equals_nltk(theirs, references, paraphrase, weights):
    found = meteor("x", " ".join(paraphrase), *map(" ".join, references), **weights)
    assert found.value == theirs(references, paraphrase, **weights)


@wordnet_is_here
def test_synonyms_equal_those_that_nltk_finds(nltk_wordnet):
    own = load_wordnet(DEBIAN)
    lemmas = [lemma for lemma in sorted(nltk_wordnet.all_lemma_names()) if "_" not in lemma][::293]
    words = [*lemmas, *(lemma + ending for lemma in lemmas for ending in ("s", "ed", "ing", "er"))]
    for end, other in [("f", "ves"), ("man", "men"), ("y", "ies"), ("e", "ing"), ("e", "es")]:
        words += [lemma.removesuffix(end) + other for lemma in lemmas if lemma.endswith(end)]
    words += [*VOCABULARY, "men", "oxen", "Paris", "afraid", "was", "axes"]
    assert len(lemmas) > 150
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


LOOKED_UP, NLTK = {"lookup": "words"}, {"tokenize": "nltk"}
LONG = "one two three " * 3000


@wordnet_is_here
@pytest.mark.parametrize(
    ("texts", "options", "value"),
    [
        # Three of four words are the same, the fourth is a synonym: one chunk of four matches.
        (("i like this car", "i like this auto"), {}, 1 - 0.5 / 4**3),
        # P = R = 1, two chunks of two matches.
        (("cat dog", "dog cat"), {}, 0.5),
        (("one", "one"), {}, 0.5),
        # By stem, and by synonym: the last takes the last, so that there is one chunk of two.
        (("car car", "cars cars"), {}, 1 - 0.5 / 2**3),
        (("motorcar motorcar", "car auto"), {}, 1 - 0.5 / 2**3),
        (("this is", "nothing alike"), {}, 0),
        # `countries` is known by its stem alone.
        (("countries", "country"), {}, 0.5),
        (("nation", "land"), {}, 0.5),
        # WordNet knows `automobile`, but not its stem `automobil`.
        (("car", "automobile"), {}, 0),
        (("car", "automobile"), LOOKED_UP, 0.5),
        (("cars", "autos"), LOOKED_UP, 0.5),
        # `feline` and `dog` share no synset; `xyzzy` has none.
        (("dog xyzzy", "feline plugh"), LOOKED_UP, 0),
        (("x", "one", "one", "two"), {"references": "max"}, 0.5),
        (("x", "one", "one", "two"), {"references": "mean"}, 0.25),
        (("مرحبا", "مرحبا"), {}, 0.5),
        (("a \ud800 b", "\udfff a 🎉"), {}, 0.5 / 0.95 * 0.5),  # P = 1, R = 1/2.
        ((LONG, LONG), {}, 1),
        # Punctuation is a token of nltk: one of two matches, P = R = 0.5, one chunk of one match.
        (("Run!", "run?"), {}, 0.5),
        (("Run!", "run?"), NLTK, 0.25),
        (("?!", "a"), NLTK, 0),
        (("a", " "), NLTK, None),
        (("a", " "), {}, None),
        (("?!", "a"), {}, None),
    ],
)
def test_worked_by_hand(texts, options, value):
    assert meteor(*texts, **options).value == pytest.approx(value)


@wordnet_is_here
def test_the_signature_names_what_the_number_depends_on():
    signature = str(create("meteor", {"lang": "en"}).signature())
    assert all(part in signature for part in ("|wordnet=3.0", "|wordnet@", "|nltk="))
    assert str(DEBIAN) not in signature


# Without WordNet: nltk's first two stages alone.


class NoSynsets:
    """A WordNet without words."""

    def synsets(self, word):
        return []


@pytest.mark.parametrize("here", ["missing", pytest.param("installed", marks=wordnet_is_here)])
@given(st.lists(WORDS, min_size=1, max_size=3), WORDS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_without_synonyms_it_is_nltk_without_its_third_stage(
    here, monkeypatch, tmp_path, references, paraphrase
):
    from nltk.translate.meteor_score import meteor_score

    if here == "missing":
        monkeypatch.setattr("scoring.metrics.resources.synonyms.DEBIAN", tmp_path / "debian")
        monkeypatch.setenv("PARAANNO_DATA_DIR", str(tmp_path / "data"))
    given_options = {} if here == "missing" else {"lookup": "none"}
    found = meteor("x", " ".join(paraphrase), *map(" ".join, references), **given_options)
    assert found.value == meteor_score(references, paraphrase, wordnet=NoSynsets())


def test_a_machine_without_wordnet_says_so_in_name_and_signature(nowhere):
    metric = create("meteor", {"lang": "en"})
    signature = str(metric.signature())
    assert "|lookup:none|" in signature and "wordnet" not in signature
    assert signature == str(create("meteor", {"lang": "en", "lookup": "none"}).signature())
    assert metric.labelled("meteor") == "meteor:lookup=none"
    assert metric.labelled("meteor:alpha=0.5") == "meteor:alpha=0.5,lookup=none"
    assert metric.labelled("mine") == "mine"
    assert printed("meteor:lookup=none") == "METEOR without WordNet"
    # Stems match; of `car` and `auto` nothing does, and nothing is looked up.
    assert meteor("countries", "country").value == 0.5
    assert meteor("car", "auto").value == 0


@wordnet_is_here
def test_a_machine_with_wordnet_decides_nothing():
    metric = create("meteor", {"lang": "en"})
    assert "|lookup:stems|" in str(metric.signature())
    assert metric.labelled("meteor") == "meteor" and not metric.decided
    assert meteor("motorcar", "auto", lookup="none").value == 0


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
def test_tokens_of_nltk(theirs, original, paraphrase):
    """As nltk's users call it: word_tokenize of each text, each a single sentence."""
    from nltk import word_tokenize

    one, other = (word_tokenize(text, preserve_line=True) for text in (original, paraphrase))
    found = meteor(original, paraphrase, tokenize="nltk")
    assert found.value == theirs([one], other)
