"""Copies of a database; tests/paraanno/backups/test_restore.py does it with sites."""

import sqlite3
from contextlib import closing
from types import SimpleNamespace

import pytest

from paraanno.backups import copies
from paraanno.backups.copies import BackupRefused
from paraanno.env import database_from_url


def on(monkeypatch, url, **more):
    """Make a database the site's."""
    given = database_from_url(url)
    vendor = "postgresql" if "postgres" in url else "sqlite"
    connection = SimpleNamespace(
        vendor=vendor,
        settings_dict=given,
        close=lambda: None,
        introspection=SimpleNamespace(table_names=list),
        **more,
    )
    monkeypatch.setattr(copies, "connection", connection)


def fill(path, rows):
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE t (n, text)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [(n, "x" * 500) for n in range(rows)])


def test_a_copy_takes_the_place_of_a_database(tmp_path, monkeypatch):
    site, copy = tmp_path / "site", tmp_path / "copy"
    on(monkeypatch, f"sqlite:///{site}")
    fill(site, 20_000)
    copies.copy_database(copy)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "site"]
    with closing(sqlite3.connect(site)) as database, database:
        database.execute("DELETE FROM t WHERE n > 10")
        database.execute("CREATE TABLE newer (n)")
    copies.put_database(copy, scratch=tmp_path)
    with closing(sqlite3.connect(site)) as database:
        assert database.execute("SELECT count(*) FROM t").fetchone() == (20_000,)
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("t",)]


def test_a_damaged_database_is_told(tmp_path, monkeypatch):
    site = tmp_path / "site"
    on(monkeypatch, f"sqlite:///{site}")
    fill(site, 2000)
    with site.open("r+b") as file:
        file.seek(4096 * 20)
        file.write(b"\xff" * 4096)
    with pytest.raises(BackupRefused, match=r"damaged|malformed"):
        copies.copy_database(tmp_path / "copy")


def test_missing_programs_are_named(tmp_path, monkeypatch):
    on(monkeypatch, "postgresql://someone:secret@127.0.0.1:1/site")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupRefused, match="pg_dump is missing: install"):
        copies.copy_database(tmp_path / "copy")


def test_a_server_that_is_away_is_told_and_the_password_is_no_argument(tmp_path, monkeypatch):
    """A program of the same name shows what it was given."""
    on(monkeypatch, "postgresql://someone:secret@127.0.0.1:1/site?sslmode=disable")
    fake = tmp_path / "pg_dump"
    fake.write_text('#!/bin/sh\necho "$@" "$PGPASSWORD"x >&2; exit 1\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupRefused) as refused:
        copies.copy_database(tmp_path / "copy")
    message = str(refused.value)
    assert message.count("secret") == 1
    assert all(part in message for part in ("secretx", "sslmode=disable", "host=127.0.0.1"))
    assert "prepare" not in message
