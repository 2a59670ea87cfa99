"""`manage.py build_testset` on files, and its files in a campaign."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.services.campaigns.campaigns import campaign_create
from tests.scoring.on_files.management.commands.parallel_files import refused, written

SENTENCES = (
    "a small dog runs in the park", "the park is old", "a small dog sleeps", "the park is green",
    "a cat runs", "a small dog eats", "a cat sleeps", "the park is green",
)  # fmt: skip
TABLE = (
    "a small dog\ta little dog\t0.5", "a small dog\ta dog\t0.3", "the park\ta park\t0.4",
    "a cat\tthe kitty\t0.6", "runs\tran\t0.2", "of the\tfrom the\t0.9", "small dog\tdog\t0.7",
)  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """The names of test sentences and a table."""
    return written(tmp_path, "test.txt", SENTENCES), written(tmp_path, "table.tsv", TABLE)


def built(files, tmp_path, name: str, *options: str) -> Path:
    out = tmp_path / name
    call_command("build_testset", files[0], "--phrases", files[1], *options, "-o", str(out))
    return out


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_spans_are_phrases_and_what_there_is_is_built(files, tmp_path, capsys):
    found = rows(built(files, tmp_path, "items.csv"))
    for row in found:
        assert row["sentence"][int(row["start"]) : int(row["end"])] == row["phrase"]
        assert row["paraphrase"]
    # The three of "small dog" and "a small dog" overlap, so that one of both is drawn.
    assert {row["phrase"] for row in found} - {"small dog", "a small dog"} == {
        "the park", "a cat", "runs"
    }  # fmt: skip
    told = capsys.readouterr().err
    assert "test.txt:0: warning: 1 sentences are there twice; they are used once." in told
    assert "default cut-offs, so these are lowered: test count from 2 to 1.\n" in told
    assert "There are only 4 phrases of the 100 asked for." in told
    assert "overlaps a phrase drawn: 1" in told


def test_cut_offs_that_are_given_are_not_lowered(files, tmp_path, capsys):
    found = rows(built(files, tmp_path, "items.csv", "--test-count", "3", "9"))
    assert {row["phrase"] for row in found} <= {"small dog", "a small dog", "the park"}
    assert "lowered" not in capsys.readouterr().err
    told = refused(
        capsys, "build_testset", files[0], "--phrases", files[1], "--test-count", "9", "9",
        "-o", str(tmp_path / "none.csv"),
    )  # fmt: skip
    assert "no phrase passes the cut-offs" in told
    assert "  test count: " in told


def test_a_seed_gives_the_same_bytes_and_another_seed_others(files, tmp_path):
    one, two, other = (
        built(files, tmp_path, f"{name}.csv", "--n", "2", "--seed", seed).read_bytes()
        for name, seed in (("one", "1"), ("two", "1"), ("other", "5"))
    )
    assert one == two != other


def test_a_line_of_the_evaluation_file_is_the_sentence_with_the_paraphrase(files, tmp_path):
    lines = built(files, tmp_path, "eval.ccb").read_text(encoding="utf-8").splitlines()
    wanted = {
        f"{row['sentence'][: int(row['start'])]}__{row['paraphrase']}__"
        f"{row['sentence'][int(row['end']) :]} {row['system']}"
        for row in rows(built(files, tmp_path, "items.csv"))
    }
    given = {line for line in lines if line and "(" not in line}
    assert given == wanted != set()
    assert any(line.startswith("MEANING GRAMMAR __") for line in lines)  # At the start of one.


def test_what_it_was_made_of_is_beside_it(files, tmp_path):
    out = built(files, tmp_path, "items.csv", "--n", "2")
    about = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    assert about["inputs"]["sentences"][0]["name"] == "test.txt"
    assert len(about["inputs"]["phrases"][0]["sha256"]) == 64
    assert (about["options"]["n"], about["options"]["seed"]) == (2, 2008)
    assert about["cut_offs"] == {"test_count": [2, 60], "train_count": None}
    assert about["removed"]["grammar words and marks alone"] > 0


def test_all_eight_conditions_from_two_languages_and_parses(tmp_path, capsys):
    """Align is left out: the links are by word. Every English sentence has its tree."""
    english = ("a small dog ran", "a little dog ran", "a small dog sat") * 4
    foreign = ("e k h r", "e k h r", "e k h s") * 4
    trees = tuple(
        "(S (NP (DT {}) (JJ {}) (NN {})) (VP (VBD {})))".format(*line.split()) for line in english
    )
    names = [
        written(tmp_path, name, lines)
        for name, lines in (
            ("en", english), ("de", foreign), ("links", ("0-0 1-1 2-2 3-3",) * 12),
            ("trees", trees), ("test", english[:3]), ("test.trees", trees[:3]),
        )
    ]  # fmt: skip
    en, de, links, parsed, test, test_parsed = names
    store, lm, corpus = (str(tmp_path / name) for name in ("store", "lm.arpa", "corpus"))
    call_command(
        "pivot", en, de, links, "--parses", parsed, "--store", store,
        "-o", str(tmp_path / "table.tsv"),
    )  # fmt: skip
    call_command("train_lm", en, "--order", "2", "-o", lm)
    call_command("index_corpus", en, "-o", corpus)
    out = tmp_path / "items.csv"
    call_command(
        "build_testset", test, "--phrases", store, "--lm", lm, "--parses", test_parsed,
        "--train", corpus, "--n", "3", "--seed", "1", "-o", str(out),
    )  # fmt: skip
    found = rows(out)
    assert {row["system"] for row in found} == set("01234567")
    dogs = [row for row in found if row["phrase"] in ("a small dog", "small dog", "small")]
    assert dogs
    for row in dogs:
        assert row["paraphrase"] == row["phrase"].replace("small", "little")
        assert row["attr.item.label"] in ("NP", "NP\\DT", "JJ")
        assert float(row["attr.output.lm"]) < 0
        assert row["attr.phrase.train_count"] == "8"
    assert "phrases are constituents." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--n", "0"), "--n and --contexts are 1 or more"),
        (("--min-words", "4"), "--min-words and --max-words"),
        (("--test-count", "3", "2"), "--test-count: LEAST and MOST"),
        (("--lm-weight", "nan"), "--lm-weight: a number"),
        (("--constituents", "0.5"), "--constituents needs --parses"),
        (("--phrases", "{folder}/other/table.tsv"), "two have the same name"),
        (("--parses", "{table}"), "table.tsv:1: has 3 cells instead of the 10"),
        (("--train", "{folder}"), "is not a store of a corpus"),
        (("--lm", "{table}"), "table.tsv:0: has no line"),
        (("-o", "{table}"), "names a file to be read"),
    ],
)
def test_what_cannot_be_done_is_refused(files, tmp_path, capsys, arguments, says):
    places = {"folder": str(tmp_path), "table": files[1]}
    given = [one.format(**places) for one in arguments]
    out = [] if "-o" in given else ["-o", str(tmp_path / "out.csv")]
    told = refused(capsys, "build_testset", files[0], "--phrases", files[1], *given, *out)
    assert says in told
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.django_db
def test_both_files_make_the_same_campaign_and_come_back(files, tmp_path, capsys):
    names = [str(built(files, tmp_path, name)) for name in ("items.csv", "eval.ccb")]
    exports = []
    for number, name in enumerate(names):
        campaign_create(actor=None, slug=f"camp{number}")
        kind = ["--format", "ccb"] if name.endswith(".ccb") else []
        call_command("import_items", f"camp{number}", name, *kind)
        out = tmp_path / f"again{number}.ccb"
        call_command("export", f"camp{number}", "--what", "ccb", "-o", str(out))
        exports.append(out.read_text(encoding="utf-8"))
    assert "4 phrases" in capsys.readouterr().out
    blocks = [sorted(line for line in text.splitlines() if "__" in line) for text in exports]
    assert blocks[0] == blocks[1] != []
    campaign_create(actor=None, slug="third")
    call_command("import_items", "third", str(tmp_path / "again1.ccb"), "--format", "ccb")
    call_command("export", "third", "--what", "ccb", "-o", str(tmp_path / "last.ccb"))
    assert (tmp_path / "last.ccb").read_text(encoding="utf-8") == exports[1]
