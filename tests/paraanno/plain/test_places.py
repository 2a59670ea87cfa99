"""The folders of a checkout, and programs that run in another one."""

import subprocess
import sys
from pathlib import Path

import pytest

from paraanno.common import places
from paraanno.common.texts import SentenceError
from tests import HOME


def test_the_data_folder_is_that_of_the_variable(monkeypatch):
    monkeypatch.setenv("PARAANNO_DATA_DIR", " ~/data ")
    assert places.data_dir() == Path.home() / "data"
    monkeypatch.setenv("PARAANNO_DATA_DIR", "")
    assert places.data_dir() == Path(HOME) / "var"


def test_an_installed_copy_keeps_its_data_where_the_platform_does(monkeypatch, tmp_path):
    monkeypatch.setattr(places, "INSTALLED", True)
    monkeypatch.setenv("PARAANNO_DATA_DIR", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert places.data_dir() == tmp_path / "paraanno"


def test_a_program_finds_the_packages_from_any_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    assert places.own_environment()["PYTHONPATH"] == f"{HOME}:/elsewhere"
    wanted = tmp_path / "wanted"
    wanted.touch()
    program = places.own_program(
        "paraanno.running.wait_until", "wanted", str(wanted), sys.executable
    )
    program += ["-c", "import paraanno"]
    assert subprocess.run(program, cwd=tmp_path, env=places.own_environment()).returncode == 0


def test_a_missing_extra_is_named_with_the_line_that_installs_it(monkeypatch):
    places.need_extra("parsing", "json")
    with pytest.raises(SentenceError, match="extra korean is not installed: run make install-ex"):
        places.need_extra("korean", "no_such_package")
    assert places.extra_install("neural") == "make install-neural"
    monkeypatch.setattr(places, "INSTALLED", True)
    assert places.extra_install("korean") == 'pip install "paraanno[korean]"'
    monkeypatch.setattr(sys, "prefix", "/home/a/.local/share/uv/tools/paraanno")
    assert places.extra_install("korean") == 'uv tool install "paraanno[korean]"'
    monkeypatch.setattr(sys, "prefix", "/home/a/.local/share/pipx/venvs/paraanno")
    assert places.extra_install("korean") == 'pipx runpip paraanno install "paraanno[korean]"'
