"""Health, asked through HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.db import OperationalError, connection
from django.test import Client
from kombu import Connection

from paraanno import __version__, health
from tests.own_redis import OwnRedis, cached_at


@pytest.mark.django_db
def test_health_needs_no_login_and_names_its_parts(client: Client) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    found = answer.json()
    assert found["version"] == __version__
    assert found["database"]["ok"] is True
    assert found["broker"]["ok"] is True
    # No worker runs here, so the site takes judgments but computes nothing.
    assert (found["status"], found["worker"]["ok"]) == ("degraded", False)
    assert "No worker" in found["worker"]["message"]
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_health_is_503_without_a_database(client: Client) -> None:
    with mock.patch.object(health.connection, "cursor", side_effect=OperationalError("gone")):
        answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["status"] == "down"
    assert answer.json()["database"]["ok"] is False


@pytest.mark.django_db
def test_health_is_degraded_without_a_broker(client: Client) -> None:
    nobody = mock.Mock()
    nobody.conf.broker_url = "redis://127.0.0.1:1/0"
    nobody.connection_for_write = lambda: Connection(nobody.conf.broker_url)
    with mock.patch.object(health, "app", nobody):
        answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json()["status"] == "degraded"
    assert answer.json()["broker"]["ok"] is False


@pytest.mark.django_db
def test_ready_tells_what_works_and_what_does_not(client: Client, settings: Any) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    found = answer.json()
    # No worker runs here.
    assert (found["status"], found["reasons"]) == ("degraded", [found["worker"]["message"]])
    parts = ("database", "saving", "disk", "cache", "broker", "backup", "migrations")
    assert all(found[name] == {"ok": True, "message": ""} for name in parts)
    settings.DISK_FREE_MB = 10**9
    assert "MB left" in " ".join(client.get("/readyz").json()["reasons"])
    settings.BACKUP_DIR = Path(settings.DATA_DIR, "no-backups")
    assert "No nightly backup" in " ".join(client.get("/readyz").json()["reasons"])
    settings.BACKUP_DIR = None
    with mock.patch.dict(health.PARTS, worker=lambda: {"ok": True, "message": ""}):
        settings.DISK_FREE_MB = 0
        assert client.get("/readyz").json()["status"] == "ready"


@pytest.mark.django_db
def test_tables_that_lack_a_migration_are_not_ready(client: Client) -> None:
    """As on a host that was upgraded before the others; one query, and nothing is imported."""
    assert client.get("/readyz").status_code == 200
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "down")
    assert "lack 1 migrations" in " ".join(answer.json()["reasons"])


@pytest.mark.django_db(transaction=True)
def test_a_database_that_takes_no_writes_is_not_ready(client: Client) -> None:
    """The database's own refusal, which a full disk or a copy for reading gives."""
    sqlite = connection.vendor == "sqlite"
    client.get("/readyz")  # A row to change: the disk may be full long after the first.
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only=1" if sqlite else "SET default_transaction_read_only=on")
    try:
        answer = client.get("/readyz")
    finally:
        with connection.cursor() as cursor:
            off = "PRAGMA query_only=0" if sqlite else "SET default_transaction_read_only=off"
            cursor.execute(off)
    found = answer.json()
    assert (answer.status_code, found["status"]) == (503, "down")
    assert found["database"]["ok"] is True and found["saving"]["ok"] is False
    assert "Nothing can be saved" in " ".join(found["reasons"])


@pytest.mark.django_db
@pytest.mark.service("redis")
def test_ready_answers_soon_while_cache_and_broker_hang(
    client: Client, settings: Any, own_redis: OwnRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CACHES = cached_at(own_redis.url)
    options = {"socket_timeout": 0.1, "socket_connect_timeout": 0.1}
    nobody = mock.Mock()
    nobody.conf.broker_url = own_redis.url
    nobody.connection_for_write = lambda: Connection(own_redis.url, transport_options=options)
    monkeypatch.setattr(health, "app", nobody)
    assert {client.get("/readyz").json()[name]["ok"] for name in ("cache", "broker")} == {True}
    own_redis.freeze()
    answer = client.get("/readyz")
    assert answer.status_code == 200 and answer.json()["status"] == "degraded"
    assert {answer.json()[name]["ok"] for name in ("cache", "broker")} == {False}
