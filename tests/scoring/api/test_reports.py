"""Reports through the API."""

import pytest

from paraanno.jobs.engine import job_work
from scoring.models import Report
from scoring.reports import compute
from tests.scoring.api.test_routes import CAMP, rated, scored

__all__ = ["rated"]
pytestmark = pytest.mark.usefixtures("rated")


@pytest.mark.slow
def test_reports_are_what_the_commands_print(login):
    scored(login("dora"), "pinc")
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
    system = results["systems"]["S0"]
    assert (system["n"], system["scales"]["MEANING"]["pass"]) == (12, 0.5)
    assert answers["results-gold"]["result"]["unit"] == "gold"
    metrics = answers["correlation"]["result"]["human"]["MEANING"]["metrics"]
    assert list(metrics) == ["pinc"]


def test_a_report_says_which_judgments_count(login):
    vera = login("vera")
    second = vera.get(f"{CAMP}/reports/agreement?occasion=2").json()["result"]
    assert second["scales"]["MEANING"]["n_units"] == 0
    one = vera.get(f"{CAMP}/reports/results?systems=S1").json()["result"]
    # The texts that both systems made stay with both.
    assert one["systems"]["S1"]["n"] == 12
    for wrong, status in (
        ("agreement?occasion=0", 400),
        ("agreement?since=soon", 400),
        ("nothing", 404),
        ("gold-values?method=guess", 400),
        ("mixes?scaling=odd", 400),
    ):
        assert vera.get(f"{CAMP}/reports/{wrong}").status_code == status, wrong


def test_a_report_that_is_being_made_is_202_and_one_that_failed_says_why(
    login, settings, monkeypatch
):
    settings.REPORT_ON_THE_SPOT = 0
    vera = login("vera")
    waiting = vera.get(f"{CAMP}/reports/agreement")
    assert (waiting.status_code, waiting.json()["result"]) == (202, None)
    job_work("report", Report.objects.get().pk)
    assert vera.get(f"{CAMP}/reports/agreement").status_code == 200

    def broken(**_):
        raise ValueError("no good")

    settings.REPORT_ON_THE_SPOT = 10_000
    monkeypatch.setitem(compute.KINDS, "results", broken)
    answer = vera.get(f"{CAMP}/reports/results")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert "no good" in answer.json()["error"]
