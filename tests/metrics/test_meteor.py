"""METEOR beside nltk's, on WordNet as nltk reads it from the folder that stage_wordnet makes."""

import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused
from scoring.metrics.wordnet import DEBIAN, FILES, VARIABLE, WordNet, load_wordnet

# Synonyms of each other, other forms, irregular ones, words that WordNet does not have.
VOCABULARY = [
    *("car", "cars", "auto", "automobile", "happy", "glad", "felicitous", "run", "running", "ran"),
    *("geese", "goose", "big", "large", "larger", "quickly", "rapidly", "countries", "country"),
    *(
        "nation",
        "study",
        "survey",
        "woman",
        "women",
        "well",
        "better",
        "the",
        "of",
        "xyzzy",
        "나라",
    ),
    *("don't", "lay", "lie", "walked", "cloth", "fabric", "zoo", "menagerie"),
]
WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=10)
wordnet_is_here = pytest.mark.service("wordnet")


@pytest.fixture(scope="module")
def nltk_wordnet():
    """nltk's reader on a staged folder. It looks below `corpora` of a private folder alone."""
    import nltk
    from nltk.corpus.reader import WordNetCorpusReader

    root = Path(settings.DATA_DIR) / "nltk"
    with override_settings(DATA_DIR=root / "corpora"):
        call_command("stage_wordnet", stdout=StringIO())
    nltk.data.path.insert(0, str(root))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The multilingual functions")
        yield WordNetCorpusReader(nltk.data.find("corpora/wordnet"), None)
    nltk.data.path.remove(str(root))


def meteor(original, paraphrase, *references, **options):
    return create("meteor", options).score(Pair(original, paraphrase, references))


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
    signature = str(create("meteor").signature())
    assert "|wordnet=3.0" in signature
    assert "|wordnet@" in signature
    assert "|nltk=" in signature
    assert str(DEBIAN) not in signature


@wordnet_is_here
def test_threads_may_share_it():
    own = WordNet(DEBIAN)
    words = VOCABULARY * 20
    alone = [own.synonyms(word) for word in words]
    with ThreadPoolExecutor(4) as pool:
        rounds = list(pool.map(lambda _: [own.synonyms(word) for word in words], range(8)))
    assert all(found == alone for found in rounds)


@wordnet_is_here
def test_processes_may_share_it_after_a_fork():
    code = f"""
import os
from scoring.metrics.wordnet import DEBIAN, WordNet
own, words = WordNet(DEBIAN), {VOCABULARY * 20}
alone = [own.synonyms(word) for word in words]
children = []
for _ in range(4):
    child = os.fork()
    if not child:
        os._exit([own.synonyms(word) for word in words] != alone)
    children.append(child)
print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[0, 0, 0, 0]"


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A machine without WordNet."""
    monkeypatch.setattr("scoring.metrics.wordnet.DEBIAN", tmp_path / "debian")
    monkeypatch.setenv("PARAANNO_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


def write_wordnet(folder, version="3.1"):
    """A WordNet of one verb: `hop` and `leap`, with `leapt` as an irregular form."""
    folder.mkdir(parents=True)
    for name in FILES:
        (folder / name).write_text("  1 WordNet\n")
    (folder / "data.adj").write_text(f"  1 WordNet {version} Copyright 2011 by Princeton\n")
    (folder / "data.verb").write_text("00000000 38 v 02 hop 0 leap 0 000 | jump lightly\n")
    (folder / "index.verb").write_text("hop v 1 1 @ 1 0 00000000\nleap v 1 0 1 0 00000000\n")
    (folder / "verb.exc").write_text("leapt leap\n")
    return folder


def test_without_wordnet_it_says_what_to_do(nowhere):
    (nowhere / "data" / "wordnet").mkdir(parents=True)
    with pytest.raises(ValueError, match=r"wordnet-base, or run `manage.py stage_wordnet FOLDER`"):
        create("meteor")


def test_the_folder_of_the_variable_comes_first(nowhere, monkeypatch):
    write_wordnet(nowhere / "data" / "wordnet", "3.0")
    assert "|wordnet=3.0" in str(create("meteor").signature())
    monkeypatch.setenv(VARIABLE, str(write_wordnet(nowhere / "other", "3.1")))
    assert "|wordnet=3.1" in str(create("meteor").signature())
    assert meteor("hop", "leapt").value == 0.5


def test_a_folder_without_wordnet_is_refused(nowhere, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(nowhere))
    with pytest.raises(FileRefused, match=r":0: has no data.noun; name a folder with WordNet"):
        create("meteor")


def test_files_that_do_not_belong_together_are_refused(nowhere, monkeypatch):
    folder = write_wordnet(nowhere / "other")
    monkeypatch.setenv(VARIABLE, str(folder))
    (folder / "index.verb").write_text("hop v 1 0 1 0 00000007\n")
    with pytest.raises(FileRefused, match=r"data.verb:0: does not belong to its index"):
        meteor("leap", "hop")
    (folder / "data.adj").write_text("nothing\n")
    with pytest.raises(FileRefused, match=r"data.adj:0: names no version"):
        create("meteor").signature()
    (folder / "index.noun").write_bytes(b"\xff\xfe")
    with pytest.raises(FileRefused, match=r"index.noun:0: cannot be read"):
        create("meteor").load()


def test_staging_another_folder(nowhere, settings, capsys):
    settings.DATA_DIR = nowhere / "data"
    source = write_wordnet(nowhere / "other")
    with pytest.raises(CommandError, match="does not have the word"):
        call_command("stage_wordnet", source)
    assert not (nowhere / "data" / "wordnet").exists()
    (source / "index.noun").write_text("word n 1 0 1 0 00000000\n")
    (source / "data.noun").write_text("00000000 10 n 01 word 0 000 | a unit\n")
    for _ in range(2):
        call_command("stage_wordnet", source)
    assert "WordNet 3.1 of" in capsys.readouterr().out
    assert meteor("hop", "leapt").value == 0.5
    with pytest.raises(CommandError, match="has no data.noun") as refusal:
        call_command("stage_wordnet", nowhere / "none")
    assert refusal.value.returncode == 2
