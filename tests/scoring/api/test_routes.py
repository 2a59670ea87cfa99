"""Runs, scores, reports and exports through the API."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign
from scoring.models import ExportFile, Report, Run
from scoring.services.reports import compute as reports
from scoring.services.reports.exports import export_make
from scoring.services.runs.work import run_work
from tests.annotation.api.conftest import Login, rows_of
from tests.factories import make_annotator, make_campaign, rate_all

CAMP = "/api/v1/campaigns/camp"

pytestmark = pytest.mark.django_db


def work(key: str) -> Run:
    """What a worker does until the run is over."""
    run = Run.objects.get(key=key)
    for _ in range(100):
        run_work(run_pk=run.pk)
        run.refresh_from_db()
        if run.status not in Run.ACTIVE:
            return run
    raise AssertionError(f"{run} does not end")


def rated() -> Campaign:
    campaign = make_campaign(items=6, k=2)
    for name, value in (("bob", 4), ("ben", 2)):
        rate_all(make_annotator(campaign, name), value=value)
    return campaign


def body_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


def test_a_run_from_start_to_scores(login: Login) -> None:
    campaign = make_campaign(items=6)
    dora = login("dora")
    started = dora.post(f"{CAMP}/runs", {"metric": "bleu:lowercase=yes"})
    assert started.status_code == 201, started.content
    run = started.json()
    assert (run["metric"], run["status"], run["done"]) == ("bleu", "queued", 0)
    assert run["total"] == campaign.substitutions.count() == 10
    address = f"{CAMP}/runs/{run['key']}"
    assert dora.post(f"{CAMP}/runs", {"metric": "bleu:lowercase=yes"}).json()["key"] == run["key"]
    work(run["key"])
    vera = login("vera")
    done = vera.get(address).json()
    assert (done["status"], done["done"], done["failed"]) == ("done", 10, 0)
    scores = rows_of(vera, f"{address}/scores", page_size=3)
    keys = {str(key) for key in campaign.substitutions.values_list("key", flat=True)}
    assert {score["substitution"] for score in scores} == keys
    assert len(scores) == 10
    assert all(0 <= score["value"] <= 100 for score in scores)
    systems = vera.get(f"{address}/systems").json()
    assert {row["system"] for row in systems} == {"S0", "S1"}
    assert [row["key"] for row in rows_of(vera, f"{CAMP}/runs")] == [run["key"]]


def test_cancel_and_retry(login: Login) -> None:
    make_campaign(items=2)
    dora = login("dora")
    key = dora.post(f"{CAMP}/runs", {"metric": "pinc"}).json()["key"]
    address = f"{CAMP}/runs/{key}"
    at_work = dora.post(f"{address}/retry")
    assert (at_work.status_code, at_work.json()["code"]) == (409, "conflict")
    assert dora.post(f"{address}/cancel").json()["status"] == "cancelled"
    assert dora.post(f"{address}/retry").json()["status"] == "queued"
    assert work(key).status == Run.Status.DONE
    assert dora.post(f"{CAMP}/runs/{uuid4()}/cancel").status_code == 404


@pytest.mark.parametrize("metric", ["", "nothing", "bleu:nothing=1", "bleu:", "\0", ":", "a" * 600])
def test_metrics_that_are_none_are_refused(login: Login, metric: str) -> None:
    make_campaign(items=1)
    answer = login("dora").post(f"{CAMP}/runs", {"metric": metric})
    if metric == "bleu:":
        assert answer.status_code in (201, 400)
    else:
        assert answer.status_code == 400, answer.content


def test_a_page_of_scores_costs_the_same_for_many(login: Login) -> None:
    make_campaign(items=20)
    dora = login("dora")
    key = dora.post(f"{CAMP}/runs", {"metric": "pinc"}).json()["key"]
    work(key)
    counts = []
    for size in (2, 30):
        with CaptureQueriesContext(connection) as captured:
            rows = dora.get(f"{CAMP}/runs/{key}/scores?page_size={size}").json()["results"]
        assert len(rows) == size
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_reports_are_what_the_commands_print(login: Login) -> None:
    rated()
    work(login("dora").post(f"{CAMP}/runs", {"metric": "pinc"}).json()["key"])
    vera = login("vera")
    answers = {
        kind: vera.get(f"{CAMP}/reports/{kind}").json()
        for kind in ("agreement", "results", "results-gold", "correlation")
    }
    assert all(answer["fresh"] and answer["made_at"] for answer in answers.values())
    agreement = answers["agreement"]["result"]["scales"]["MEANING"]
    assert (agreement["n_units"], agreement["n_annotators"]) == (10, 2)
    # Bob says 4 and Ben 2, always.
    assert agreement["percent_agreement"]["value"] == 0
    results = answers["results"]["result"]
    assert (results["unit"], results["thresholds"]) == ("judgment", {"MEANING": 3, "GRAMMAR": 4})
    meaning = results["systems"]["S0"]["scales"]["MEANING"]
    assert (results["systems"]["S0"]["n"], meaning["pass"]) == (12, 0.5)
    assert answers["results-gold"]["result"]["unit"] == "gold"
    metrics = answers["correlation"]["result"]["human"]["MEANING"]["metrics"]
    assert list(metrics) == ["pinc"]


def test_a_report_says_which_judgments_count(login: Login) -> None:
    rated()
    vera = login("vera")
    second = vera.get(f"{CAMP}/reports/agreement?occasion=2").json()["result"]
    assert second["scales"]["MEANING"]["n_units"] == 0
    one = vera.get(f"{CAMP}/reports/results?systems=S1").json()["result"]
    # The texts that both systems made stay with both.
    assert one["systems"]["S1"]["n"] == 12
    assert vera.get(f"{CAMP}/reports/agreement?occasion=0").status_code == 400
    assert vera.get(f"{CAMP}/reports/nothing").status_code == 404


def test_gold_by_a_method(login: Login) -> None:
    rated()
    vera = login("vera")
    values = vera.get(f"{CAMP}/reports/gold-values?method=severity").json()["result"]
    assert values["method"] == "severity"
    # Bob says 4 and Ben 2: the average annotator says 3.
    assert set(values["columns"]["MEANING"]["value"]) == {3}
    by_gold = vera.get(f"{CAMP}/reports/results-gold?method=dawid-skene").json()["result"]
    assert by_gold["gold"]["method"] == "dawid-skene"
    assert "needs 3 annotators" in by_gold["gold"]["pass_reason"]
    found = vera.get(f"{CAMP}/reports/gold").json()["result"]
    assert found["straddling"]["MEANING"]["decisions"] == 10
    assert vera.get(f"{CAMP}/reports/gold-values?method=guess").status_code == 400
    rows = vera.post(f"{CAMP}/exports", {"what": "gold", "format": "csv", "method": "median"})
    assert rows["Content-Disposition"].endswith('-gold-median.csv"')
    assert b",median," in b"".join(rows.streaming_content)


def test_a_report_that_is_being_made_is_202(login: Login, settings: Any) -> None:
    rated()
    settings.REPORT_ON_THE_SPOT = 0
    vera = login("vera")
    waiting = vera.get(f"{CAMP}/reports/agreement")
    assert (waiting.status_code, waiting.json()["result"]) == (202, None)
    reports.report_make(report_pk=Report.objects.get().pk)
    assert vera.get(f"{CAMP}/reports/agreement").status_code == 200


def test_a_report_that_failed_says_why(login: Login, monkeypatch: pytest.MonkeyPatch) -> None:
    rated()

    def broken(**_: Any) -> dict[str, Any]:
        raise ValueError("no good")

    monkeypatch.setitem(reports.KINDS, "agreement", broken)
    answer = login("vera").get(f"{CAMP}/reports/agreement")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert "no good" in answer.json()["error"]


def test_small_exports_are_the_answer(login: Login) -> None:
    rated()
    vera = login("vera")
    items = vera.post(f"{CAMP}/exports", {"what": "items", "format": "jsonl"})
    assert (items.status_code, items["Content-Type"]) == (200, "application/jsonl; charset=utf-8")
    assert 'filename="camp-items.jsonl"' in items["Content-Disposition"]
    rows = [json.loads(line) for line in body_of(items).splitlines()]
    assert len(rows) == 12
    matrix = vera.post(f"{CAMP}/exports", {"what": "matrix", "format": "csv", "scale": "MEANING"})
    assert body_of(matrix).splitlines()[0] == b"substitution,item,phrase,A01,A02"
    ccb = vera.post(f"{CAMP}/exports", {"what": "ccb", "annotator": "A01"})
    assert ccb["Content-Type"].startswith("text/plain")
    assert body_of(ccb).startswith(b"PHRASE 0 (phrase number: 1)\n")
    assert not ExportFile.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"what": "x"},
        {"what": "items", "format": "x"},
        {"what": "matrix"},
        {"what": "matrix", "scale": "x"},
        {"what": "ccb", "annotator": "x"},
    ],
)
def test_exports_that_are_none_are_refused(login: Login, body: dict[str, str]) -> None:
    make_campaign(items=1)
    assert login("vera").post(f"{CAMP}/exports", body).status_code == 400


def test_a_large_export_is_ordered_made_and_fetched(login: Login) -> None:
    rated()
    vera = login("vera")
    ordered = vera.post(f"{CAMP}/exports", {"what": "judgments", "format": "parquet"})
    assert (ordered.status_code, ordered.json()["status"]) == (202, "queued")
    address = f"{CAMP}/exports/{ordered.json()['key']}"
    early = vera.get(f"{address}/file")
    assert (early.status_code, early.json()["status"]) == (409, "queued")
    export_make(export_pk=ExportFile.objects.get().pk)
    done = vera.get(address).json()
    assert (done["status"], done["rows"]) == ("done", 40)
    content = body_of(vera.get(f"{address}/file"))
    assert hashlib.sha256(content).hexdigest() == done["sha256"]
    assert len(content) == done["size"]
    assert [row["key"] for row in rows_of(vera, f"{CAMP}/exports")] == [done["key"]]
    assert login("bob").get(f"{address}/file").status_code == 403
    assert login("charlie").get(f"{address}/file").status_code == 404
