"""Metric runs: starting, watching, cancelling, trying again; and the life of workers."""

from django.db.models import F

from annotation.models import Reference
from annotation.models.fields import text_digest
from scoring.exports.design import facts_get
from scoring.models import Run
from scoring.paper.methods import methods_paragraph
from scoring.ratings.tables import ratings_get
from scoring.runs.start import run_start
from tests.clients import client_of, html_of, text_of
from tests.scoring.factories import finish
from tests.scoring.hand import hand_campaign
from tests.scoring.services.runs.score_files import FILE, upload

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


# Scores of metrics of one's own: a file becomes runs.


ADDRESS = "/c/camp/runs/import/"


def test_the_page(camp):
    dora = client_of("dora")
    assert dora.get(ADDRESS).status_code == 200
    wrong = dora.post(ADDRESS, {"file": upload(FILE.replace("0.5", "much")), "label": "blem"})
    assert wrong.status_code == 422 and "is not a number" in text_of(wrong)
    assert 'value="blem"' in html_of(wrong)
    wrong = dora.post(ADDRESS, {"file": upload(), "lower": "x, y"})
    assert wrong.status_code == 422 and "no scores called x, y" in text_of(wrong)
    assert dora.post(ADDRESS, {}).status_code == 422 and not Run.objects.exists()
    for says in ("Imported: mine.", "The same scores already exist: mine."):
        answer = dora.post(ADDRESS, {"file": upload(), "lower_is_better": "on"}, follow=True)
        run = Run.objects.get()
        assert not run.higher_is_better and says in text_of(answer)
        assert answer.redirect_chain[-1][0] == f"/c/camp/runs/{run.key}/"
    assert "import scores" in text_of(dora.get("/c/camp/audit/"))
