"""Metric runs: starting, watching, cancelling, trying again; and the life of workers."""

from django.db.models import F

from annotation.models import Reference
from annotation.models.fields import text_digest
from scoring.exports.design import facts_get
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
