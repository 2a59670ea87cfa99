"""What commands on plain files do about a bad file."""

import io
from pathlib import Path

import pytest

from scoring.metrics.files import FileRefused, Problems
from scoring.on_files import file_command
from scoring.on_files.file_command import FileCommand


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
