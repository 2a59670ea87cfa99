"""Members and what they answered, exclusions, quotas, parts in panels and their pay."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.collecting.claiming import PartOver
from annotation.errors import NotFound
from annotation.models import BackgroundAnswer, JudgmentVersion, Panel, Participant
from annotation.panels.queries import (
    COLUMNS,
    active_seconds,
    completion_of,
    panels_of,
    pay_of,
    payment_rows,
    payments,
    return_address,
)
from annotation.panels.services import panel_create
from annotation.people.annotators import (
    answer_tallies,
    excluded,
    exclusions_of,
    exclusions_of_annotators,
    is_excluded,
    member_get,
    members,
)
from annotation.people.background import Given
from annotation.people.quotas import (
    group_join,
    work_group_set,
    work_groups,
    work_lines,
    work_rule_of,
    work_rule_set,
)
from annotation.quality.expected import Band, text_add
from annotation.quality.overview import attempt_texts
from annotation.quality.practice import attempt_start, practice_answer
from tests.annotation.claimed import offer
from tests.annotation.crowd import enter, make_panel
from tests.annotation.school import ask_practice
from tests.annotation.views.people.answered import PAGE
from tests.clients import captured, client_of
from tests.factories import (
    ask_question,
    exclude,
    give_answers,
    make_annotator,
    make_campaign,
    make_user,
    rate_all,
    take_in,
)


def test_members_stand_by_role_and_name_with_their_codes(campaign, django_assert_num_queries):
    ben, dora = make_annotator(campaign, "ben"), make_annotator(campaign, "dora")
    with django_assert_num_queries(1):
        found = [(one.user.username, one.code) for one in members(campaign=campaign)]
    assert found == [
        ("alice", None),
        ("dora", dora.code),
        ("vera", None),
        ("ben", ben.code),
        ("bob", None),
    ]


def test_whoever_is_no_member_here_is_not_found(campaign):
    make_campaign("other", items=1, cast=False)
    make_annotator(make_campaign("third", items=1), "ben")
    assert member_get(campaign=campaign, user=make_user("bob").pk).username == "bob"
    for user in (make_user("ben").pk, 10**9):
        with pytest.raises(NotFound):
            member_get(campaign=campaign, user=user)


def test_exclusions_of_the_campaign_are_listed_and_lifted_ones_are_not_in_force(
    campaign, django_assert_num_queries
):
    other = make_annotator(make_campaign("other", items=1), "bob")
    exclude(other)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    first = exclude(bob)
    take_in(first)
    second = exclude(ben)
    item = exclude(campaign.items.get())
    with django_assert_num_queries(1):
        listed = [(one, one.annotator, one.item) for one in exclusions_of(campaign=campaign)]
    assert listed == [(item, None, item.item), (second, ben, None), (first, bob, None)]
    assert list(exclusions_of_annotators(campaign=campaign)) == [second, first]
    assert [is_excluded(annotator=one) for one in (bob, ben, other)] == [False, True, True]
    in_force = {one.code: one.in_force for one in excluded(campaign.annotators.all())}
    assert in_force == {bob.code: [], ben.code: [second]}


def test_lines_say_what_lacks_by_the_bounds_that_hold():
    campaign = make_campaign(items=4)
    assert work_rule_of(campaign=campaign).sheets_at_most is None
    work_rule_set(
        campaign=campaign, sheets_at_least=2, sheets_at_most=3, largest_share=None, actor=None
    )
    bob, ben = (make_annotator(campaign, name) for name in ("bob", "ben"))
    group = work_group_set(
        campaign=campaign, name="Few", sheets_at_least=1, sheets_at_most=None, actor=None
    )
    group_join(annotator=ben, group=group, actor=None)
    for one in (bob, ben):
        rate_all(one, at_most=1)
    with captured() as queries:
        lines = work_lines(campaign=campaign)
    assert [(one.done, one.least, one.most, one.lacks) for one in lines] == [
        (1, 2, 3, 1),
        (1, 1, 3, 0),
    ]
    assert len(queries) == 4
    assert [(one.name, one.people) for one in work_groups(campaign=campaign)] == [("Few", 1)]


def test_each_answer_is_counted(answered, django_assert_num_queries):
    with django_assert_num_queries(2):
        age, speaks, other = answer_tallies(campaign=answered)
    assert (age.counts, age.answered, age.declined, age.empty) == ((("40", 1),), 1, 1, 0)
    assert speaks.counts == (("Czech", 1), ("Danish", 0), ("Dutch", 2))
    assert (other.counts, other.answered, other.declined, other.empty) == ((), 0, 0, 2)


def test_more_annotators_cost_no_more_queries(answered, django_assert_num_queries):
    client = client_of("dora")
    with captured() as few:
        assert client.get(PAGE).status_code == 200
    speaks = answered.background_questions.get(name="speaks")
    beth = make_annotator(answered, "beth")
    BackgroundAnswer.objects.create(
        annotator=beth, question=speaks, value=["Danish"], at=timezone.now()
    )
    with django_assert_num_queries(len(few)):
        client.get(PAGE)


HOME = "https://example.org/"


@pytest.mark.parametrize(
    ("address", "code", "found"),
    [
        ("", "C", None),
        (HOME, None, HOME),
        (HOME + "?cc={code}", "C1 K&x=/", HOME + "?cc=C1%20K%26x%3D%2F"),
        (HOME + "?cc={code}", None, None),
        (HOME + "{code}/{id}", "{id}", HOME + "%7Bid%7D/a%2Fb"),
    ],
)
def test_the_way_back_is_quoted(address, code, found):
    panel = Panel(return_url=address)
    assert return_address(panel, code=code, own_id="a/b") == found


def test_a_background_answer_can_screen_out():
    panel = make_panel(codes={"screened_out": "S"})
    question = ask_question(
        panel.campaign, "Native in Danish?", "choice", ["yes", "no"], accepted=["yes"]
    )
    codes = {}
    for name, said in (("one", ["no"]), ("two", ["yes"]), ("three", [])):
        part = enter(panel, name)
        answers = {question.key: Given(said, declined=not said)}
        give_answers(part.annotator, answers)
        try:
            offer(part.annotator)
        except PartOver as refusal:
            codes[name] = (refusal.code, refusal.data["completion"]["code"])
    assert codes == {"one": ("screened_out", "S"), "three": ("screened_out", "S")}


def test_practice_without_a_try_left_ends_the_part():
    panel = make_panel()
    [scale, *_] = panel.campaign.scales.all()
    text_add(
        campaign=panel.campaign,
        role="practice",
        sentence="Learn this.",
        phrase="this",
        paraphrase="that",
        bands={scale.name: Band(1, 1)},
        actor=None,
        part="test",
    )
    ask_practice(panel.campaign)
    part = enter(panel)
    attempt = attempt_start(annotator=part.annotator, part="test")
    [text] = attempt_texts(attempt=attempt)
    practice_answer(attempt=attempt, text=text, values={scale.pk: 5}, now=timezone.now())
    with pytest.raises(PartOver) as over:
        offer(part.annotator)
    assert over.value.code == "failed_practice"
    part.refresh_from_db()
    assert completion_of(part) == {"code": None, "url": None}


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_active_time_leaves_out_pauses_over_five_minutes():
    minutes = [0, 1, 6, 6.5, 30, 35.01, 36]
    times = [NOON + timedelta(minutes=one) for one in minutes]
    assert active_seconds(times) == round(60 * (1 + 5 + 0.5 + 0.99))
    assert active_seconds([]) == active_seconds(times[:1]) == 0


@pytest.fixture
def panel_parts():
    panel = make_panel(
        pay=Decimal("3.00"),
        pay_floor=Decimal("9.00"),
        bonus=Decimal("0.50"),
        codes={"complete": "C", "failed_checks": "F"},
        currency="EUR",
    )
    parts = [enter(panel, name) for name in ("one", "=two", "three")]
    for part in (parts[0], parts[0], parts[1]):
        rate_all(part.annotator, at_most=1)
    return parts


def test_everybody_who_entered_has_a_line_excluded_people_too(
    panel_parts,
):
    panel = panel_parts[0].panel
    exclude(panel_parts[1].annotator)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in payment_rows(panel=panel)]
    names = ("id", "outcome", "code", "sheets", "pay", "bonus", "excluded")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("one", "complete", "C", "2", "3.00", "0.50", "no"),
        ("=two", "failed_checks", "F", "1", "1.50", "0.00", "yes"),
        ("three", "in_progress", "", "0", "0.00", "0.00", "no"),
    ]


def test_pay_is_held_against_the_floor_of_the_active_time(panel_parts):
    part = panel_parts[0]
    start = part.annotator.slot_events.earliest("at").at
    Participant.objects.filter(pk=part.pk).update(entered_at=start - timedelta(minutes=5))
    events = list(part.annotator.slot_events.order_by("pk"))
    for minutes, event in zip((0, 5, 5, 10), events, strict=True):
        event.at = start + timedelta(minutes=minutes)
        event.save()
    JudgmentVersion.objects.update(recorded_at=start + timedelta(minutes=1))
    part.refresh_from_db()
    line = pay_of(part)
    assert line.seconds == 15 * 60
    assert (line.earned, line.per_hour) == (Decimal("3.00"), Decimal("12.00"))
    assert (line.top_up, line.below_floor) == (Decimal("0.00"), False)
    part.panel.pay_floor = Decimal("16.00")
    assert pay_of(part).top_up == Decimal("1.00")


def test_a_second_panel_is_paid_for_its_own_sheets(panel_parts):
    part = panel_parts[1]
    more = panel_create(campaign=part.panel.campaign, actor=None, name="More", sheets_per_person=1)
    again = enter(more, "=two")
    rate_all(again.annotator, at_most=1)
    assert {one.part.pk: one.sheets for one in payments(panel=part.panel)}[part.pk] == 1
    line = pay_of(again)
    assert (line.sheets, line.outcome) == (1, "complete")


def test_the_list_takes_a_constant_number_of_queries(panel_parts):
    panel = panel_parts[0].panel
    with captured() as three:
        list(payments(panel=panel))
    for number in range(5):
        enter(panel, f"more-{number}")
    with captured() as eight:
        list(payments(panel=panel))
    assert len(three) == len(eight) <= 12
    [counted] = panels_of(campaign_id=panel.campaign_id)
    assert (counted.entered, counted.under_way) == (8, 7)  # One part is complete.
