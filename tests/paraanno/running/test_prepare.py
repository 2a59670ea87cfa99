"""Preparation before the first request: everything once, and nothing twice."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from paraanno.running import prepare
from tests.live_parts import clean_environment, prepared, run_python


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that would run."""
    names: list[str] = []
    monkeypatch.setattr(prepare, "call_command", lambda name, **_: names.append(name))
    return names


def test_static_files_are_collected_again_if_one_changed(
    called: list[str], tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    file = tmp_path / "page.css"
    file.write_text("p {}", encoding="utf-8")
    storage = SimpleNamespace(path=lambda name: str(tmp_path / name))
    finder = SimpleNamespace(list=lambda _ignored: [("page.css", storage)])
    monkeypatch.setattr(prepare, "get_finders", lambda: [finder])
    assert prepare.collect_static() and not prepare.collect_static()
    os.utime(file, (1, 1))
    assert prepare.collect_static() and not prepare.collect_static()
    settings.STATIC_ROOT = tmp_path / "elsewhere"
    assert prepare.collect_static()
    assert called == ["collectstatic"] * 3


@pytest.mark.django_db
def test_a_migrated_database_is_left_alone(called: list[str]) -> None:
    assert prepare.migrate() is False
    assert called == []


@pytest.mark.django_db
def test_the_demo_is_for_an_empty_database_and_is_made_to_its_end(
    called: list[str], tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(prepare, "collect_static", lambda: False)
    monkeypatch.setattr("paraanno.running.prepare.connection.close", lambda: None)
    prepare.prepare(demo=True)  # The tables are there.
    assert called == []
    (tmp_path / "demo_pending").touch()  # A start that crashed has left it.
    prepare.prepare(demo=False)
    assert called == []
    prepare.prepare(demo=True)
    prepare.prepare(demo=True)
    assert called == ["load_demo"]


def test_preparing_twice_is_quick_and_changes_nothing() -> None:
    folder = prepared()

    def times() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in (folder / "static").rglob("*")}

    before = times()
    assert len(before) > 100
    environment = clean_environment(PARAANNO_DATA_DIR=str(folder))
    run_python(environment, "-m", "paraanno.running.start", "--prepare-only")
    assert times() == before
