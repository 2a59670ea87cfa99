"""What counts as an item, a text, a sheet and an answer is the same everywhere."""

from uuid import uuid4

import pytest

from annotation.campaigns.queries import campaign_counts
from annotation.campaigns.services import campaign_open
from annotation.collecting.claiming import claim_next
from annotation.collecting.saving import Answer, judgment_save, sheet_submit
from annotation.people.exclusions import exclusion_add
from annotation.quality.expected import Band, text_add
from annotation.quality.rules import copies_make, degraded_make
from annotation.sheets.progress import campaign_progress
from scoring.agreement.report import agreement_for
from scoring.exports.design import facts_get
from scoring.gold.report import results_for
from scoring.ratings.choice import Choice
from scoring.ratings.tables import cannot_judge, ratings_get
from tests.annotation.school import add
from tests.clients import client_of, text_of
from tests.factories import make_annotator, make_campaign, make_user


@pytest.fixture
def watched():
    """4 items of two systems (7 texts), 3 controls of their own, 2 copies of each kind, a practice
    text; two of the sheets are for everybody."""
    campaign = make_campaign(items=4, systems=2, k=2, open_it=False, shared_share=0.25)
    for number in range(3):
        text_add(
            campaign=campaign,
            role="control",
            part="",
            sentence=f"Watch this here {number}.",
            phrase="this",
            paraphrase=f"that {number}",
            actor=None,
            bands={name: Band(5, 5, "") for name in ("MEANING", "GRAMMAR")},
        )
    degraded_make(campaign=campaign, items=2, method="drop", seed=1, actor=None)
    copies_make(campaign=campaign, items=2, seed=1, actor=None)
    add(campaign, "practice", 1, 4, 5)
    return campaign_open(campaign=campaign, actor=make_user("alice"))


def cannot(annotator):
    """Say "cannot judge" to every question of every sheet."""
    while sheet := claim_next(annotator=annotator):
        for entry in sheet.entries.select_related("substitution"):
            for scale in annotator.campaign.scales.all():
                judgment_save(
                    annotator=annotator,
                    sheet_key=sheet.key,
                    scale_key=scale.key,
                    substitution_key=entry.substitution.key,
                    request_id=uuid4(),
                    base_version=0,
                    answer=Answer(None, "no idea"),
                )
        sheet_submit(annotator=annotator, sheet_key=sheet.key)


def test_controls_and_practice_are_in_no_coverage(watched):
    def coverage():
        systems = results_for(campaign=watched)["systems"]
        return {name: one["coverage"] for name, one in systems.items()}

    assert coverage() == {"S0": 1, "S1": 1}
    watched.systems.get(label="S1").outputs.first().delete()
    assert coverage() == {"S0": 1, "S1": 0.75}


def test_the_page_counts_texts_of_systems_and_checks_apart(watched):
    counts = campaign_counts(campaign=watched)
    assert (counts.items, counts.substitutions, counts.checks) == (4, 7, 8)
    page = text_of(client_of("vera").get("/c/camp/board/"))
    assert "Items 4 Paraphrases 7 Texts for quality control and practice 8" in page


def test_no_sheet_is_complete_right_after_opening(watched):
    progress = campaign_progress(campaign=watched)
    assert progress.sheets_complete == 0
    # Of the 7 sheets some are for everybody, and three hold a control alone.
    own = watched.sheets.filter(shared=False, entries__substitution__role="output").distinct()
    assert progress.sheets == own.count() > 0
    for name in ("bob", "ben"):
        cannot(make_annotator(watched, name))
    progress = campaign_progress(campaign=watched)
    assert progress.sheets_complete == progress.sheets


def test_cannot_judge_is_counted_once(watched):
    bob, ben = make_annotator(watched, "bob"), make_annotator(watched, "ben")
    cannot(bob)
    cannot(ben)

    def counted(**chosen):
        choice = Choice(**chosen)
        ratings = ratings_get(campaign=watched, choice=choice)
        counts = cannot_judge(campaign=watched, ratings=ratings, choice=choice)
        facts = facts_get(campaign=watched, ratings=ratings)
        assert facts.cannot_judge == sum(counts.values())
        return counts

    both = {"MEANING": 14, "GRAMMAR": 14}  # 7 texts of systems, two annotators
    assert counted() == agreement_for(campaign=watched)["cannot_judge"] == both
    for target in (ben, watched.substitutions.filter(role="output").first()):
        exclusion_add(target=target, reason="broken", actor=make_user("alice"))
    rest = {"MEANING": 6, "GRAMMAR": 6}
    assert counted() == counted(as_of="2999-01-01") == rest
