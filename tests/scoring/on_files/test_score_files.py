"""The JSON that `manage.py score` writes beside its CSV."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from scoring.metrics import create
from scoring.metrics.files import FileRefused, Problems
from scoring.metrics.scored import read_pairs
from scoring.on_files import file_command
from scoring.on_files.file_command import FileCommand, beside
from scoring.on_files.management.commands.score import output_problems


def test_where_it_is(tmp_path):
    for name in ("scores.csv", "scores.tsv", "scores"):
        assert beside(tmp_path / name) == tmp_path / "scores.json"
    assert beside(tmp_path / "scores.v2.csv") == tmp_path / "scores.v2.json"
    assert beside(tmp_path) is None
    assert output_problems(None, tmp_path / "pairs.csv") == []


def test_the_json_beside_the_csv_keeps_what_its_columns_mean(pairs, tmp_path, capsys):
    command = ("score", pairs, "--metric", "bleu:against=mixed,as=words", "--metric", "pinc")
    for _ in range(2):  # Its own JSON may be replaced.
        call_command(*command, "-o", tmp_path / "scores.csv")
    printed = capsys.readouterr().out
    about = json.loads((tmp_path / "scores.json").read_text("utf-8"))
    assert (about["scores"], about["texts"]) == ("scores.csv", 3)
    assert list(about["metrics"]) == ["words", "pinc"]
    bleu, pinc = about["metrics"].values()
    assert pinc == {
        "metric": "pinc",
        "higher_is_better": True,
        "signature": f"{create('pinc').signature()}|nrefs:0|met_original:3|met_references:0",
        "met": {"original": 3, "references": 0, "neither": 0, "least": 0, "most": 0},
        "scored": 2,
        "undefined": 1,
        "mean": 0.5,
        "reasons": {"c": "The paraphrase has no words."},
    }
    assert bleu["metric"] == "bleu"
    rows = read_pairs(pairs).pairs
    assert bleu["corpus"] == create("bleu", {"against": "mixed"}).corpus_score(rows).value
    assert bleu["signature"].endswith("|nrefs:2|met_original:2|met_references:1")
    assert bleu["mean"] == pytest.approx((100 + create("bleu").score(rows[1]).value) / 2)
    # The summary is that of a call without -o.
    call_command(*command)
    assert printed == 2 * capsys.readouterr().out
    assert f"{bleu['corpus']:.4f}" in printed and bleu["signature"] in printed


def test_details_are_kept_where_asked(pairs, tmp_path, reported):
    combined = "combine:of=bleu_1max{against=mixed}+pinc,as=both"
    out = ("--details", "-o", tmp_path / "scores.csv")
    printed = reported("score", pairs, "--metric", combined, *out)["metrics"]["both"]
    stored = json.loads((tmp_path / "scores.json").read_text("utf-8"))["metrics"]["both"]
    assert stored["details"] == printed["details"]
    assert stored["details"]["b"]["parts"][1] == ["pinc", 1.0, 1.0, 0.5]


def test_a_json_of_someone_else_is_not_overwritten(pairs, tmp_path, refused):
    other, lines = tmp_path / "scores.json", tmp_path / "lines.json"
    lines.write_text('{"id": "a", "original": "a", "paraphrase": "b"}\n', "utf-8")
    for content in ('{"metrics": {}}', "[1]", "no JSON"):
        other.write_text(content, "utf-8")
        for out, name in (("scores.csv", other), ("lines.csv", lines), ("lines.json", lines)):
            errors = refused("score", pairs, "--metric", "pinc", "-o", tmp_path / out)
            assert errors[0].startswith(f"{name}:0: ")
        assert other.read_text("utf-8") == content
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "lines.json",
        "pairs.csv",
        "scores.json",
    ]


# What commands on plain files do about a bad file.


def stopped(error, output=None):
    written = io.StringIO()
    command = FileCommand(stderr=written)
    with pytest.raises(SystemExit) as stop, command.refusing(output):
        raise error
    assert stop.value.code == 2
    return written.getvalue()


def test_every_problem_stands_on_a_line():
    problems = Problems(Path("a.txt"))
    problems.add(3, "is bad.")
    problems.add(5, "is worse.")
    with pytest.raises(FileRefused) as refused:
        problems.check()
    assert stopped(refused.value) == "a.txt:3: is bad.\na.txt:5: is worse.\n"


def test_a_place_that_cannot_be_written_is_named():
    error = PermissionError(13, "Permission denied", "/inner/name")
    assert stopped(error) == "/inner/name:0: cannot be written (Permission denied).\n"
    assert stopped(error, Path("out")) == "out:0: cannot be written (Permission denied).\n"


def test_progress_is_for_terminals(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    clock = iter([0.0, 10.0, 11.0, 0.0, 10.0, 11.0])
    monkeypatch.setattr(file_command.time, "monotonic", lambda: next(clock))
    for stream, told in ((Terminal(), [" 25%, 30 s left", "100%"]), (io.StringIO(), [])):
        command = FileCommand(stderr=stream, no_color=True)
        command.tell_share(0.25)
        command.tell_share(1.0)
        assert [one.rstrip() for one in stream.getvalue().split("\r")[1:]] == told
