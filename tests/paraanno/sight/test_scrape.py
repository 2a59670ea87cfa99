"""`/metrics`: closed by default, then bounded, without people and texts, as deploy/ expects it."""

import json
import re
from datetime import UTC, datetime
from ipaddress import ip_network

import pytest
import yaml
from django.db import OperationalError
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from annotation.models import SlotEvent
from paraanno import clock
from paraanno.observability import counted
from scoring.models import WorkerBeat
from tests import HOME
from tests.annotation.place import Place

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-forty-characters-and-some-more"
WITH_TOKEN = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def opened(settings):
    settings.METRICS_TOKEN = TOKEN


@pytest.fixture
def beat():
    WorkerBeat.objects.create(
        name="h:1:x",
        host="h",
        pid=1,
        queues=["paraanno"],
        processes=3,
        started_at=clock.now(),
        seen_at=clock.now(),
    )


def scraped():
    """The families by name."""
    answer = Client().get("/metrics", headers=WITH_TOKEN)
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    return {one.name: one for one in text_string_to_metric_families(answer.content.decode())}


def value(families, sample, **labels):
    for family in families.values():
        for one in family.samples:
            if one.name == sample and labels.items() <= one.labels.items():
                return float(one.value)
    return 0.0


def status(**options):
    return Client().get("/metrics", **options).status_code


def test_closed_by_default_and_to_everybody_without_token(settings):
    assert status(headers=WITH_TOKEN) == 404
    settings.METRICS_TOKEN = TOKEN
    assert status(headers=WITH_TOKEN) == 200
    assert Client().post("/metrics", headers=WITH_TOKEN).status_code == 405
    for wrong in ("", "Bearer", "Bearer x", f"Token {TOKEN}", f"Bearer {TOKEN}x"):
        assert status(headers={"authorization": wrong}) == 404


INSIDE, OUTSIDE = "10.1.2.3", "10.2.2.3"


@pytest.mark.parametrize(
    ("proxy", "address", "passed", "code"),
    [
        (False, INSIDE, "", 200),
        (False, OUTSIDE, "", 404),
        # Without a trusted proxy the header is anybody's; behind one its last address counts.
        (False, OUTSIDE, f"{INSIDE}, 192.0.2.1", 404),
        (True, INSIDE, f"{INSIDE}, 192.0.2.1", 404),
        (True, OUTSIDE, f"192.0.2.1, {INSIDE}", 200),
        (True, "", "", 404),
    ],
)
def test_a_network_may_scrape_without_a_token(settings, proxy, address, passed, code):
    settings.METRICS_NETWORKS = [ip_network("10.1.0.0/16")]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if proxy else None
    forwarded = {"HTTP_X_FORWARDED_FOR": passed} if passed else {}
    assert status(REMOTE_ADDR=address, **forwarded) == code


def test_work_is_counted_and_nobody_is_named(opened):
    before = scraped()
    place = Place(items=3)
    # Answered in short and in long, refused, and handed in with the next sheet.
    sent = place.answers()
    assert place.whole(sent[:1]).status_code == 200
    assert place.put(number=0, base_version=7).status_code == 409
    assert place.put(number=0, value=99).status_code == 400
    assert place.whole(sent[1:], state="done", next=True).json()["sheet"]
    Client().get("/no/such/page?q=secret-text")
    after = scraped()

    def more(sample, **labels):
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
    text = Client().get("/metrics", headers=WITH_TOKEN).content.decode()
    for private in ("secret-text", "bob", str(place.sheet.key), str(place.bob.key), TOKEN):
        assert private not in text


def test_without_a_database_the_rest_is_told(opened, monkeypatch):
    def gone():
        raise OperationalError("gone")

    monkeypatch.setattr("paraanno.observability.logs.GAUGES", [counted.GAUGES[0], gone])
    found = scraped()
    assert value(found, "paraanno_database_up") == 0
    assert value(found, "paraanno_disk_free_bytes") > 0


def test_alerts_and_dashboard_name_metrics_and_labels_that_exist(opened, beat, settings, tmp_path):
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
    named = set(re.findall(r"paraanno_\w+", " ".join(asked)))
    assert named <= samples.keys()
    for name, choice in re.findall(r"(paraanno_\w+)\{(\w+)=", " ".join(asked)):
        assert choice in samples[name]
    told = {name for name in samples if not name.endswith(("_created", "_sum", "_count"))}
    assert told - named == set()
    prometheus = yaml.safe_load((HOME / "deploy/prometheus/prometheus.yml").read_text("utf-8"))
    assert prometheus["rule_files"] == ["alerts.yml"]
