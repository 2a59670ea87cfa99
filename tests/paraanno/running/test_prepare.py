"""Preparation before the first request: everything once, and nothing twice."""

import os
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest
from django.core.exceptions import ImproperlyConfigured

from paraanno.running import prepare
from tests import HOME, needs
from tests.live_parts import clean_environment, new_empty_postgres

pytestmark = pytest.mark.slow  # Processes are started and killed.


@pytest.fixture
def called(monkeypatch):
    """The commands that would run."""
    names = []

    def call(name, **options):
        names.append(f"{name} --runs" if options.get("runs") else name)

    monkeypatch.setattr(prepare, "call_command", call)
    return names


def test_static_files_are_collected_again_if_one_changed(called, tmp_path, settings, monkeypatch):
    settings.DATA_DIR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    file = tmp_path / "page.css"
    file.write_text("p {}", "utf-8")
    storage = SimpleNamespace(path=lambda name: str(tmp_path / name))
    finder = SimpleNamespace(list=lambda _ignored: [("page.css", storage)])
    monkeypatch.setattr(prepare, "get_finders", lambda: [finder])
    assert prepare.collect_static() and not prepare.collect_static()
    os.utime(file, (1, 1))
    assert prepare.collect_static() and not prepare.collect_static()
    settings.STATIC_ROOT = tmp_path / "elsewhere"
    assert prepare.collect_static()
    assert called == ["collectstatic"] * 3


def test_static_files_of_an_image_are_taken_as_they_are(called, tmp_path, settings):
    settings.STATIC_ROOT, settings.STATIC_BUILT = tmp_path, "/collected"
    with pytest.raises(ImproperlyConfigured, match="PARAANNO_STATIC_DIR"):
        prepare.collect_static()
    (tmp_path / "staticfiles.json").write_text("{}", "utf-8")
    assert not prepare.collect_static() and not called


@pytest.mark.django_db
def test_the_demo_is_for_an_empty_database_and_is_made_to_its_end(
    called, tmp_path, settings, monkeypatch
):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(prepare, "collect_static", lambda: False)
    monkeypatch.setattr(prepare.connection, "close", lambda: None)
    prepare.prepare(demo=True)  # The tables are there.
    assert called == []
    (tmp_path / "demo_pending").touch()  # A start that crashed has left it.
    prepare.prepare(demo=False)
    assert called == []
    for _ in range(2):
        prepare.prepare(demo=True)
    assert called == ["load_demo --runs"]


@pytest.mark.django_db
def test_starts_of_one_database_wait_for_each_other():
    order = []

    def second():
        with prepare.one_host_at_a_time():
            order.append("second")

    other = threading.Thread(target=second)
    with prepare.one_host_at_a_time():
        other.start()
        other.join(0.3)
        order.append("first")
    other.join(30)
    assert order == ["first", "second"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "database", [pytest.param("sqlite", marks=pytest.mark.nightly), "postgresql"]
)
def test_hosts_that_start_together_on_an_empty_database_all_start(database, tmp_path):
    """Each with its own data folder, as two hosts have; on SQLite they share one."""
    variables, drop = {}, lambda: None
    if database == "postgresql":
        needs.need("postgres")
        variables, drop = new_empty_postgres()
    folders = [tmp_path / ("" if database == "sqlite" else host) for host in "ab"]
    hosts = [
        subprocess.Popen(
            [sys.executable, "-m", "paraanno.running.start", "--prepare-only"],
            cwd=HOME,
            env=clean_environment(PARAANNO_DATA_DIR=str(folder), **variables),
            stderr=subprocess.PIPE,
            text=True,
        )
        for folder in folders
    ]
    ends = [(host.communicate(timeout=300)[1], host.returncode) for host in hosts]
    drop()
    assert [code for _, code in ends] == [0, 0], ends
