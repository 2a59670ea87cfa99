"""What is read of a campaign is the same, whatever happens in the campaigns beside it."""

from uuid import uuid4

import pytest

from annotation.collecting.claiming import claim_next
from annotation.collecting.sheets import remark_add, sheet_skip
from annotation.models import Annotator
from annotation.people.background import Given, Question, question_add
from annotation.people.exclusions import annotator_withdraw
from annotation.sheets.slots import annotators_per_sheet_set
from tests.annotation.selectors.busy import read
from tests.factories import give_answers, make_annotator, make_user
from tests.site.permissions.world import make_world


def busy(slug):
    """A world in which somebody also left, spoke, gave a sheet back, and is no person at all."""
    world = make_world(slug)
    campaign = world.campaign
    beth, cleo = make_annotator(campaign, "beth"), make_annotator(campaign, "cleo")
    [asked] = campaign.background_questions.all()
    give_answers(beth, {asked.key: Given(("40",))})
    give_answers(cleo, {asked.key: Given(("41",))})
    sheet = claim_next(annotator=cleo)
    remark_add(
        annotator=cleo,
        sheet_key=sheet.key,
        substitution_key=None,
        flagged=True,
        text=slug,
        request_id=uuid4(),
    )
    sheet_skip(annotator=cleo, sheet_key=sheet.key, reason="too hard")
    annotator_withdraw(annotator=cleo)
    return world


@pytest.mark.slow
def test_a_campaign_beside_it_changes_nothing_that_is_read_of_a_campaign():
    world = busy("camp")
    before = read(world.campaign, world.bob)
    beside = busy("beside")
    Annotator.objects.create(campaign=beside.campaign, code="Z", origin="simulated")
    question_add(campaign=beside.campaign, question=Question("Why?"), actor=make_user("alice"))
    assert read(world.campaign, world.bob) == before
    assert all(read(beside.campaign, beside.bob).values())
    # The other way round: what came first is not counted for what came later.
    annotators_per_sheet_set(campaign=beside.campaign, wanted=4, actor=None)
    slots = beside.campaign.slots.exclude(state="void").count()
    [line] = read(beside.campaign, beside.bob)["list"]
    assert line["slots_all"] == slots > before["list"][0]["slots_all"]
