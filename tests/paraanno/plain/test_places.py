"""The folders of a checkout, and programs that run in another one."""

import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name

import pytest

from paraanno.common import lazy_import, places
from paraanno.common.lazy_import import LATE, late
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


# Functions that are imported when they are first called.


@pytest.mark.parametrize("path", LATE)
def test_whatever_an_app_registers_is_there(path):
    assert callable(resolve_name(path))


def test_it_takes_and_returns_what_the_function_does(monkeypatch):
    monkeypatch.setattr(lazy_import, "LATE", [])
    assert late("math:isclose")(1.0, 1.1, rel_tol=0.5) is True
    with pytest.raises(AttributeError):
        late("math:nothing")()
