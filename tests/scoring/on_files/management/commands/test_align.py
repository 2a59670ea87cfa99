"""`manage.py align` on files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.scoring.on_files.management.commands.parallel_files import parallel, refused, written

__all__ = ["parallel"]


def test_every_pair_has_a_line_and_one_left_out_an_empty_one(parallel, tmp_path, capsys):
    out = tmp_path / "out.links"
    call_command("align", *parallel[:2], "-o", str(out))
    lines = out.read_text(encoding="utf-8").split("\n")
    assert len(lines) == 6
    assert [bool(line) for line in lines] == [True, True, True, False, True, False]
    assert all(re.fullmatch(r"\d-\d( \d-\d)*", line) for line in lines if line)
    told = capsys.readouterr().err
    assert "warning: 1 pairs are left out: 1 with an empty side" in told
    assert "4 of 5 pairs aligned" in told


def test_the_same_command_writes_the_same_bytes(parallel, tmp_path):
    for name in ("one", "two"):
        call_command(
            "align", *parallel[:2], "--model", "eflomal", "--iterations", "2",
            "-o", str(tmp_path / name),
        )  # fmt: skip
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_files_of_unequal_length_are_refused_with_both_counts(parallel, tmp_path, capsys):
    short = written(tmp_path, "short", ("x", "", "z"))
    told = refused(capsys, "align", parallel[0], short, "-o", str(tmp_path / "out"))
    assert told.startswith(f"{short}:2: has 3 lines and {parallel[0]} has 5;")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--iterations", "0"), "--iterations: at least 1"),
        (("-o", "{english}"), "names a file to be read"),
        (("-o", "{folder}/none/links"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_refused(parallel, tmp_path, capsys, arguments, says):
    places = {"english": parallel[0], "folder": str(tmp_path)}
    given = [one.format(**places) for one in arguments]
    out = [] if "-o" in given else ["-o", str(tmp_path / "out")]
    before = Path(parallel[0]).read_bytes()
    assert says in refused(capsys, "align", *parallel[:2], *given, *out)
    assert Path(parallel[0]).read_bytes() == before
