"""`manage.py align` on files."""

import re

import pytest
from django.core.management import call_command

from tests.scoring.on_files.management.commands.parallel_files import parallel, written

__all__ = ["parallel"]


def test_every_pair_has_a_line_and_one_left_out_an_empty_one(parallel, tmp_path, capsys):
    out = tmp_path / "out.links"
    call_command("align", *parallel[:2], "-o", out)
    lines = out.read_text(encoding="utf-8").split("\n")
    assert [bool(line) for line in lines] == [True, True, True, False, True, False]
    assert all(re.fullmatch(r"(\d-\d( \d-\d)*)?", line) for line in lines)
    warned = capsys.readouterr().err
    assert "warning: 1 pairs are left out: 1 with an empty side" in warned
    assert "4 of 5 pairs aligned" in warned


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("{en}", "{short}"), "short:2: has 3 lines and {en} has 5;"),
        (("{en}", "{de}", "--iterations", "0"), "--iterations: at least 1"),
        (("{en}", "{de}", "-o", "{en}"), "names a file to be read"),
        (("{en}", "{de}", "-o", "{folder}/none/links"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_refused(parallel, tmp_path, refused, arguments, says):
    short = written(tmp_path, "short", ("x", "", "z"))
    places = {"en": parallel[0], "de": parallel[1], "short": short, "folder": tmp_path}
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    given = (one.format(**places) for one in arguments)
    assert says.format(**places) in refused("align", "-o", tmp_path / "out", *given)[-1]
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
