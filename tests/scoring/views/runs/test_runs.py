"""Metric runs: starting, watching, cancelling, trying again; and the life of workers."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Reference
from scoring.models import Run
from scoring.services.runs.start import run_start
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.services.runs.started import finish
from tests.scoring.views.site import login

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "status"),
    [("alice", 302), ("dora", 302), ("adam", 302), ("vera", 403), ("bob", 403), ("charlie", 404)],
)
def test_who_may_start_cancel_and_retry(name: str, status: int) -> None:
    campaign = hand_campaign()
    client = login(name)
    started = client.post(reverse("runs", args=[campaign.slug]), {"metric": "bleu"})
    assert started.status_code == status
    assert Run.objects.exists() == (status == 302)
    run = Run.objects.first() or run_start(campaign=campaign, spec="bleu", actor=None)
    for act in ("run-cancel", "run-retry"):
        answer = client.post(reverse(act, args=[campaign.slug, run.key]))
        assert answer.status_code == status
    assert login(name).get(reverse("run-cancel", args=[campaign.slug, run.key])).status_code == 405


def test_readers_see_no_buttons() -> None:
    campaign = hand_campaign()
    run_start(campaign=campaign, spec="bleu", actor=None)
    page = login("vera").get(reverse("runs", args=[campaign.slug])).content.decode()
    assert "Start a run" not in page and "/cancel/" not in page
    page = login("dora").get(reverse("runs", args=[campaign.slug])).content.decode()
    assert "Start a run" in page and "/cancel/" in page


def test_a_mixture_of_references_and_originals_is_refused_and_the_run_says_what_it_met() -> None:
    campaign = hand_campaign()
    Reference.objects.filter(item__campaign=campaign).delete()
    Reference.objects.create(item=campaign.items.first(), position=0, text="A reference.")
    client, page = login("dora"), reverse("runs", args=[campaign.slug])
    answer = client.post(page, {"metric": ["pinc", "bleu"]})
    assert answer.status_code == 422 and not Run.objects.exists()
    shown = answer.content.decode()
    assert "Nothing was started." in shown and "bleu: " in shown and "against=mixed" in shown
    assert client.post(page, {"metric": "bleu", "against": "mixed"}).status_code == 302
    run = finish(Run.objects.get())
    shown = client.get(reverse("run", args=[campaign.slug, run.key])).content.decode()
    assert f"{run.met['references']} (references of each: 1)" in shown
    told = client.get(f"/api/v1/campaigns/{campaign.slug}/runs/{run.key}").json()
    assert (told["signature"], told["met"]) == (run.full_signature, run.met)
    Run.objects.update(met=None)  # As runs of before are.
    shown = client.get(reverse("run", args=[campaign.slug, run.key])).content.decode()
    assert "is unknown: this run was made by an earlier version" in shown


def test_worker_status_is_for_readers() -> None:
    hand_campaign()
    for name, status in (("vera", 200), ("adam", 200), ("bob", 403), ("charlie", 403)):
        assert login(name).get(reverse("worker-status")).status_code == status
    assert "No worker is running" in login("vera").get(reverse("worker-status")).content.decode()
