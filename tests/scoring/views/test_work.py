"""The page Work, its API and its command: what is shown, cancelled, done again and paused."""

import io
import json

import pytest
from django.core.management import call_command

from annotation.importing.jobs import import_order
from annotation.models import AuditEntry, ImportJob, PausedWork
from paraanno.jobs.engine import KINDS, job_work
from scoring.exports.services import export_order
from scoring.models import ExportFile
from tests.clients import client_of, html_of
from tests.factories import item_rows, jsonl, make_admin, make_campaign, make_user


@pytest.fixture
def campaign():
    return make_campaign(items=2, open_it=False)


@pytest.fixture
def order(campaign):
    return import_order(
        campaign=campaign,
        what="items",
        stream=jsonl(item_rows(4)),
        name="texts.jsonl",
        actor=make_user("alice"),
    )


def page(name):
    return html_of(client_of(name).get("/work/"))


def test_an_import_is_cancelled_and_done_again(order):
    alice, shown = client_of("alice"), page("alice")
    assert "texts.jsonl" in shown and "Failed in the last week" not in shown
    place = f"/work/import/{order.key}"
    assert alice.post(f"{place}/again/").status_code == 409
    shown = html_of(alice.post(f"{place}/cancel/", follow=True))
    assert "texts.jsonl was cancelled" in shown and "Nothing waits" in shown
    assert not job_work("import", order.pk)
    assert alice.post(f"{place}/cancel/").status_code == 409
    assert alice.post(f"{place}/again/").status_code == 302
    assert job_work("import", order.pk)
    assert ImportJob.objects.get().status == "done"
    assert alice.post(f"{place}/again/").status_code == 409
    verbs = AuditEntry.objects.filter(object_type="importjob").values_list("verb", flat=True)
    assert set(verbs) >= {"cancel", "do again"}


def test_what_failed_says_why_and_may_be_run_again(campaign, monkeypatch):
    file = export_order(campaign=campaign, actor=make_user("alice"), what="items", format="csv")
    with monkeypatch.context() as patch:
        patch.setattr("scoring.exports.services.export_write", lambda **_: 1 / 0)
        job_work("export", file.pk)
    assert "ZeroDivisionError" in page("alice")
    client_of("alice").post(f"/work/export/{file.key}/again/")
    assert job_work("export", file.pk) and ExportFile.objects.get().status == "done"


def test_a_kind_is_paused_and_taken_up_again(campaign, order):
    assert client_of("alice").post("/work/pause/import/", {"pause": ""}).status_code == 404
    assert client_of("adam").post("/work/pause/nothing/", {"pause": ""}).status_code == 404
    assert client_of("adam").post("/work/pause/import/", {"pause": ""}).status_code == 302
    assert "Paused: Import" in page("alice") and "Resume: Import" in page("adam")
    assert not job_work("import", order.pk) and PausedWork.objects.get().paused_by == make_admin()
    client_of("adam").post("/work/pause/import/", {"resume": ""})
    assert not PausedWork.objects.exists() and job_work("import", order.pk)


def test_the_api_and_the_command_give_the_same_rows(campaign, order):
    alice = client_of("alice")
    export_order(campaign=campaign, actor=None, what="items", format="csv")
    rows = alice.get("/api/v1/jobs").json()["results"]
    assert [(row["kind"], row["status"], row["campaign"]) for row in rows] == [
        ("import", "queued", "camp"),
        ("export", "queued", "camp"),
    ]
    assert (rows[0]["attempts"], rows[0]["error"], rows[0]["who"]) == (0, "", "alice")
    out = io.StringIO()
    call_command("jobs", "--json", stdout=out)
    assert json.loads(out.getvalue()) == {"paused": [], "jobs": rows}
    for query, n in (("kind=export", 1), ("status=done", 0), ("campaign=other", 0)):
        assert len(alice.get(f"/api/v1/jobs?{query}").json()["results"]) == n
    assert alice.get("/api/v1/jobs?kind=x").status_code == 400
    place = f"/api/v1/jobs/import/{order.key}"
    assert alice.post(f"{place}/cancel").json()["status"] == "cancelled"
    assert alice.post(f"{place}/cancel").status_code == 409
    assert alice.post(f"{place}/again").json()["status"] == "queued"
    assert alice.get(f"/api/v1/campaigns/camp/imports/{order.key}").json()["status"] == "queued"
    for name, status in (("eve", 404), ("dora", 200)):
        assert client_of(name).get("/api/v1/jobs").status_code == status
    out = io.StringIO()
    call_command("jobs", "--status", "queued", stdout=out)
    assert out.getvalue().startswith("queued\timport\ttexts.jsonl\tcamp\talice\tattempt 0")


def test_the_page_costs_the_same_however_much_there_is(campaign, django_assert_max_num_queries):
    one = client_of("alice")
    for n in range(3):
        for _ in range(n):
            export_order(campaign=campaign, actor=None, what="items", format="csv")
        with django_assert_max_num_queries(len(KINDS) + 8):
            assert one.get("/work/").status_code == 200
