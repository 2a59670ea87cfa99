"""An import is taken back while nothing was made of it."""

import pytest
from django.core.management import call_command

from annotation.errors import Conflict
from annotation.importing.take_back import import_take_back
from annotation.models import Annotator, Item, Judgment, Phrase, Sheet, Substitution, System
from scoring.runs.start import run_start
from tests.factories import (
    add_items,
    add_judgments,
    item_rows,
    make_annotator,
    make_campaign,
    rate_all,
)
from tests.scoring.factories import finish

MODELS = (Item, Substitution, System, Phrase, Sheet, Annotator, Judgment)
NEW = [
    {
        "item": "new-1",
        "phrase": "gave way",
        "sentence": "It gave way.",
        "paraphrase": "broke",
        "system": "X",
        "reference": "It broke.",
    },
    {
        "item": "item-0",
        **{key: item_rows(1)[0][key] for key in ("phrase", "sentence")},
        "paraphrase": "something else",
        "system": "X",
    },
]


def counted(campaign):
    return {
        model.__name__: model._default_manager.filter(campaign=campaign).count() for model in MODELS
    }


def taken_back(campaign):
    """What was removed with the newest import."""
    return import_take_back(batch=campaign.batches.first(), actor=None)


@pytest.mark.parametrize("opened", [True, False])
def test_what_it_added_is_gone_and_what_was_there_stays(opened):
    campaign = make_campaign(items=2, open_it=opened)
    before = counted(campaign)
    add_items(campaign, NEW)
    assert counted(campaign) != before
    removed = taken_back(campaign)
    assert counted(campaign) == before
    assert removed["substitutions"] == 2 and removed["items"] == removed["systems"] == 1
    assert campaign.batches.count() == 1
    call_command("verify", "camp")
    add_items(campaign, NEW)  # It can come again.


def refused(campaign, why):
    before = counted(campaign)
    with pytest.raises(Conflict, match=why):
        taken_back(campaign)
    assert counted(campaign) == before


def test_texts_that_a_later_import_builds_on_stay(draft):
    add_items(draft, [NEW[1]])
    with pytest.raises(Conflict, match="Later texts"):
        import_take_back(batch=draft.batches.earliest("pk"), actor=None)
    taken_back(draft)
    taken_back(draft)
    assert not draft.items.exists()


def test_texts_that_were_judged_or_that_metrics_scored_and_imports_of_old_versions_stay():
    begun = make_campaign("begun", items=1)
    rate_all(make_annotator(begun), at_most=1)
    refused(begun, "has judged")
    campaign = make_campaign(items=1, open_it=False)
    finish(run_start(campaign=campaign, spec="pinc", actor=None, scope="phrase"))
    refused(campaign, "Metrics have scored")
    Substitution.objects.filter(campaign=campaign).update(batch=None)
    refused(campaign, "earlier version")


def judged(campaign, **more):
    text = campaign.substitutions.earliest("pk")
    row = {"item": "item-0", "paraphrase": text.text, "annotator": "a", "value": 4}
    add_judgments(campaign, [{**row, "scale": scale} for scale in ("MEANING", "GRAMMAR")], **more)


def test_judgments_and_their_voices(draft, rows_by_hand):
    before = counted(draft)
    judged(draft)
    removed = taken_back(draft)
    assert removed == {"judgments": 2, "annotators": 1}
    assert counted(draft) == before
    judged(draft)
    Judgment.objects.filter(campaign=draft, scale__name="MEANING").update(version=2)
    refused(draft, "changed since")
