"""The recipe `paraphrases`."""

import csv
import json
from collections import Counter

import pytest

from annotation.importers.items import read_items
from scoring.building.alignment import read_links, read_parallel
from scoring.building.corpora import index_corpus
from scoring.building.paraphrases.counting import linked_text
from scoring.building.paraphrases.table import LONGEST, open_phrases, paraphrase
from scoring.building.recipes.corpus import LANGUAGE_MODEL
from scoring.building.recipes.paraphrases import (
    LABELLED,
    PARAMETRIC,
    PARAPHRASES,
    TRANSLATIONS,
    open_rows,
    report_of,
)
from scoring.building.recipes.recipe import make
from scoring.building.recipes.test_set import TEST_SET
from scoring.building.test_sets.building import FIGURES
from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused
from tests.scoring.building.recipes.stores import store_of


def trees(texts):
    """A flat tree for each line; every word is a W."""
    path = texts["english"].with_name("parses.txt")
    lines = texts["english"].read_text().splitlines()
    path.write_text("".join(flat(line) + "\n" for line in lines))
    return path


def flat(line):
    return "(S " + " ".join(f"(W {word})" for word in line.split()) + ")" if line else ""


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


# The recipe `test_set`.


SENTENCES = "a dog ran home\nthe dog sat\na cat ran\nthe cat sat home\na dog ran home\n"
TABLE = "dog\thound\t0.5\ndog\tdogs\t0.4\ncat\tkitten\t0.3\nran\tsprinted\t0.2\n"


@pytest.fixture
def inputs(tmp_path):
    found = {}
    for role, text in (("sentences", SENTENCES), ("phrases", TABLE)):
        found[role] = tmp_path / f"{role}.txt"
        found[role].write_text(text)
    return found


def made(inputs, folder, **options):
    return make(TEST_SET, inputs, folder, {"n": 3, **options})


def figures(found):
    return json.loads((found.store / FIGURES).read_text())


def test_items_that_the_importer_takes_and_figures(inputs, tmp_path):
    found = made(inputs, tmp_path / "one")
    assert (found.kind, found.numbers) == ("test_set", {"phrases": 3, "items": 6, "texts": 6})
    with found.plain.open("rb") as stream:
        parsed = read_items(stream, name="items.jsonl")
    assert parsed.ok
    assert {(row.phrase, row.paraphrase) for row in parsed.rows} == {
        ("dog", "hound"),
        ("cat", "kitten"),
        ("ran", "sprinted"),
    }
    told = figures(found)
    assert (told["sentences"], told["coverage"]) == (4, {"0": 6})
    assert "1 sentences are there twice" in told["warnings"][0]["said"]


def test_the_same_inputs_and_options_give_the_same_bytes_as_stores_do(inputs, tmp_path):
    stores = {"sentences": tmp_path / "store", "phrases": store_of("table", TABLE, tmp_path)}
    index_corpus(inputs["sentences"], stores["sentences"])
    found = [
        made(given, tmp_path / name)
        for name, given in (("a", inputs), ("b", inputs), ("c", stores))
    ]
    assert len({one.plain.read_bytes() for one in found}) == 1
    assert len({json.dumps(figures(one)) for one in found}) == 1
    assert not (found[2].store / "text.txt").exists()
    digests = {
        json.loads((one.store / "about.json").read_text())["sha256"]
        for one in (*found, made(inputs, tmp_path / "d", seed=3, test_most=59))
    }
    assert len(digests) == 2


def test_a_training_text_cuts_and_warns(inputs, tmp_path):
    text = tmp_path / "train.txt"
    text.write_text("a dog sat\n" * 12)
    index_corpus(text, tmp_path / "train")
    found = figures(made({**inputs, "train": tmp_path / "train"}, tmp_path / "one", lower="no"))
    assert (found["phrases"], found["removed"]["train count"]) == (1, 3)
    unknown = "words of the test sentences are not in the training text"
    assert unknown in found["warnings"][1]["said"]
    assert found["lowered"] == []


def test_a_language_model_adds_condition_1(inputs, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("a dogs ran home\nthe dogs sat\n" * 20)
    model = make(LANGUAGE_MODEL, {"text": text}, tmp_path / "model", {"order": 2})
    found = made({**inputs, "lm": model.store}, tmp_path / "one", lm_weight=5)
    assert figures(found)["coverage"] == {"0": 6, "1": 6}
    rows = [json.loads(line) for line in found.plain.read_text().splitlines()]
    chosen = {(row["phrase"], row["system"]): row["paraphrase"] for row in rows}
    assert (chosen["dog", "0"], chosen["dog", "1"]) == ("hound", "dogs")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"test_least": 50, "lower": "no"}, "no phrase passes the cut-offs.*test count 21"),
        ({"min_words": 3, "max_words": 2}, "min_words is more than max_words"),
        ({"test_least": 3, "test_most": 2}, "test_least is more than test_most"),
        ({"n": 501}, "n=501 is not allowed"),
    ],
)
def test_options_under_which_nothing_can_be_drawn(inputs, tmp_path, options, said):
    with pytest.raises(ValueError, match=said):
        made(inputs, tmp_path / "one", **options)


def test_a_table_without_a_direction_is_refused(inputs, tmp_path):
    inputs["phrases"] = store_of("table", "dog\thound\n", tmp_path)
    with pytest.raises(FileRefused, match="does not say how probable"):
        made(inputs, tmp_path / "one")


