"""A full disk of the database, met for real on small disks."""

import contextlib
import shutil
import subprocess

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from annotation import health
from annotation.database import web_host_seen
from annotation.health import NO_ROOM
from paraanno.running.prepare import tables_make
from tests.live import free_port, on_database
from tools.soak import parts
from tools.soak.faults import fill


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """Every question is a probe."""
    monkeypatch.setattr(health, "EVERY", 0)
    monkeypatch.setattr(health, "_last", [])


@contextlib.contextmanager
def database(vendor, folder):
    """The address of a database whose files are in that folder."""
    if vendor == "sqlite":
        yield f"sqlite:///{folder}/database.sqlite3"
        return
    port = free_port()
    server = parts.postgres(folder, port, [], folder.parent / "postgres.log")
    server.start()
    try:
        parts.until_open("127.0.0.1", port, "it listens")
        yield f"postgresql://paraanno@127.0.0.1:{port}/postgres"
    finally:
        server.stop()


@pytest.fixture
def disk(tmp_path_factory):
    """An empty disk."""
    folder = tmp_path_factory.mktemp("disk")
    for above in (folder, *folder.parents):  # The server's user goes through.
        if above.owner() == "root" and above.stat().st_mode & 0o001 == 0:
            above.chmod(above.stat().st_mode | 0o011)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=120m", "disk", folder], check=True)
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.slow
@pytest.mark.once  # It has a PostgreSQL of its own.
@pytest.mark.service("small_disk")
@pytest.mark.parametrize("vendor", ["postgresql", "sqlite"])
def test_a_full_disk_is_not_ready_says_what_to_do_and_is_ready_again(
    vendor, disk, django_db_blocker
):
    def saving():
        cache.clear()
        answer = Client().get("/readyz")
        return answer.status_code, answer.json()["saving"]["message"]

    with database(vendor, disk) as url, django_db_blocker.unblock(), on_database(url):
        tables_make()
        web_host_seen()
        if vendor == "sqlite":  # The room in its log is used again, as after some work.
            connection.cursor().execute("PRAGMA wal_checkpoint(RESTART)")
        tables = set(connection.introspection.table_names())
        assert saving() == (200, "")
        before = shutil.disk_usage(disk).used
        assert not any(health.disk_is_full() for _ in range(50))
        assert set(connection.introspection.table_names()) == tables
        # Of its tables nothing stays; in PostgreSQL's own a few rows, until it cleans up.
        assert shutil.disk_usage(disk).used - before < 50 * health.ROWS * health.WIDTH / 4
        fill(disk / "filler")
        web_host_seen()  # A row that is changed finds room: this would be well.
        assert saving() == (503, NO_ROOM)
        (disk / "filler").unlink()
        assert saving() == (200, "")


def test_a_process_probes_once_in_a_while_and_never_twice_at_once(monkeypatch):
    probes = []

    def probe():
        probes.append(health.disk_is_full())  # Another request, meanwhile.
        return True

    monkeypatch.setattr(health, "_probe", probe)
    assert health.disk_is_full() and probes == [False]
    assert health.disk_is_full() and probes == [False, True]
    monkeypatch.setattr(health, "EVERY", 30)
    assert health.disk_is_full() and len(probes) == 2
