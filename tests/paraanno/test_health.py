"""Health, asked through HTTP."""

from datetime import timedelta
from pathlib import Path
from unittest import mock

import pytest
from django.db import OperationalError, connection
from kombu import Connection

from annotation.models import Letter
from paraanno import __version__, clock, health
from tests.own_redis import cached_at
from tests.paraanno.answers.test_unavailable import reading_only

pytestmark = pytest.mark.django_db


def test_health_needs_no_login_and_names_its_parts(client, monkeypatch):
    monkeypatch.setattr("scoring.work.workers.is_starting", lambda: False)  # Long ago.
    answer = client.get("/healthz")
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    found = answer.json()
    assert found["version"] == __version__
    # No worker runs here, so the site takes judgments but computes nothing.
    assert [found[name]["ok"] for name in ("database", "broker", "worker")] == [True, True, False]
    assert found["status"] == "degraded" and "No worker" in found["worker"]["message"]


def test_health_is_503_without_a_database(client):
    with mock.patch.object(health.connection, "cursor", side_effect=OperationalError("gone")):
        answer = client.get("/healthz")
    assert answer.status_code == 503
    assert (answer.json()["status"], answer.json()["database"]["ok"]) == ("down", False)


def with_broker(url, **options):
    """The broker at this address is the site's."""
    app = mock.Mock()
    app.conf.broker_url = url
    app.connection_for_write = lambda: Connection(url, **options)
    return mock.patch.object(health, "app", app)


def test_ready_tells_what_works_and_what_does_not(client, settings):
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
    settings.BACKUP_DIR, settings.DISK_FREE_MB = None, 0
    with mock.patch.dict(health.PARTS, worker=lambda: {"ok": True, "message": ""}):
        assert client.get("/readyz").json()["status"] == "ready"


@pytest.mark.parametrize(
    ("letters", "told"),
    [
        ([("waiting", 14)], ""),
        ([("refused", 1), ("sent", 1)], ""),
        ([("refused", 60 * 25)], ""),
        ([("waiting", 16), ("sent", 0)], "1 e-mails have waited for more than 15 minutes"),
        ([("refused", 1), ("refused", 2), ("sent", 3)], "2 of today's 3 e-mails were refused"),
    ],
)
def test_e_mails_that_nobody_takes_are_not_ready(client, letters, told):
    for status, minutes in letters:
        at = clock.now() - timedelta(minutes=minutes)
        Letter.objects.create(
            kind="test",
            to="a@example.org",
            subject="S",
            status=status,
            created_at=at,
            closed_at=None if status == "waiting" else at,
            why="550 a@example.org",
        )
    found = client.get("/readyz").json()["letters"]
    assert found["ok"] == (not told) and found["message"].startswith(told)
    assert "example.org" not in found["message"]


def test_tables_that_lack_a_migration_are_not_ready(client):
    """As on a host that was upgraded before the others; one query, and nothing is imported."""
    assert client.get("/readyz").status_code == 200
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "down")
    assert "lack 1 migrations" in " ".join(answer.json()["reasons"])


@pytest.mark.django_db(transaction=True)
def test_a_database_that_takes_no_writes_is_not_ready(client):
    """The database's own refusal, which a full disk or a copy for reading gives."""
    client.get("/readyz")  # A row to change: the disk may be full long after the first.
    with reading_only():
        answer = client.get("/readyz")
    found = answer.json()
    assert (answer.status_code, found["status"]) == (503, "down")
    assert (found["database"]["ok"], found["saving"]["ok"]) == (True, False)
    assert "Nothing can be saved" in " ".join(found["reasons"])


@pytest.mark.service("redis")
def test_ready_answers_soon_while_cache_and_broker_hang(client, settings, own_redis):
    settings.CACHES = cached_at(own_redis.url)
    options = {"socket_timeout": 0.1, "socket_connect_timeout": 0.1}

    def parts():
        answer = client.get("/readyz")
        found = answer.json()
        return answer.status_code, found["status"], {found["cache"]["ok"], found["broker"]["ok"]}

    with with_broker(own_redis.url, transport_options=options):
        assert parts() == (200, "degraded", {True})
        own_redis.freeze()
        assert parts() == (200, "degraded", {False})
