"""The checks, on judgments whose right outcome is known by hand."""

from annotation.models import Scale
from annotation.quality.checks import repeat_add
from annotation.quality.overview import outcome
from annotation.quality.rules import degraded_make
from paraanno.common.panel_links import ScaleTemplate
from tests.annotation.acts import control, work
from tests.annotation.selectors.quality.watched import PLAN, by_role, share, watched
from tests.factories import (
    add_copies,
    add_items,
    item_rows,
    make_annotator,
    make_campaign,
    new_campaign,
    open_campaign,
)


def worked(campaign, *choices):
    """Annotators who have judged everything, each by one choice."""
    annotators = [make_annotator(campaign, f"one{number}") for number in range(len(choices))]
    for annotator, choose in zip(annotators, choices, strict=True):
        work(annotator, choose)
    return annotators


def shares(check, campaign, *choices):
    return [share(one, check) for one in worked(campaign, *choices)]


def by_scale(meaning, other):
    return lambda text, scale: meaning if scale.name == "MEANING" else other


def test_controls_fail_outside_their_band():
    campaign = make_campaign(items=4, systems=2, k=3)
    for text in ("system 0 paraphrase 0", "system 0 paraphrase 1"):
        control(campaign, text, 4, 5)
    bob, ben = worked(campaign, by_scale(4, 4), by_scale(2, 5))
    assert (share(bob, "control"), share(ben, "control")) == ((4, 0), (4, 2))
    case = outcome(annotator=ben, check="control", plan=PLAN).cases[0]
    assert (case.got, case.wanted) == ("MEANING 2", "4–5")


def test_a_degraded_copy_must_be_below_its_original_unless_this_is_at_the_bottom():
    choices = [
        by_role(degraded=2),
        by_role(degraded=3),
        lambda text, scale: 2 if (text.role, scale.name) == ("degraded", "GRAMMAR") else 3,
    ]
    assert shares("degraded", watched(), *choices) == [(4, 0), (4, 4), (4, 0)]
    assert shares("degraded", watched(slug="bottom"), by_scale(1, 1)) == [(0, 0)]


def test_an_exact_copy_belongs_at_the_top():
    on_meaning = shares("copy", watched(), by_role(copy=5), by_role(copy=4))
    assert on_meaning == [(4, 0), (4, 4)]


def test_scales_where_less_is_better_or_values_are_fine():
    scales = [
        ScaleTemplate("ERROR", "", minimum=0, maximum=100, step=1, higher_is_better=False),
        ScaleTemplate("KIND", "", level=Scale.Level.NOMINAL, minimum=1, maximum=3),
    ]
    campaign = new_campaign("fine", scales=scales)
    add_items(campaign, item_rows(3, 2))
    degraded_make(campaign=campaign, items=3, method="shuffle", seed=1, actor=None)
    add_copies(campaign, 3)
    campaign = open_campaign(campaign)

    def error(copy, degraded):
        values = {"copy": copy, "degraded": degraded}
        return lambda text, scale: 2 if scale.name == "KIND" else values.get(text.role, 50)

    good, bad = worked(campaign, error(copy=9, degraded=51), error(copy=10, degraded=49))
    for check in ("copy", "degraded"):
        assert (share(good, check), share(bad, check)) == ((3, 0), (3, 3))


def test_exact_copies_of_ungrammatical_originals_are_no_fault():
    """The check asks on scales that compare with the original; a scale names it itself."""
    campaign = make_campaign(items=3, k=2, open_it=False)
    add_copies(campaign, 3)
    campaign = open_campaign(campaign)
    bob, ben = worked(campaign, by_scale(5, 1), by_scale(1, 5))
    assert (share(bob, "copy"), share(ben, "copy")) == ((3, 0), (3, 3))
    campaign.scales.update(copy_at_top=True)
    assert (share(bob, "copy"), share(ben, "copy")) == ((6, 3), (6, 3))


def test_repeats_compare_with_the_first_time():
    campaign = make_campaign(items=1, systems=4, k=1)
    bob = make_annotator(campaign)
    [sheet] = work(bob, by_scale(3, 3))
    repeat_add(annotator=bob, sheet=sheet, actor=None, after_sheets=0)
    texts = sorted(sheet.entries.values_list("substitution_id", flat=True))
    values = dict(zip(texts, (3, 4, 5, 1), strict=True))
    [again] = work(bob, lambda text, scale: values[text.pk])
    assert again.occasion == 2
    result = outcome(annotator=bob, check="repeat", plan=PLAN)
    assert (result.n, result.failed, result.figures["exact"]) == (8, 4, 2)
