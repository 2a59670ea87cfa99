"""Runs, scores and exports through the API."""

import json
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import ExportFile, Run
from tests.annotation.api.conftest import rows_of
from tests.factories import make_annotator, make_campaign, rate_all
from tests.scoring.factories import finish

CAMP = "/api/v1/campaigns/camp"


def scored(client, metric):
    """A run that was started and is over."""
    key = client.post(f"{CAMP}/runs", {"metric": metric}).json()["key"]
    return finish(Run.objects.get(key=key))


@pytest.fixture
def rated():
    campaign = make_campaign(items=6, k=2)
    for name, value in (("bob", 4), ("ben", 2)):
        rate_all(make_annotator(campaign, name), value=value)
    return campaign


def body_of(answer):
    return b"".join(answer.streaming_content)


def test_a_run_from_start_to_scores(login):
    texts = make_campaign(items=6).substitutions
    dora, vera = login("dora"), login("vera")
    started = dora.post(f"{CAMP}/runs", {"metric": "bleu:lowercase=yes"})
    assert started.status_code == 201, started.content
    run = started.json()
    assert (run["metric"], run["status"], run["done"]) == ("bleu", "queued", 0)
    assert run["total"] == texts.count() == 10
    assert str(scored(dora, "bleu:lowercase=yes").key) == run["key"]
    address = f"{CAMP}/runs/{run['key']}"
    done = vera.get(address).json()
    assert (done["status"], done["done"], done["failed"]) == ("done", 10, 0)
    scores = rows_of(vera, f"{address}/scores", page_size=3)
    assert len(scores) == 10
    assert {score["substitution"] for score in scores} == {str(one.key) for one in texts.all()}
    assert all(0 <= score["value"] <= 100 for score in scores)
    systems = vera.get(f"{address}/systems").json()
    assert {row["system"] for row in systems} == {"S0", "S1"}
    assert [row["key"] for row in rows_of(vera, f"{CAMP}/runs")] == [run["key"]]


def test_cancel_and_retry(login):
    make_campaign(items=2)
    dora = login("dora")
    key = dora.post(f"{CAMP}/runs", {"metric": "pinc"}).json()["key"]
    address = f"{CAMP}/runs/{key}"
    at_work = dora.post(f"{address}/retry")
    assert (at_work.status_code, at_work.json()["code"]) == (409, "conflict")
    assert dora.post(f"{address}/cancel").json()["status"] == "cancelled"
    assert dora.post(f"{address}/retry").json()["status"] == "queued"
    assert dora.post(f"{CAMP}/runs/{uuid4()}/cancel").status_code == 404


def test_a_page_of_scores_costs_the_same_for_many(login):
    make_campaign(items=20)
    dora, counts = login("dora"), set()
    address = f"{CAMP}/runs/{scored(dora, 'pinc').key}/scores"
    for size in (2, 30):
        with CaptureQueriesContext(connection) as captured:
            assert len(dora.get(address, {"page_size": size}).json()["results"]) == size
        counts.add(len(captured))
    assert len(counts) == 1


def test_small_exports_are_the_answer(login, rated):
    vera = login("vera")
    items = vera.post(f"{CAMP}/exports", {"what": "items", "format": "jsonl"})
    assert (items.status_code, items["Content-Type"]) == (200, "application/jsonl; charset=utf-8")
    assert 'filename="camp-items.jsonl"' in items["Content-Disposition"]
    assert len([json.loads(line) for line in body_of(items).splitlines()]) == 12
    matrix = vera.post(f"{CAMP}/exports", {"what": "matrix", "format": "csv", "scale": "MEANING"})
    assert body_of(matrix).splitlines()[0] == b"substitution,item,phrase,A01,A02"
    ccb = vera.post(f"{CAMP}/exports", {"what": "ccb", "annotator": "A01"})
    assert ccb["Content-Type"].startswith("text/plain")
    assert body_of(ccb).startswith(b"PHRASE 0 (phrase number: 1)\n")
    assert not ExportFile.objects.exists()
    for wrong in (
        {},
        {"what": "x"},
        {"what": "items", "format": "x"},
        {"what": "matrix"},
        {"what": "matrix", "scale": "x"},
        {"what": "ccb", "annotator": "x"},
    ):
        assert vera.post(f"{CAMP}/exports", wrong).status_code == 400, wrong
