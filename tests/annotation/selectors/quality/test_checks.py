"""The checks, on judgments whose right outcome is known by hand."""

from __future__ import annotations

import pytest

from annotation.models import Scale
from annotation.selectors.quality.overview import outcome
from annotation.services.campaigns.campaigns import campaign_create, campaign_open
from annotation.services.collecting.claiming import claim_next
from annotation.services.collecting.repeats import repeat_add
from annotation.services.quality.copies import copies_make, degraded_make
from paraanno.plain.campaign_template import ScaleTemplate
from tests.annotation.selectors.quality.watched import PLAN, by_role, share, watched
from tests.annotation.services.quality.acts import Choose, control, judge, work
from tests.factories import add_items, item_rows, make_annotator, make_campaign, make_user

pytestmark = pytest.mark.django_db


def test_controls_fail_outside_their_band() -> None:
    campaign = make_campaign(items=4, systems=2, k=3)
    for text in ("system 0 paraphrase 0", "system 0 paraphrase 1"):
        control(campaign, text, 4, 5)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    work(bob, lambda text, scale: 4)
    work(ben, lambda text, scale: 2 if scale.name == "MEANING" else 5)
    assert share(bob, "control") == (4, 0)
    assert share(ben, "control") == (4, 2)
    case = outcome(annotator=ben, check="control", plan=PLAN).cases[0]
    assert (case.got, case.wanted) == ("MEANING 2", "4–5")


def test_a_degraded_copy_must_be_below_its_original() -> None:
    campaign = watched()
    annotators = [make_annotator(campaign, name) for name in ("bob", "ben", "beth")]
    choices: list[Choose] = [
        by_role(degraded=2),
        by_role(degraded=3),
        lambda text, scale: 2 if (text.role, scale.name) == ("degraded", "GRAMMAR") else 3,
    ]
    for annotator, choose in zip(annotators, choices, strict=True):
        work(annotator, choose)
    assert [share(annotator, "degraded") for annotator in annotators] == [(4, 0), (4, 4), (4, 0)]


def test_a_pair_at_the_bottom_is_no_check() -> None:
    campaign = watched()
    bob = make_annotator(campaign, "bob")
    work(bob, lambda text, scale: 1)
    assert share(bob, "degraded") == (0, 0)


def test_an_exact_copy_belongs_at_the_top() -> None:
    campaign = watched()
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    work(bob, by_role(copy=5))
    work(ben, by_role(copy=4))
    assert share(bob, "copy") == (4, 0)  # On MEANING.
    assert share(ben, "copy") == (4, 4)


def test_scales_where_less_is_better_or_values_are_fine() -> None:
    scales = [
        ScaleTemplate(
            name="ERROR", question="", minimum=0, maximum=100, step=1, higher_is_better=False
        ),
        ScaleTemplate(name="KIND", question="", level=Scale.Level.NOMINAL, minimum=1, maximum=3),
    ]
    campaign = campaign_create(actor=make_user("alice"), slug="fine", scales=scales)
    add_items(campaign, item_rows(3, 2))
    degraded_make(campaign=campaign, items=3, method="shuffle", seed=1, actor=None)
    copies_make(campaign=campaign, items=3, seed=1, actor=None)
    campaign = campaign_open(campaign=campaign, actor=None)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")

    def error(copy: float, degraded: float) -> Choose:
        values = {"copy": copy, "degraded": degraded}
        return lambda text, scale: 2 if scale.name == "KIND" else values.get(text.role, 50)

    work(bob, error(copy=9, degraded=51))
    work(ben, error(copy=10, degraded=49))
    assert (share(bob, "copy"), share(bob, "degraded")) == ((3, 0), (3, 0))
    assert (share(ben, "copy"), share(ben, "degraded")) == ((3, 3), (3, 3))


def test_exact_copies_of_ungrammatical_originals_are_no_fault() -> None:
    """The check asks on scales that compare with the original; a scale names it itself."""
    campaign = make_campaign(items=3, k=2, open_it=False)
    copies_make(campaign=campaign, items=3, seed=1, actor=None)
    campaign = campaign_open(campaign=campaign, actor=None)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    work(bob, lambda text, scale: 5 if scale.name == "MEANING" else 1)
    work(ben, lambda text, scale: 1 if scale.name == "MEANING" else 5)
    assert (share(bob, "copy"), share(ben, "copy")) == ((3, 0), (3, 3))
    campaign.scales.update(copy_at_top=True)
    assert (share(bob, "copy"), share(ben, "copy")) == ((6, 3), (6, 3))


def test_repeats_compare_with_the_first_time() -> None:
    campaign = make_campaign(items=1, systems=4, k=1)
    bob = make_annotator(campaign, "bob")
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    judge(bob, sheet, lambda text, scale: 3)
    repeat_add(annotator=bob, sheet=sheet, actor=None, after_sheets=0)
    again = claim_next(annotator=bob)
    assert again is not None and again.occasion == 2
    texts = sorted(again.entries.values_list("substitution_id", flat=True))
    values = dict(zip(texts, (3, 4, 5, 1), strict=True))
    judge(bob, again, lambda text, scale: values[text.pk])
    result = outcome(annotator=bob, check="repeat", plan=PLAN)
    assert (result.n, result.failed, result.figures["exact"]) == (8, 4, 2)
