"""Metric runs: starting, watching, cancelling, trying again; and the life of workers."""

from annotation.models import Reference
from scoring.models import Run
from scoring.runs.start import run_start
from tests.clients import client_of, html_of
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.services.runs.started import finish

PAGE = "/c/hand/runs/"


def test_readers_see_no_buttons():
    run_start(campaign=hand_campaign(), spec="bleu", actor=None)
    for name in ("vera", "dora"):
        html = html_of(client_of(name).get(PAGE))
        assert ("Start a run" in html) == ("/cancel/" in html) == (name == "dora")
    assert "No worker is running" in html_of(client_of("vera").get("/worker-status/"))


def test_a_mixture_of_references_and_originals_is_refused_and_the_run_says_what_it_met():
    campaign, client = hand_campaign(), client_of("dora")
    Reference.objects.filter(item__campaign=campaign).delete()
    Reference.objects.create(item=campaign.items.first(), position=0, text="A reference.")
    answer = client.post(PAGE, {"metric": ["pinc", "bleu"]})
    assert answer.status_code == 422 and not Run.objects.exists()
    shown = html_of(answer)
    assert "Nothing was started." in shown and "bleu: " in shown and "against=mixed" in shown
    assert client.post(PAGE, {"metric": "bleu", "against": "mixed"}).status_code == 302
    run = finish(Run.objects.get())
    shown = html_of(client.get(f"{PAGE}{run.key}/"))
    assert f"{run.met['references']} (references of each: 1)" in shown
    answer = client.get(f"/api/v1/campaigns/hand/runs/{run.key}").json()
    assert (answer["signature"], answer["met"]) == (run.full_signature, run.met)
    Run.objects.update(met=None)  # As runs of before are.
    shown = html_of(client.get(f"{PAGE}{run.key}/"))
    assert "is unknown: this run was made by an earlier version" in shown
