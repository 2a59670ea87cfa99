"""The checks, on judgments whose right outcome is known by hand."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Annotator, Campaign, QualityPlan, Scale
from annotation.selectors.quality import outcome, overview, record
from annotation.selectors.quality_pace import chance_of_run, likelihoods
from annotation.services.campaigns import campaign_create, campaign_open
from annotation.services.claiming import claim_next
from annotation.services.quality_copies import copies_make, degraded_make
from annotation.services.repeats import repeat_add
from annotation.services.templates import ScaleTemplate
from tests.factories import add_items, item_rows, make_annotator, make_campaign, make_user
from tests.quality.acts import Choose, control, judge, work

pytestmark = pytest.mark.django_db
PLAN = QualityPlan()


def share(annotator: Annotator, check: str) -> tuple[int, int]:
    """Checked and failed."""
    result = outcome(annotator=annotator, check=check, plan=PLAN)
    return result.n, result.failed


def watched(items: int = 4, **settings: object) -> Campaign:
    """Every item has a degraded and an exact copy."""
    campaign = make_campaign(items=items, systems=2, k=3, open_it=False, **settings)
    degraded_make(campaign=campaign, items=items, method="shuffle", seed=1, actor=None)
    copies_make(campaign=campaign, items=items, seed=1, actor=None)
    return campaign_open(campaign=campaign, actor=None)


def by_role(**values: float) -> Choose:
    return lambda text, scale: values.get(text.role, 3)


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
    assert (case.got, case.wanted) == ("MEANING 2", "4–5")  # noqa: RUF001


def test_a_degraded_copy_must_be_below_its_original() -> None:
    campaign = watched()
    voices = [make_annotator(campaign, name) for name in ("bob", "ben", "beth")]
    choices: list[Choose] = [
        by_role(degraded=2),
        by_role(degraded=3),
        lambda text, scale: 2 if (text.role, scale.name) == ("degraded", "GRAMMAR") else 3,
    ]
    for voice, choose in zip(voices, choices, strict=True):
        work(voice, choose)
    assert [share(voice, "degraded") for voice in voices] == [(4, 0), (4, 4), (4, 0)]


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
    assert share(bob, "copy") == (8, 0)
    assert share(ben, "copy") == (8, 8)


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


def test_too_fast_is_by_sheet_and_the_servers_clock() -> None:
    campaign = make_campaign(items=4, systems=2, k=2)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    work(bob, lambda text, scale: 3, seconds=1.5)
    work(ben, lambda text, scale: 3, seconds=0.4)
    assert share(bob, "fast") == (4, 0)
    assert share(ben, "fast") == (4, 4)


def test_answers_that_come_together_are_not_too_fast() -> None:
    """A form without JavaScript, and a browser that was offline, send all of a sheet at once."""
    campaign = make_campaign(items=4, systems=2, k=2)
    bob = make_annotator(campaign, "bob")
    now = timezone.now()
    for number in range(4):
        at = now + timedelta(minutes=number)
        sheet = claim_next(annotator=bob, now=at)
        assert sheet is not None
        judge(bob, sheet, lambda text, scale: 3, at=at + timedelta(seconds=30), seconds=0)
    assert share(bob, "fast") == (4, 0)


def test_a_sheet_claimed_early_is_timed_from_the_save_before() -> None:
    """The browser fetches the next sheet ahead."""
    campaign = make_campaign(items=4, systems=2, k=2)
    bob = make_annotator(campaign, "bob")
    now = timezone.now()
    first = claim_next(annotator=bob, now=now)
    assert first is not None
    judge(bob, first, lambda text, scale: 3, at=now + timedelta(seconds=60))
    second = claim_next(annotator=bob, now=now + timedelta(seconds=1))
    assert second is not None
    late = now + timedelta(seconds=60 + 3 * 2 * first.entries.count())
    judge(bob, second, lambda text, scale: 3, at=late, seconds=0.1)
    assert share(bob, "fast") == (2, 1)


def test_long_runs_are_compared_with_chance() -> None:
    campaign = make_campaign(items=20, systems=2, k=3)
    bob, ben, beth = (make_annotator(campaign, name) for name in ("bob", "ben", "beth"))
    turn = iter(range(10_000))
    work(beth, lambda text, scale: 1 + next(turn) % 5)
    turn = iter(range(10_000))
    work(ben, lambda text, scale: 1 + (next(turn) * 7 // 3) % 5)
    work(bob, lambda text, scale: 3)
    assert share(ben, "straight")[1] == 0
    n, failed = share(bob, "straight")
    assert n == failed > 40
    figures = outcome(annotator=bob, check="straight", plan=PLAN).figures
    assert figures["longest"] == n / 2 and figures["chance"] < 1e-6


def test_a_value_that_everybody_gives_may_come_often() -> None:
    campaign = make_campaign(items=20, systems=2, k=3)
    voices = [make_annotator(campaign, name) for name in ("ben", "beth", "bob")]
    for voice in voices:
        work(voice, lambda text, scale: 5)
    assert share(voices[2], "straight")[1] == 0


def test_the_chance_of_a_run() -> None:
    """Against the exact probability: of 20 fair coins, a run of 10 or more of either side."""
    fair = [0.5, 0.5]
    ways = [1, *([0] * 20)]  # by the tenfold recursion of runs below ten
    for n in range(1, 21):
        ways[n] = (
            2 if n == 1 else sum(ways[n - k] for k in range(1, 10) if n - k > 0) + 2 * (n < 10)
        )
    exact = 1 - ways[20] / 2**20
    assert chance_of_run(10, 20, fair) == pytest.approx(exact, rel=0.05)
    assert chance_of_run(1, 20, fair) == chance_of_run(21, 20, fair) == 1
    assert likelihoods([1, 2], {1: 3}) == fair
    assert likelihoods([1, 2], {1: 58}) == pytest.approx([59 / 60, 1 / 60])


def test_drafts_and_other_campaigns_do_not_count() -> None:
    campaign = watched()
    bob = make_annotator(campaign, "bob")
    work(bob, by_role(copy=1), sheets=1)
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    n = share(bob, "copy")
    text = sheet.entries.get(substitution__role="copy").substitution
    scale = campaign.scales.first()
    assert scale is not None
    from uuid import uuid4

    from annotation.services.saving import Answer, judgment_save

    judgment_save(
        annotator=bob, sheet_key=sheet.key, substitution_key=text.key, scale_key=scale.key,
        answer=Answer(1), request_id=uuid4(), base_version=0,
    )  # fmt: skip
    assert share(bob, "copy") == n == (2, 2)
    other = watched(slug="other")
    assert share(make_annotator(other, "bob"), "copy") == (0, 0)


def test_the_number_of_queries_does_not_grow() -> None:
    counts = []
    for items in (2, 8):
        campaign = watched(items, slug=f"size-{items}")
        for name in ("bob", "ben", "beth")[: 1 + items // 4]:
            work(make_annotator(campaign, name), by_role(copy=1, degraded=4), seconds=0.1)
        bob = Annotator.objects.select_related("campaign").get(
            campaign=campaign, user__username="bob"
        )
        with CaptureQueriesContext(connection) as one:
            assert record(annotator=bob, plan=PLAN).checks[2].result.failed > 0
        with CaptureQueriesContext(connection) as two:
            assert len(overview(campaign=campaign)) == 1 + items // 4
        counts.append((len(one), len(two)))
    assert counts[0] == counts[1]
    assert counts[0][0] <= 30 and counts[0][1] <= 14
