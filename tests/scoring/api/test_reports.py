"""Reports through the API."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.models import Report
from scoring.services.reports import compute as reports
from tests.annotation.api.conftest import Login
from tests.scoring.api.test_routes import CAMP, rated, work

pytestmark = pytest.mark.django_db


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


def test_mixes_and_one_metric_are_reports_about_what_is_asked_for(login: Login) -> None:
    rated()
    dora = login("dora")
    keys = [work(dora.post(f"{CAMP}/runs", {"metric": one}).json()["key"]).key
            for one in ("pinc", "jaccard")]  # fmt: skip
    mixes = dora.get(f"{CAMP}/reports/mixes").json()["result"]
    assert (mixes["curve"]["first"], mixes["curve"]["second"]) == ("jaccard", "pinc")
    turned = dora.get(
        f"{CAMP}/reports/mixes?first={keys[0]}&scaling=z&fit=ols&scale=GRAMMAR"
    ).json()["result"]
    assert (turned["curve"]["first"], turned["curve"]["second"]) == ("pinc", "jaccard")
    assert (turned["curve"]["scale"], turned["best"]["fit"]) == ("z", "ols")
    points = dora.get(f"{CAMP}/reports/one-metric?run={keys[0]}&scale=GRAMMAR").json()["result"]
    assert (points["run"], points["human"]) == (str(keys[0]), "GRAMMAR")
    # Bob says 4 and Ben 2, always.
    assert len(points["units"]) == 10 and set(points["people"]) == {3}
    assert dora.get(f"{CAMP}/reports/mixes?scaling=odd").status_code == 400
