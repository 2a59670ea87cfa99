"""The recipe `paraphrases`."""

import json

import pytest

from scoring.building.alignment import read_links, read_parallel
from scoring.building.corpora import index_corpus
from scoring.building.paraphrases.counting import linked_text
from scoring.building.paraphrases.table import LONGEST, open_phrases, paraphrase
from scoring.building.recipes.paraphrases import LABELLED, PARAPHRASES
from scoring.building.recipes.recipe import make
from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused
from tests.scoring.building.recipes.flat_trees import trees
from tests.scoring.building.recipes.stores import store_of


def pairs_of(made):
    return {tuple(line.split("\t")[:2]) for line in made.plain.read_text().splitlines()}


def test_two_texts_make_a_table_for_paraeval(texts, tmp_path):
    made = make(PARAPHRASES, texts, tmp_path / "one", {"min_count": 2})
    assert made.kind == "table"
    assert (made.numbers["sentences"], made.numbers["aligned"]) == (601, 600)
    assert {("dog", "hound"), ("hound", "dog")} <= pairs_of(made)
    found = [
        create("paraeval", {"table": str(path), "against": "original"})
        for path in (made.store, made.plain)
    ]
    pair = Pair("old hound sees cat", "old dog sees cat")
    assert [one.score(pair).value for one in found] == [1, 1]
    assert found[0].signature() == found[1].signature()


@pytest.mark.slow
def test_a_pair_is_kept_if_each_is_a_paraphrase_of_the_other(texts, tmp_path):
    """MUTT stands for DOG so rarely that it is none of the paraphrases of DOG."""
    english, foreign = (texts[role].read_text().splitlines() for role in ("english", "foreign"))
    rare = [at for at, line in enumerate(english) if "dog" in line.split()][:8]
    english += [english[at].replace("dog", "mutt") for at in rare]
    foreign += [foreign[at] for at in rare]
    for role, lines in (("english", english), ("foreign", foreign)):
        texts[role].write_text("\n".join(lines) + "\n")

    def pairs(mutual):
        return pairs_of(
            make(PARAPHRASES, texts, tmp_path / mutual, {"mutual": mutual, "least": 0.2})
        )

    whole, kept = pairs("no"), pairs("yes")
    assert ("mutt", "dog") in whole
    assert ("mutt", "dog") not in kept
    assert ("hound", "dog") in kept
    assert kept == {(a, b) for a, b in whole if (b, a) in whole}


@pytest.mark.slow
def test_corpora_give_the_same_bytes_as_texts(texts, tmp_path):
    stores = {role: tmp_path / f"{role}-store" for role in texts}
    for role, path in texts.items():
        index_corpus(path, stores[role])
    contents = {
        make(PARAPHRASES, given, tmp_path / name, {}).plain.read_bytes()
        for name, given in (("one", texts), ("two", texts), ("three", stores))
    }
    assert len(contents) == 1


def test_a_table_without_pairs_is_refused(texts, tmp_path):
    with pytest.raises(FileRefused, match="no pair of different phrases"):
        make(PARAPHRASES, texts, tmp_path / "one", {"min_count": 1000})


@pytest.mark.slow
def test_parses_give_paraphrases_by_label_and_another_resource(texts, tmp_path):
    plain = make(PARAPHRASES, texts, tmp_path / "one", {})
    made = make(PARAPHRASES, {**texts, "parses": trees(texts)}, tmp_path / "two", {})
    assert made.plain.read_bytes() == plain.plain.read_bytes()
    assert (plain.numbers["labels"], made.numbers["labels"] > 0) == (0, True)
    assert not (plain.store / LABELLED).exists()
    store = open_phrases(made.store / LABELLED)
    assert store.best_with("dog", "W")[0][0] == "hound"
    digests = [
        json.loads((one.store / "about.json").read_text())["sha256"] for one in (plain, made)
    ]
    assert len(set(digests)) == 2


def test_parses_of_other_sentences_are_refused(texts, tmp_path):
    other = trees(texts)
    other.write_text(other.read_text().replace("(W dog)", "(W cow)", 1))
    with pytest.raises(FileRefused, match="of the tree is cow, and of the sentence dog"):
        make(PARAPHRASES, {**texts, "parses": other}, tmp_path / "one", {})


def test_own_links_and_further_languages_are_taken_as_pivot_does(texts, tmp_path):
    first = make(PARAPHRASES, texts, tmp_path / "one", {"mutual": "no"})
    links = (tmp_path / "one" / "align" / "links.txt").read_text()
    given = {**texts, "links": store_of("links", links, tmp_path)}
    own = make(PARAPHRASES, given, tmp_path / "two", {"mutual": "no"})
    assert own.plain.read_bytes() == first.plain.read_bytes()
    # A second language in which every sentence is one word; its links are by hand.
    other, hand = tmp_path / "fr.txt", tmp_path / "hand.txt"
    lengths = [len(line.split()) for line in texts["english"].read_text().splitlines()]
    other.write_text("".join(f"w{at % 7}\n" if n else "\n" for at, n in enumerate(lengths)))
    hand.write_text("".join(" ".join(f"{w}-0" for w in range(n)) + "\n" for n in lengths))
    both = make(
        PARAPHRASES,
        {**given, "foreign_2": other, "links_2": hand},
        tmp_path / "three",
        {"mutual": "no"},
    )
    read = []
    for foreign, linked in ((texts["foreign"], tmp_path / "links.txt"), (other, hand)):
        text = read_parallel(texts["english"], foreign)
        found = read_links(linked, text.english, text.foreign)
        read.append(linked_text(text.english, text.foreign, found, longest=LONGEST))
    assert both.plain.read_text() == "".join(paraphrase(read).lines())
    assert both.plain.read_bytes() != first.plain.read_bytes()
    assert [stage.name for stage in PARAPHRASES.planned({}, {*given, "foreign_2"})] == [
        "align",
        "align-2",
        "pivot",
    ]


def test_what_belongs_to_no_translation_or_links_of_other_texts_are_refused(texts, tmp_path):
    hand = tmp_path / "hand.txt"
    hand.write_text("0-0\n")
    with pytest.raises(ValueError, match="links_2 needs foreign_2"):
        PARAPHRASES.fits({**texts, "links_2": hand})
    with pytest.raises(FileRefused, match="has 1 lines and the text has 601"):
        make(PARAPHRASES, {**texts, "links": hand}, tmp_path / "one", {})
