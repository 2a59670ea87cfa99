"""Metric runs: starting, watching, cancelling, trying again; and the life of workers."""

from django.db.models import F

from annotation.models import Reference
from annotation.models.fields import text_digest
from scoring.exports.design import facts_get
from scoring.models import Run
from scoring.paper import methods_paragraph
from scoring.ratings.tables import ratings_get
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


def test_a_run_warns_of_references_that_replace_the_phrase_alone():
    campaign = hand_campaign()
    item = campaign.items.exclude(phrase__text=F("sentence")).first()
    text = item.phrase.text[:3]
    Reference.objects.filter(item__campaign=campaign).delete()
    Reference.objects.create(item=item, position=1, text=text, text_hash=text_digest(text))
    run = finish(
        run_start(campaign=campaign, spec="ter:against=mixed", actor=None, scope="sentence")
    )
    address = f"/c/{campaign.slug}/runs/{run.key}/"
    assert run.compared.references and "data-short" in html_of(client_of("alice").get(address))
    facts = facts_get(campaign=campaign, ratings=ratings_get(campaign=campaign))
    assert "they seem to replace the phrase alone" in methods_paragraph(
        facts,
        {"scales": {}},
        {"systems": {}, "thresholds": {}},
        names={},
        signature="",
    )
    Reference.objects.update(text=item.sentence, text_hash=text_digest(item.sentence))
    assert "data-short" not in html_of(client_of("alice").get(address))
