"""`manage.py build_testset` on files, and its files in a campaign."""

import json

import pytest
from django.core.management import call_command

from tests.factories import new_campaign
from tests.scoring.on_files.calls import rows
from tests.scoring.on_files.management.commands.parallel_files import written

SENTENCES = (
    "a small dog runs in the park",
    "the park is old",
    "a small dog sleeps",
    "the park is green",
    "a cat runs",
    "a small dog eats",
    "a cat sleeps",
    "the park is green",
)
TABLE = (
    "a small dog\ta little dog\t0.5",
    "a small dog\ta dog\t0.3",
    "the park\ta park\t0.4",
    "a cat\tthe kitty\t0.6",
    "runs\tran\t0.2",
    "of the\tfrom the\t0.9",
    "small dog\tdog\t0.7",
)


@pytest.fixture
def command(tmp_path):
    """The command for test sentences and a table, as far as it is the same for all."""
    table = written(tmp_path, "table.tsv", TABLE)
    return ("build_testset", written(tmp_path, "test.txt", SENTENCES), "--phrases", table)


@pytest.fixture
def built(command, tmp_path):
    def build(name, *options):
        call_command(*command, *options, "-o", tmp_path / name)
        return tmp_path / name

    return build


def test_spans_are_phrases_and_what_there_is_is_built(built, capsys):
    out = built("items.csv")
    for row in rows(out):
        assert row["sentence"][int(row["start"]) : int(row["end"])] == row["phrase"]
        assert row["paraphrase"]
    # The three of "small dog" and "a small dog" overlap, so that one of both is drawn.
    assert {row["phrase"] for row in rows(out)} - {"small dog", "a small dog"} == {
        "the park",
        "a cat",
        "runs",
    }
    warned = capsys.readouterr().err
    assert "test.txt:0: warning: 1 sentences are there twice; they are used once." in warned
    assert "default cut-offs, so these are lowered: test count from 2 to 1.\n" in warned
    assert "There are only 4 phrases of the 100 asked for." in warned
    assert "overlaps a phrase drawn: 1" in warned
    # What it was made of is beside it.
    about = json.loads(built("items.csv", "--n", "2").with_suffix(".json").read_text("utf-8"))
    assert about["inputs"]["sentences"][0]["name"] == "test.txt"
    assert len(about["inputs"]["phrases"][0]["sha256"]) == 64
    assert (about["options"]["n"], about["options"]["seed"]) == (2, 2008)
    assert about["cut_offs"] == {"test_count": [2, 60], "train_count": None}
    assert about["removed"]["grammar words and marks alone"] > 0


def test_cut_offs_that_are_given_are_not_lowered(built, command, refused, capsys, tmp_path):
    phrases = {row["phrase"] for row in rows(built("items.csv", "--test-count", "3", "9"))}
    assert phrases <= {"small dog", "a small dog", "the park"}
    assert "lowered" not in capsys.readouterr().err
    why = "\n".join(refused(*command, "--test-count", "9", "9", "-o", tmp_path / "none.csv"))
    assert "no phrase passes the cut-offs" in why and "\n  test count: " in why


def test_a_line_of_the_evaluation_file_is_the_sentence_with_the_paraphrase(built):
    lines = built("eval.ccb").read_text("utf-8").splitlines()
    wanted = {
        f"{row['sentence'][: int(row['start'])]}__{row['paraphrase']}__"
        f"{row['sentence'][int(row['end']) :]} {row['system']}"
        for row in rows(built("items.csv"))
    }
    assert {line for line in lines if line and "(" not in line} == wanted != set()
    assert any(line.startswith("MEANING GRAMMAR __") for line in lines)  # At the start of one.


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--n", "0"), "--n and --contexts are 1 or more"),
        (("--min-words", "4"), "--min-words and --max-words"),
        (("--test-count", "3", "2"), "--test-count: LEAST and MOST"),
        (("--lm-weight", "nan"), "--lm-weight: a number"),
        (("--constituents", "0.5"), "--constituents needs --parses"),
        (("--phrases", "{folder}/other/table.tsv"), "two have the same name"),
        (("--parses", "{folder}/table.tsv"), "table.tsv:1: has 3 cells instead of the 10"),
        (("--train", "{folder}"), "is not a store of a corpus"),
        (("--lm", "{folder}/table.tsv"), "table.tsv:0: has no line"),
        (("-o", "{folder}/table.tsv"), "names a file to be read"),
    ],
)
def test_what_cannot_be_done_is_refused(command, tmp_path, refused, arguments, says):
    given = (one.format(folder=tmp_path) for one in arguments)
    assert says in "\n".join(refused(*command, "-o", tmp_path / "out.csv", *given))
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.django_db
def test_both_files_make_the_same_campaign_and_come_back(built, tmp_path, capsys):
    def through(slug, path, *more):
        """The evaluation file of a campaign that was made of this one."""
        new_campaign(slug)
        call_command("import_items", slug, path, *more)
        call_command("export", slug, "--what", "ccb", "-o", tmp_path / f"{slug}.ccb")
        return (tmp_path / f"{slug}.ccb").read_text("utf-8")

    one, two = (
        through("one", built("items.csv")),
        through("two", built("eval.ccb"), "--format", "ccb"),
    )
    assert "4 phrases" in capsys.readouterr().out
    blocks = [sorted(line for line in text.splitlines() if "__" in line) for text in (one, two)]
    assert blocks[0] == blocks[1] != []
    assert through("three", tmp_path / "two.ccb", "--format", "ccb") == two
