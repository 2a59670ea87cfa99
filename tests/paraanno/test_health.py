"""Health, asked through HTTP."""

from __future__ import annotations

from unittest import mock

import pytest
from django.db import OperationalError
from django.test import Client
from kombu import Connection

from paraanno import __version__, health


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