def test_a_role_that_is_not_optional_is_asked_for(inputs, tmp_path):
    del inputs["phrases"]
    with pytest.raises(ValueError, match="needs the inputs phrases, sentences"):
        made(inputs, tmp_path / "one")


def test_parses_and_a_table_with_labels_give_the_conditions_2_to_7(texts, tmp_path):
    train = make(PARAPHRASES, {**texts, "parses": trees(texts)}, tmp_path / "table", {})
    sentences = tmp_path / "test.txt"
    lines = [line for line in texts["english"].read_text().splitlines() if line][:40]
    sentences.write_text("\n".join(lines))
    parses = tmp_path / "test-parses.txt"
    parses.write_text("\n".join(map(flat, lines)))
    arpa = make(LANGUAGE_MODEL, {"text": texts["english"]}, tmp_path / "lm", {}).store
    given = {"sentences": sentences, "phrases": train.store}
    asked = {"test_most": 1000, "max_words": 1}
    for others, conditions in (
        ({}, ["0", "2"]),
        ({"parses": parses}, ["0", "2", "4", "6"]),
        ({"parses": parses, "lm": arpa}, list("01234567")),
    ):
        name = str(len(conditions))
        found = made({**given, **others}, tmp_path / name, **asked)
        assert sorted(figures(found)["coverage"]) == conditions
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("(S (W a))\n" * len(lines))
    with pytest.raises(FileRefused, match=r"wrong.txt:1: word"):
        made({**given, "parses": wrong}, tmp_path / "wrong", **asked)


def test_parses_without_labels_are_a_warning(inputs, tmp_path):
    parses = tmp_path / "parses.txt"
    parses.write_text("".join(f"{flat(line)}\n" for line in SENTENCES.splitlines()))
    told = figures(made({**inputs, "parses": parses}, tmp_path / "one"))
    assert list(told["coverage"]) == ["0"]
    assert "The table has no labels" in told["warnings"][-1]["said"]


# The recipe `parametric`.


# By hand, as in tests of ParaMetric: the gold of kids is children, of children kids, and so on.
ALIGNED = "the kids sleep\tthe children sleep\t0-0 1-1 2?2\n"
RATED = "kids\tchildren\t0.3\nkids\tpupils\t0.1\nchildren\tkids\t0.04\nsleep\tdoze\t0.01\n"


def rated(folder, table, **options):
    inputs = {
        "table": store_of("table", table, folder),
        "aligned": store_of("aligned_pairs", ALIGNED, folder),
    }
    return make(PARAMETRIC, inputs, folder / "made", options)


def test_a_curve_over_the_least_probability(tmp_path):
    made = rated(tmp_path, RATED, max_words=1)
    rows = {row["least"]: row for row in report_of(made.store)["rows"]}
    # kids has children of two, children has kids, sleep has none of one: (1/2 + 1 + 0) / 3.
    for least, precision, recall in (
        (0, 1.5 / 3, 1),
        (0.02, 1.5 / 2, 1),
        (0.05, 0.5, 0.5),
        (0.2, 1, 0.5),
        (0.5, None, 0),
    ):
        found = rows[least]["precision"], rows[least]["recall"]
        assert found == (pytest.approx(precision), recall), least
    recalls = [row["recall"] for row in rows.values()]
    assert recalls == sorted(recalls, reverse=True)
    with made.plain.open(newline="") as stream:
        written = list(csv.DictReader(stream))
    assert len(written) == 10 and written[-1]["precision"] == ""
    assert float(written[0]["precision"]) == rows[0]["precision"]
    assert made.numbers == {"phrases": 4, "pairs": 2}


def test_a_table_that_is_its_gold_is_perfect_and_a_pair_without_probability_counts_at_0(
    tmp_path,
):
    made = rated(tmp_path, "kids\tchildren\nthe kids\tthe children\n", max_words=2)
    report = report_of(made.store)
    assert not report["directed"], "a table of pairs alone counts in both directions"
    (row,) = report["rows"]
    assert (row["precision"], row["phrases_with_paraphrases"]) == (1, 4)
    # kids sleep and children sleep are linked too, by the whole of the sentences.
    assert row["recall"] == pytest.approx(4 / 6)


def test_rows_of_a_file_have_their_direction(tmp_path):
    (tmp_path / "table.tsv").write_text(RATED)
    table, directed = open_rows(tmp_path / "table.tsv")
    assert directed and len(table.left) == 4


# The recipe `translations`.


@pytest.mark.slow
def test_two_texts_make_translations_for_pivot_f1(texts, tmp_path):
    made, again = (
        make(TRANSLATIONS, texts, tmp_path / name, {"min_count": 2}) for name in ("one", "two")
    )
    assert made.kind == "translations"
    assert made.plain.read_bytes() == again.plain.read_bytes()
    rows = [line.split(" ||| ") for line in made.plain.read_text().splitlines()]
    sums = Counter()
    for _, phrase, scores in rows:
        sums[phrase] += float(scores.split()[0])
    assert all(total == pytest.approx(1) for total in sums.values())
    pair = Pair("old hound sees cat", "old dog sees cat")
    for path in (made.store, made.plain):
        found = create("pivot_f1", {"translations": str(path)}).score(pair).value
        assert found == pytest.approx(1)
    with pytest.raises(FileRefused, match="no phrase"):
        make(TRANSLATIONS, texts, tmp_path / "none", {"min_count": 1000})
