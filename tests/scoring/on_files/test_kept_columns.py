"""`manage.py score --keep`: columns of the input carried along into the output."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from paraanno.plain.formulas import unescape
from scoring.on_files.kept_columns import as_cell

PAIRS = (
    "human,id,original,paraphrase,system,reference,note\n"
    "-1,a,the cat sat,the cat sat,A,,'=SUM(1)\n"
    '4.50,b,the cat sat,a dog ran,B,,"=1, or\n2"\n'
    "\n"
    ",c,hello there,,A,, -x \n"
    "3,d,hello there,hello you,B,,''=y\n"
)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS, encoding="utf-8")
    return path


def written(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def test_cells_stand_behind_the_scores_as_they_were(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    call_command(
        "score", str(pairs), "--metric", "pinc", "--keep", "human", "note", "--keep", "system",
        "human", "-o", str(out),
    )  # fmt: skip
    assert written(out) == [
        ["id", "pinc", "human", "note", "system"],
        ["a", "0.0", "-1", "'=SUM(1)", "A"],
        ["b", "1.0", "4.50", "'=1, or\n2", "B"],  # Guarded now: it was not.
        ["c", "", "", " -x ", "A"],
        ["d", "0.75", "3", "''=y", "B"],
    ]


def test_without_it_the_output_is_as_ever(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    call_command("score", str(pairs), "--metric", "pinc", "-o", str(out))
    assert [len(row) for row in written(out)] == [2] * 5


def test_the_output_goes_right_into_correlate(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    call_command(
        "score", str(pairs), "--metric", "pinc", "--metric", "bleu", "--keep", "human", "system",
        "original", "-o", str(out),
    )  # fmt: skip
    capsys.readouterr()
    call_command(
        "correlate", str(out), "--human", "human", "--metric", "pinc", "bleu",
        "--cluster", "original", "--system", "system", "--json",
    )  # fmt: skip
    report = json.loads(capsys.readouterr().out)
    assert report["n"] == 4
    assert report["human"]["human"]["metrics"]["pinc"]["pearson"]["n"] == 3


def test_it_may_take_the_place_of_its_input(pairs: Path) -> None:
    keep = ["original", "paraphrase", "human"]
    call_command("score", str(pairs), "--metric", "pinc", "--keep", *keep, "-o", str(pairs))
    assert written(pairs)[2] == ["b", "1.0", "the cat sat", "a dog ran", "4.50"]
    call_command("score", str(pairs), "--metric", "bleu", "--keep", "pinc", "-o", str(pairs))
    assert [row[2] for row in written(pairs)] == ["pinc", "0.0", "1.0", "", "0.75"]


def test_tab_separated_files_with_a_mark(tmp_path: Path) -> None:
    path, out = tmp_path / "pairs.tsv", tmp_path / "out.csv"
    path.write_bytes("\ufeffsystem\tid\toriginal\tparaphrase\r\nS, T\t-1\tx\tz\r\n".encode())
    call_command("score", str(path), "--metric", "pinc", "--keep", "system", "-o", str(out))
    assert written(out) == [["id", "pinc", "system"], ["'-1", "1.0", "S, T"]]


def test_cells_of_json_lines(tmp_path: Path) -> None:
    path, out = tmp_path / "pairs.jsonl", tmp_path / "out.csv"
    values: list[object] = [-1, "-1", "=1", "'=1", None, [1, "ü"], True, 0.5]
    path.write_text(
        "\n".join(
            json.dumps({"id": i, "original": "x", "paraphrase": "z", "note": value})
            for i, value in enumerate(values)
        )
    )
    call_command("score", str(path), "--metric", "pinc", "--keep", "note", "-o", str(out))
    assert [row[2] for row in written(out)] == [
        "note", "-1", "-1", "'=1", "''=1", "", '[1, "ü"]', "true", "0.5",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--keep", "sytem"], "{path}:1: there is no column sytem (did you mean 'system'?): "
         "correct the name or add the column (there are human, id, original, paraphrase, system, "
         "reference, note)"),
        (["--keep", "id"], "--keep id: the ids are in the output anyway; leave it out."),
        (["--metric", "bleu:as=note", "--keep", "note"], "--keep note: a metric's column has that "
         "name; give the metric another one with as=NAME."),
    ],
)  # fmt: skip
def test_columns_that_cannot_be_kept_are_refused(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    out = tmp_path / "out.csv"
    with pytest.raises(SystemExit) as stop:
        call_command("score", str(pairs), "--metric", "pinc", *more, "-o", str(out))
    printed = capsys.readouterr()
    assert stop.value.code == 2 and not out.exists() and printed.out == ""
    assert printed.err.splitlines() == [message.format(path=pairs)]


def test_a_column_that_is_there_twice_and_no_file_to_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("id,original,paraphrase,x,x\na,b,c,1,2\n")
    for more, message in (
        (["-o", str(tmp_path / "o")], "in the header twice"),
        ([], "under -o"),
    ):
        with pytest.raises(SystemExit):
            call_command("score", str(path), "--metric", "pinc", "--keep", "x", *more)
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("later", ["", PAIRS.replace(",d,", ",e,"), PAIRS + "1,f,x,y,,,\n"])
def test_a_file_that_changes_meanwhile_is_refused(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch, later: str,
) -> None:  # fmt: skip
    """Half of the output would speak of other texts."""
    out = tmp_path / "out.csv"
    out.write_text("older")

    def score(self: Any, pairs_: Any) -> Any:
        pairs.write_text(later)
        return []

    monkeypatch.setattr("scoring.metrics.overlap.pinc.Pinc.prepare", score, raising=False)
    with pytest.raises(SystemExit) as stop:
        call_command("score", str(pairs), "--metric", "pinc", "--keep", "human", "-o", str(out))
    assert stop.value.code == 2 and out.read_text() == "older"
    assert capsys.readouterr().err.startswith(f"{pairs}:0: has changed since it was read")


@given(st.text(st.characters(exclude_characters="\0\r\n", exclude_categories=["Cs"])))
def test_a_kept_cell_means_what_it_meant(text: str) -> None:
    """To a reader of pairs, and to a spreadsheet, which must not compute it."""
    cell = as_cell(text)
    assert unescape(cell) == text
    assert not cell.startswith(("=", "@", "\t"))
    stream = io.StringIO()
    csv.writer(stream).writerow([cell])
    assert next(csv.reader([stream.getvalue()])) == [cell]


@pytest.mark.parametrize("text", ["-1", "-1.5e3", "+4", "-.5"])
def test_numbers_stay_numbers(text: str) -> None:
    assert as_cell(text) == text


@pytest.mark.parametrize("text", ["-1_000", "-inf", "-nan", "-1+1", "-x"])
def test_what_only_looks_like_a_number_is_guarded(text: str) -> None:
    assert as_cell(text) == f"'{text}"
