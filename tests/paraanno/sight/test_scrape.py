"""`/metrics`: closed by default, then bounded, without people and texts, as deploy/ expects it."""

from __future__ import annotations

import json
import re
from ipaddress import ip_network
from typing import Any

import pytest
import yaml
from django.db import connection
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from annotation.models import SlotEvent
from paraanno.sight import counted
from scoring.models import WorkerBeat
from tests import HOME
from tests.annotation.api.collecting.place import Place

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-forty-characters-and-some-more"


@pytest.fixture
def opened(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN


def scraped(**headers: str) -> dict[str, Any]:
    """The families by name."""
    answer = Client().get("/metrics", headers={"authorization": f"Bearer {TOKEN}", **headers})
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    return {one.name: one for one in text_string_to_metric_families(answer.content.decode())}


def value(families: dict[str, Any], sample: str, **labels: str) -> float:
    for family in families.values():
        for one in family.samples:
            if one.name == sample and labels.items() <= one.labels.items():
                return float(one.value)
    return 0.0


def test_closed_by_default_and_to_everybody_without_token_or_network(settings: Any) -> None:
    asked = {"headers": {"authorization": f"Bearer {TOKEN}"}}
    assert Client().get("/metrics", **asked).status_code == 404
    settings.METRICS_TOKEN = TOKEN
    assert Client().get("/metrics", **asked).status_code == 200
    assert Client().post("/metrics", **asked).status_code == 405
    for wrong in ("", "Bearer", "Bearer x", f"Token {TOKEN}", f"Bearer {TOKEN}x"):
        assert Client().get("/metrics", headers={"authorization": wrong}).status_code == 404
    settings.METRICS_TOKEN, settings.METRICS_NETWORKS = "", [ip_network("10.1.0.0/16")]
    inside, outside = {"REMOTE_ADDR": "10.1.2.3"}, {"REMOTE_ADDR": "10.2.2.3"}
    assert Client().get("/metrics", **inside).status_code == 200
    assert Client().get("/metrics", **outside).status_code == 404
    # Without a trusted proxy the header is anybody's; behind one its last address counts.
    passed = {"HTTP_X_FORWARDED_FOR": "10.1.2.3, 192.0.2.1"}
    assert Client().get("/metrics", **outside, **passed).status_code == 404
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert Client().get("/metrics", **inside, **passed).status_code == 404
    passed = {"HTTP_X_FORWARDED_FOR": "192.0.2.1, 10.1.2.3"}
    assert Client().get("/metrics", **outside, **passed).status_code == 200
    assert Client().get("/metrics", REMOTE_ADDR="").status_code == 404


def test_work_is_counted_and_nobody_is_named(opened: None) -> None:
    before = scraped()
    place = Place(items=3)
    # Answered in short and in long, refused, and handed in with the next sheet.
    sent = place.answers()
    assert place.whole(sent[:1]).status_code == 200
    assert place.put(number=0, base_version=7).status_code == 409
    assert place.put(number=0, value=99).status_code == 400
    whole = place.whole(sent[1:], state="done", next=True).json()
    assert whole["state"] == "done" and whole["sheet"]
    Client().get("/no/such/page?q=secret-text")
    after = scraped()

    def more(sample: str, **labels: str) -> float:
        return value(after, sample, **labels) - value(before, sample, **labels)

    assert more("paraanno_saves_total") == len(sent)
    assert more("paraanno_claims_total") == SlotEvent.objects.filter(kind="claimed").count() == 2
    assert more("paraanno_refusals_total", code="stale") == 1
    assert more("paraanno_refusals_total", code="invalid") == 1
    route = "api/v1/sheets/<uuid:sheet>"
    assert more("paraanno_requests_total", method="PUT", route=route, status="200") == 2
    assert more("paraanno_requests_total", route="-", status="404") == 1
    assert more("paraanno_request_seconds_count", route=route) == 2
    assert value(after, "paraanno_sheets_open") == 1
    text = Client().get("/metrics", headers={"authorization": f"Bearer {TOKEN}"}).content.decode()
    for private in ("secret-text", "bob", str(place.sheet.key), str(place.bob.key), TOKEN):
        assert private not in text


def test_figures_of_the_site(opened: None, settings: Any, tmp_path: Any) -> None:
    from paraanno import clock

    WorkerBeat.objects.create(
        name="h:1:x", host="h", pid=1, queues=["paraanno"], processes=3,
        started_at=clock.now(), seen_at=clock.now(),
    )  # fmt: skip
    settings.BACKUP_DIR = tmp_path
    found = scraped()
    assert value(found, "paraanno_database_up") == 1
    assert value(found, "paraanno_worker_processes", queue="paraanno") == 3
    assert 0 <= value(found, "paraanno_worker_beat_age_seconds", host="h") < 60
    assert 0 < value(found, "paraanno_disk_free_bytes") <= value(found, "paraanno_disk_total_bytes")
    assert value(found, "paraanno_backup_late") == 1
    assert abs(value(found, "paraanno_clock_ahead_seconds")) < 60
    assert value(found, "paraanno_info", database=connection.vendor) == 1


def test_without_a_database_the_rest_is_told(opened: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import OperationalError

    from paraanno.sight import gauges

    def gone() -> Any:
        raise OperationalError("gone")

    monkeypatch.setattr(gauges, "GAUGES", [gauges.GAUGES[0], gone])
    monkeypatch.setattr("paraanno.sight.scrape.GAUGES", gauges.GAUGES)
    found = scraped()
    assert value(found, "paraanno_database_up") == 0
    assert value(found, "paraanno_disk_free_bytes") > 0


def test_closed_nothing_is_counted(settings: Any) -> None:
    counted.request_answered(method="GET", route="x", status=200, seconds=1)
    counted.refused("never_told")
    settings.METRICS_TOKEN = TOKEN
    assert value(scraped(), "paraanno_refusals_total", code="never_told") == 0


def test_alerts_and_dashboard_name_metrics_and_labels_that_exist(
    opened: None, settings: Any, tmp_path: Any
) -> None:
    from datetime import UTC, datetime

    from paraanno import clock

    WorkerBeat.objects.create(
        name="h:1:x", host="h", pid=1, queues=["paraanno"], started_at=clock.now(),
        seen_at=clock.now(),
    )  # fmt: skip
    counted.refused("throttled")
    counted.sheet_claimed()
    counted.answers_saved()
    folder = tmp_path / datetime.now(UTC).strftime("paraanno-%Y%m%d-%H%M%S")
    folder.mkdir()
    (folder / "manifest.json").touch()
    settings.BACKUP_DIR = tmp_path
    scraped()
    found = scraped()
    samples = {one.name: one.labels for family in found.values() for one in family.samples}
    alerts = yaml.safe_load((HOME / "deploy/prometheus/alerts.yml").read_text("utf-8"))
    board = json.loads((HOME / "deploy/grafana/paraanno.json").read_text("utf-8"))
    asked = [one["expr"] for group in alerts["groups"] for one in group["rules"]]
    asked += [target["expr"] for one in board["panels"] for target in one["targets"]]
    named = {name for one in asked for name in re.findall(r"paraanno_\w+", one)}
    assert named <= samples.keys()
    for one in asked:
        for name, choice in re.findall(r"(paraanno_\w+)\{(\w+)=", one):
            assert choice in samples[name]
    told = {name for name in samples if not name.endswith(("_created", "_sum", "_count"))}
    assert told - named == set()
    prometheus = yaml.safe_load((HOME / "deploy/prometheus/prometheus.yml").read_text("utf-8"))
    assert prometheus["rule_files"] == ["alerts.yml"]
