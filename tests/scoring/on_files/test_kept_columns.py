"""`manage.py score --keep`: columns of the input carried along into the output."""

import csv
import io
import json

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from paraanno.common.cells import unescape
from scoring.on_files.management.commands.score import as_cell
from tests.scoring.on_files.calls import lines

PAIRS = (
    "human,id,original,paraphrase,system,reference,note\n"
    "-1,a,the cat sat,the cat sat,A,,'=SUM(1)\n"
    '4.50,b,the cat sat,a dog ran,B,,"=1, or\n2"\n'
    "\n"
    ",c,hello there,,A,, -x \n"
    "3,d,hello there,hello you,B,,''=y\n"
)


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS, "utf-8")
    return path


@pytest.fixture
def written(tmp_path):
    """The lines of the output about a file."""

    def score(path, *more, metric="pinc", out=tmp_path / "out.csv"):
        call_command("score", path, "--metric", metric, *more, "-o", out)
        return lines(out)

    return score


def test_cells_stand_behind_the_scores_as_they_were(pairs, written):
    assert written(pairs, "--keep", "human", "note", "--keep", "system", "human") == [
        ["id", "pinc", "human", "note", "system"],
        ["a", "0.0", "-1", "'=SUM(1)", "A"],
        ["b", "1.0", "4.50", "'=1, or\n2", "B"],  # Guarded now: it was not.
        ["c", "", "", " -x ", "A"],
        ["d", "0.75", "3", "''=y", "B"],
    ]
    assert [len(row) for row in written(pairs)] == [2] * 5  # Without it the output is as ever.


def test_it_may_take_the_place_of_its_input(pairs, written):
    rows = written(pairs, "--keep", "original", "paraphrase", "human", out=pairs)
    assert rows[2] == ["b", "1.0", "the cat sat", "a dog ran", "4.50"]
    rows = written(pairs, "--keep", "pinc", metric="bleu", out=pairs)
    assert [row[2] for row in rows] == ["pinc", "0.0", "1.0", "", "0.75"]


def test_tab_separated_files_with_a_mark(tmp_path, written):
    path = tmp_path / "pairs.tsv"
    path.write_bytes("\ufeffsystem\tid\toriginal\tparaphrase\r\nS, T\t-1\tx\tz\r\n".encode())
    assert written(path, "--keep", "system") == [["id", "pinc", "system"], ["'-1", "1.0", "S, T"]]


def test_cells_of_json_lines(tmp_path, written):
    path = tmp_path / "pairs.jsonl"
    values = [-1, "-1", "=1", "'=1", None, [1, "ü"], True, 0.5]
    path.write_text(
        "\n".join(
            json.dumps({"id": i, "original": "x", "paraphrase": "z", "note": value})
            for i, value in enumerate(values)
        )
    )
    assert [row[2] for row in written(path, "--keep", "note")] == [
        "note",
        "-1",
        "-1",
        "'=1",
        "''=1",
        "",
        '[1, "ü"]',
        "true",
        "0.5",
    ]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            ["--keep", "sytem"],
            "{path}:1: there is no column sytem (did you mean 'system'?): "
            "correct the name or add the column (there are human, id, original, paraphrase, "
            "system, reference, note)",
        ),
        (["--keep", "id"], "--keep id: the ids are in the output anyway; leave it out."),
        (
            ["--metric", "bleu:as=note", "--keep", "note"],
            "--keep note: a metric's column has that "
            "name; give the metric another one with as=NAME.",
        ),
    ],
)
def test_columns_that_cannot_be_kept_are_refused(pairs, tmp_path, refused, more, message):
    out = tmp_path / "out.csv"
    assert refused("score", pairs, "--metric", "pinc", *more, "-o", out) == [
        message.format(path=pairs)
    ]
    assert not out.exists()


def test_a_column_that_is_there_twice_and_no_file_to_write(tmp_path, refused):
    path = tmp_path / "pairs.csv"
    path.write_text("id,original,paraphrase,x,x\na,b,c,1,2\n")
    for more, message in ((["-o", tmp_path / "o"], "in the header twice"), ([], "under -o")):
        errors = refused("score", path, "--metric", "pinc", "--keep", "x", *more)
        assert message in "\n".join(errors)


@pytest.mark.parametrize("later", ["", PAIRS.replace(",d,", ",e,"), PAIRS + "1,f,x,y,,,\n"])
def test_a_file_that_changes_meanwhile_is_refused(pairs, tmp_path, refused, monkeypatch, later):
    """Half of the output would speak of other texts."""
    out = tmp_path / "out.csv"
    out.write_text("older")

    def score(self, _pairs):
        pairs.write_text(later)
        return []

    monkeypatch.setattr("scoring.metrics.overlap.simple.Pinc.prepare", score, raising=False)
    errors = refused("score", pairs, "--metric", "pinc", "--keep", "human", "-o", out)
    assert errors[0].startswith(f"{pairs}:0: has changed since it was read")
    assert out.read_text() == "older"


@given(st.text(st.characters(exclude_characters="\0\r\n", exclude_categories=["Cs"])))
def test_a_kept_cell_means_what_it_meant(text):
    """To a reader of pairs, and to a spreadsheet, which must not compute it."""
    cell = as_cell(text)
    assert unescape(cell) == text
    assert not cell.startswith(("=", "@", "\t"))
    stream = io.StringIO()
    csv.writer(stream).writerow([cell])
    assert next(csv.reader([stream.getvalue()])) == [cell]


def test_numbers_stay_numbers_and_what_only_looks_like_one_is_guarded():
    for text in ("-1", "-1.5e3", "+4", "-.5"):
        assert as_cell(text) == text
    for text in ("-1_000", "-inf", "-nan", "-1+1", "-x", "\t0", "\t-1"):
        assert as_cell(text) == f"'{text}"
