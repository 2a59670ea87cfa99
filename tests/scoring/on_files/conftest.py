"""Calls of commands, and a file of pairs that they are given."""

import json

import pytest
from django.core.management import call_command

PAIRS = (
    "id,original,paraphrase,reference,reference_2\n"
    "a,the cat sat,the cat sat,the cat sat down,a cat sat\n"
    "b,the cat sat,a dog ran,,\n"
    "c,hello there,,,\n"
)


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS, "utf-8")
    return path


@pytest.fixture
def refused(capsys):
    """The lines on stderr of a call that must exit with 2 and print nothing else."""

    def call(*arguments):
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            call_command(*arguments)
        printed = capsys.readouterr()
        assert (stop.value.code, printed.out) == (2, "")
        return printed.err.splitlines()

    return call


@pytest.fixture
def reported(capsys):
    """The report that a call prints as JSON."""

    def call(*arguments):
        capsys.readouterr()
        call_command(*arguments, "--json")
        return json.loads(capsys.readouterr().out)

    return call
