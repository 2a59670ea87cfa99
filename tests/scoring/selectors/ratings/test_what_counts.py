"""What counts as an item, a text, a sheet and an answer is the same everywhere."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client

from annotation.models import Campaign, Substitution
from annotation.selectors.campaigns.campaigns import campaign_counts
from annotation.selectors.campaigns.progress import campaign_progress
from annotation.services.campaigns.campaigns import campaign_open
from annotation.services.collecting.claiming import claim_next
from annotation.services.collecting.saving import Answer, judgment_save
from annotation.services.people.exclusions import exclusion_add
from annotation.services.quality.copies import copies_make, degraded_make
from annotation.services.quality.imports import text_add
from annotation.services.quality.rules import Band
from annotation.services.submitting import sheet_submit
from scoring.selectors.agreement import agreement_for
from scoring.selectors.exports.paper import facts_get
from scoring.selectors.gold.outcomes import results_for
from scoring.selectors.ratings.choice import Choice
from scoring.selectors.ratings.tables import cannot_judge, ratings_get
from tests.annotation.services.quality.school import add
from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_campaign, make_user

pytestmark = pytest.mark.django_db
EVERY_TEXT = {"S0": 1.0, "S1": 1.0}


@pytest.fixture
def watched() -> Campaign:
    """4 items of two systems (7 texts), 3 controls of their own, 2 copies of each kind, a practice
    text; two of the sheets are for everybody."""
    campaign = make_campaign(items=4, systems=2, k=2, open_it=False, shared_share=0.25)
    for number in range(3):
        text_add(
            campaign=campaign, role="control", part="", sentence=f"Watch this here {number}.",
            phrase="this", paraphrase=f"that {number}", actor=None,
            bands={name: Band(5, 5, "") for name in ("MEANING", "GRAMMAR")},
        )  # fmt: skip
    degraded_make(campaign=campaign, items=2, method="drop", seed=1, actor=None)
    copies_make(campaign=campaign, items=2, seed=1, actor=None)
    add(campaign, "practice", 1, 4, 5)
    return campaign_open(campaign=campaign, actor=make_user("alice"))


def cannot(annotator: object, campaign: Campaign) -> None:
    """Say "cannot judge" to every question of every sheet."""
    scales = list(campaign.scales.all())
    while sheet := claim_next(annotator=annotator):
        for entry in sheet.entries.select_related("substitution"):
            for scale in scales:
                judgment_save(
                    annotator=annotator, sheet_key=sheet.key, scale_key=scale.key,
                    substitution_key=entry.substitution.key, request_id=uuid4(), base_version=0,
                    answer=Answer(None, "no idea"),
                )  # fmt: skip
        sheet_submit(annotator=annotator, sheet_key=sheet.key)


def test_controls_and_practice_are_in_no_coverage(watched: Campaign, client: Client) -> None:
    found = results_for(campaign=watched)
    assert {name: one["coverage"] for name, one in found["systems"].items()} == EVERY_TEXT
    extra = make_campaign("half", items=4, systems=2)
    half = Substitution.objects.filter(campaign=extra, outputs__system__label="S1").first()
    assert half is not None
    half.outputs.filter(system__label="S1").delete()
    found = results_for(campaign=extra)
    assert found["systems"]["S1"]["coverage"] == 0.75


def test_the_page_counts_texts_of_systems_and_checks_apart(watched: Campaign) -> None:
    counts = campaign_counts(campaign=watched)
    assert (counts.items, counts.substitutions, counts.checks) == (4, 7, 8)
    page = text_of(client_of("vera").get("/c/camp/board/"))
    assert "Items 4 Paraphrases 7 Texts for quality control and practice 8" in page


def test_no_sheet_is_complete_right_after_opening(watched: Campaign) -> None:
    progress = campaign_progress(campaign=watched)
    assert progress.sheets_complete == 0
    # Of the 7 sheets some are for everybody, and three hold a control alone.
    own = watched.sheets.filter(shared=False, entries__substitution__role="output").distinct()
    assert progress.sheets == own.count() > 0
    for name in ("bob", "ben"):
        annotator = make_annotator(watched, name)
        cannot(annotator, watched)
    progress = campaign_progress(campaign=watched)
    assert progress.sheets_complete == progress.sheets


def test_cannot_judge_is_counted_once(watched: Campaign) -> None:
    bob, ben = make_annotator(watched, "bob"), make_annotator(watched, "ben")
    cannot(bob, watched)
    cannot(ben, watched)
    ratings = ratings_get(campaign=watched)
    told = {"MEANING": 14, "GRAMMAR": 14}  # 7 texts of systems, two annotators
    assert cannot_judge(campaign=watched, ratings=ratings) == told
    assert agreement_for(campaign=watched)["cannot_judge"] == told
    assert facts_get(campaign=watched, ratings=ratings).cannot_judge == 28

    text = watched.substitutions.filter(role="output").first()
    assert text is not None
    exclusion_add(target=ben, reason="asleep", actor=make_user("alice"))
    exclusion_add(target=text, reason="broken", actor=make_user("alice"))
    ratings = ratings_get(campaign=watched)
    assert cannot_judge(campaign=watched, ratings=ratings) == {"MEANING": 6, "GRAMMAR": 6}
    assert facts_get(campaign=watched, ratings=ratings).cannot_judge == 12
    past = Choice.from_json({"as_of": "2999-01-01"})
    then = ratings_get(campaign=watched, choice=past)
    assert cannot_judge(campaign=watched, ratings=then, choice=past)["MEANING"] == 6
