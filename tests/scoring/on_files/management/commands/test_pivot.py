"""`manage.py pivot` on files, and ParaEval with its tables."""

from __future__ import annotations

import csv
import json

import pytest
from django.core.management import call_command

from tests.scoring.on_files.management.commands.parallel_files import parallel, refused, written

__all__ = ["parallel"]
TABLE = """\
a cat\tcat\t0.5
a cat\tkitty\t0.25
cat\ta cat\t0.25
cat\tkitty\t0.25
kitty\tcat\t0.5
kitty\ta cat\t0.25
"""


def test_a_table_by_hand(parallel, tmp_path, capsys):
    out = tmp_path / "table.tsv"
    call_command("pivot", *parallel, "-o", str(out))
    assert out.read_text(encoding="utf-8") == TABLE
    assert "6 paraphrases of 3 phrases." in capsys.readouterr().err


def test_a_second_text_is_joined(parallel, tmp_path):
    # Here "cat" is only "u", and so is "tom": the mean over both texts.
    second = [
        written(tmp_path, f"second.{n}", lines)
        for n, lines in enumerate((("cat", "tom"), ("u", "u"), ("0-0", "0-0")))
    ]
    out = tmp_path / "table.tsv"
    call_command("pivot", *parallel, *second, "-o", str(out))
    rows = [line.split("\t") for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row[1:] for row in rows if row[0] == "cat"] == [
        ["tom", "0.25"], ["a cat", "0.125"], ["kitty", "0.125"]
    ]  # fmt: skip
    assert [row[1:] for row in rows if row[0] == "tom"] == [["cat", "0.25"]]


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (("--least", "0.3"), [0, 4]),
        (("--most", "1"), [0, 2, 4]),
        (("--max-words", "1"), []),
        (("--min-count", "2"), [4]),
    ],
    ids=lambda given: str(given),
)
def test_options_cut_the_table(parallel, tmp_path, options, lines):
    out = tmp_path / "table.tsv"
    call_command("pivot", *parallel, *options, "-o", str(out))
    rows = TABLE.splitlines()
    wanted = [rows[n] for n in lines]
    if options[0] == "--max-words":  # "a cat" is no phrase.
        wanted = ["cat\tkitty\t0.3333333333", "kitty\tcat\t0.6666666667"]
    if options[0] == "--min-count":  # Only cat was seen with "y" twice, so nothing shares "y".
        wanted = []
    assert out.read_text(encoding="utf-8").splitlines() == wanted


def test_only_wanted_phrases_and_a_warning_for_the_others(parallel, tmp_path, capsys):
    phrases = written(tmp_path, "phrases", ("kitty", "", "lion", "kitty"))
    out = tmp_path / "table.tsv"
    call_command("pivot", *parallel, "--phrases", phrases, "-o", str(out))
    assert out.read_text(encoding="utf-8") == "".join(TABLE.splitlines(keepends=True)[4:])
    assert f"{phrases}:0: warning: 1 of 2 phrases have no paraphrase." in capsys.readouterr().err


def test_paraeval_scores_with_the_table_and_its_store(parallel, tmp_path, capsys):
    out, store = tmp_path / "table.tsv", tmp_path / "store"
    call_command("pivot", *parallel, "--table-store", str(store), "-o", str(out))
    pairs = tmp_path / "pairs.csv"
    with pairs.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(
            [["id", "original", "paraphrase"], ["1", "the kitty sat", "a cat sat"]]
        )
    capsys.readouterr()
    metrics = [f"paraeval:table={place},as={place.name}" for place in (out, store)]
    call_command(
        "score", str(pairs), "--metric", metrics[0], "--metric", metrics[1], "--json"
    )  # fmt: skip
    found = json.loads(capsys.readouterr().out)["metrics"]
    assert found["store"]["scores"] == found["table.tsv"]["scores"]
    assert found["store"]["signature"] == found["table.tsv"]["signature"]
    assert found["store"]["scores"]["1"] == pytest.approx(2 / 3)  # kitty and sat, of three.


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("{en}", "{de}"), "three files for each text"),
        (("{en}", "{de}", "{links}", "--least", "2"), "--least: a probability"),
        (("{en}", "{de}", "{links}", "--max-words", "0"), "--max-words: use 1 to 8"),
        (("{en}", "{de}", "{links}", "--min-count", "0"), "--min-count 1 or more"),
        (("{en}", "{de}", "{links}", "--mutual", "--phrases", "{en}"), "are not known"),
        (("{en}", "{de}", "{links}", "--parses", "{en}"), "give --store FOLDER"),
        (("{en}", "{de}", "{links}", "--parses", "{en}", "{en}"), "give one file for each EN"),
        (("{en}", "{de}", "{de}"), "de.txt:1: should list links such as 0-0 1-2"),
        (("{en}", "{de}", "{folder}/none"), "none:0: cannot be read"),
        (
            ("{en}", "{de}", "{links}", "--parses", "{en}", "--store", "{folder}/s"),
            "en.txt:1: has 1 cells instead of the 10",
        ),
        (("{en}", "{de}", "{links}", "-o", "{links}"), "names a file to be read"),
    ],
)
def test_what_cannot_be_done_is_refused(parallel, tmp_path, capsys, arguments, says):
    places = {"en": parallel[0], "de": parallel[1], "links": parallel[2], "folder": str(tmp_path)}
    given = [one.format(**places) for one in arguments]
    out = [] if "-o" in given else ["-o", str(tmp_path / "out")]
    assert says in refused(capsys, "pivot", *given, *out)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["--store", "--table-store"])
def test_a_folder_of_other_things_is_left_alone(parallel, tmp_path, capsys, option):
    told = refused(
        capsys, "pivot", *parallel, option, str(tmp_path), "-o", str(tmp_path / "out")
    )  # fmt: skip
    assert "is there already and is no store" in told
    assert (tmp_path / "en.txt").exists()


def test_a_text_without_phrase_pairs_has_no_stores(parallel, tmp_path, capsys):
    none = written(tmp_path, "none", ("",) * 5)
    for option in ("--store", "--table-store"):
        out = str(tmp_path / "out")
        told = refused(capsys, "pivot", *parallel[:2], none, option, str(tmp_path / "s"), "-o", out)
        assert f"{tmp_path / 's'}:0: " in told
        assert not (tmp_path / "s").exists()
