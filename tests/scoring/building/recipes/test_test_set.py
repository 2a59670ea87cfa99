"""The recipe `test_set`."""

import json

import pytest

from annotation.importers import read_items
from scoring.building.corpora import index_corpus
from scoring.building.recipes.corpus import LANGUAGE_MODEL
from scoring.building.recipes.paraphrases import PARAPHRASES
from scoring.building.recipes.recipe import make
from scoring.building.recipes.test_set import TEST_SET
from scoring.building.test_sets.building import FIGURES
from scoring.metrics.files import FileRefused
from tests.scoring.building.recipes.flat_trees import flat, trees
from tests.scoring.building.recipes.stores import store_of

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
