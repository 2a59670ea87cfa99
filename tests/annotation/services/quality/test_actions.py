"""Rules decide from failed checks and act later; practice passes, or explains."""

from unittest.mock import patch

import pytest
from django.db import connection

from annotation.collecting.claiming import NotClaimable
from annotation.errors import Conflict, Invalid
from annotation.models import (
    AuditEntry,
    Exclusion,
    PracticeAnswer,
    QualityAction,
    QualityRule,
    Slot,
)
from annotation.quality.overview import attempt_texts, paused, standing, warnings_unread
from annotation.quality.practice import attempt_start, practice_answer, practice_grant
from annotation.quality.rules import (
    action_lift,
    action_take,
    look,
    plan_set,
    rule_end,
    warning_read,
)
from annotation.verify import verify
from tests.annotation.acts import add_rule, bad, plan, strict, work, worker
from tests.annotation.claimed import offer
from tests.annotation.school import go_through, school
from tests.clients import captured
from tests.factories import exclude, make_campaign, make_user, rate_sheet


def watched(act, **options):
    """Bob in a campaign with one strict rule."""
    campaign = strict(act, **options)
    return campaign, worker(campaign)


def only(annotator):
    return QualityAction.objects.get(annotator=annotator)


def refusal(annotator):
    with pytest.raises(NotClaimable) as refused:
        offer(annotator)
    return refused.value


def test_the_sheet_that_caused_it_sees_nothing_of_it():
    _, bob = watched("pause", least=4, delay=2)
    bad(bob, 1)
    assert not QualityAction.objects.exists()
    bad(bob, 1)
    action = only(bob)
    assert action.taken_at is None and not paused(annotator=bob)
    assert action.due_at_done == 4
    assert action.evidence["n"] == action.evidence["failed"] == 4
    bad(bob, 1)
    assert not paused(annotator=bob)
    bad(bob, 1)
    assert paused(annotator=bob)
    assert QualityAction.objects.count() == 1


def test_delays_are_drawn_between_the_two_bounds():
    campaign, bob = watched("note")
    plan(campaign, delay_least=3, delay_most=7)
    with patch("annotation.quality.rules._random.randint", return_value=6) as drawn:
        bad(bob, 1)
    drawn.assert_called_once_with(3, 7)
    assert only(bob).due_at_done == 7


def test_too_few_checks_or_too_small_a_share_decide_nothing():
    campaign, bob = watched("note", least=6, share=0.6)
    bad(bob, 2)
    work(worker(campaign, "ben"), lambda text, scale: 5 if scale.name == "MEANING" else 1, sheets=6)
    assert not QualityAction.objects.exists()
    bad(bob, 1)
    assert only(bob).evidence["n"] == 6


def test_a_pause_refuses_claims_until_it_is_lifted():
    campaign, bob = watched("pause", delay=1)
    bad(bob, 1)
    rate_sheet(bob, offer(bob), 1)
    refused = refusal(bob)
    assert (refused.code, refused.data["url"]) == ("paused", "/rate/camp/notice/")
    assert offer(worker(campaign, "ben")) is not None
    action_lift(action=only(bob), actor=None)
    assert offer(bob) is not None


def test_a_warning_stands_before_the_next_sheet_until_it_is_read():
    _, bob = watched("warn", delay=1)
    bad(bob, 2)
    assert warnings_unread(annotator=bob) == {"control"}
    assert refusal(bob).code == "warned"
    assert [warning_read(annotator=bob) for _ in range(2)] == [1, 0]
    assert offer(bob) is not None
    bad(bob, 4)
    assert QualityAction.objects.count() == 1, "the same rule says it once"


def test_an_exclusion_voids_slots_and_comes_back():
    campaign, bob = watched("exclude", delay=1)
    bad(bob, 2)
    assert Exclusion.objects.get().annotator == bob
    assert bob.judgments.filter(status="surplus").count() == 4
    assert not bob.slots.filter(state="done").exists()
    refusal(bob)
    assert verify(campaign=campaign) == []
    action_lift(action=only(bob), actor=None)
    assert Exclusion.objects.get().ends_at is not None
    assert bob.judgments.filter(status="counted").count() == 4
    assert offer(bob) is not None


def test_who_is_excluded_already_is_not_excluded_twice():
    _, bob = watched("exclude", delay=5)
    bad(bob, 1)
    exclude(bob)
    assert action_take(action=only(bob), actor=make_user("alice"))
    assert only(bob).exclusion is None and only(bob).taken_by == make_user("alice")
    assert Exclusion.objects.count() == 1
    assert not action_take(action=only(bob), actor=None)


def test_lifting_is_a_fresh_start():
    _, bob = watched("note", delay=1, least=4)
    bad(bob, 3)
    for _ in range(2):
        assert action_lift(action=only(bob), actor=None).lifted_at is not None
    bad(bob, 1)
    assert QualityAction.objects.count() == 1
    bad(bob, 1)
    first, second = QualityAction.objects.order_by("pk")
    assert first.lifted_at is not None and second.lifted_at is None


def test_everything_stands_in_the_log():
    _, bob = watched("note", delay=1)
    bad(bob, 2)
    action_lift(action=only(bob), actor=make_user("alice"))
    verbs = AuditEntry.objects.filter(verb__startswith="quality: ").order_by("pk")
    assert [one.verb for one in verbs] == [
        "quality: decide to note",
        "quality: note",
        "quality: lift note",
    ]
    assert all(one.data["annotator"] == bob.code for one in verbs)
    assert verbs[0].data["n"] == 2 and verbs[2].actor == make_user("alice")


def test_a_failing_check_does_not_undo_a_submission(caplog):
    _, bob = watched("note")
    with patch("annotation.quality.rules.outcome", side_effect=ZeroDivisionError):
        bad(bob, 1)
    assert Slot.objects.filter(state="done").count() == 1
    assert "quality checks" in caplog.text


def test_without_rules_a_submission_costs_two_queries_more():
    bob = worker(make_campaign(items=2))
    [sheet] = work(bob, lambda text, scale: 3, sheets=1)
    with captured() as queries:
        look(annotator=bob, sheet=sheet)
    # PostgreSQL is asked for the time as well.
    assert len(queries) == 2 + (connection.vendor == "postgresql")


def test_an_ended_rule_decides_nothing_and_may_be_made_again():
    campaign = strict("note")
    with pytest.raises(Invalid):
        add_rule(campaign, "control", "note")
    rule_end(rule=QualityRule.objects.get(), actor=None)
    bad(worker(campaign), 3)
    assert not QualityAction.objects.exists()
    add_rule(campaign, "control", "note")


@pytest.mark.parametrize(
    "changes",
    [
        {"delay_least": 6, "delay_most": 5},
        {"repeat_share": 1.5},
        {"fast_seconds": -1},
        {"colour": 1},
    ],
)
def test_a_plan_must_make_sense(changes):
    with pytest.raises(Invalid):
        plan_set(campaign=make_campaign(open_it=False), actor=None, changes=changes)


def where(annotator):
    return standing(campaign=annotator.campaign, annotator=annotator)


def test_tries_run_out_and_a_researcher_helps():
    _, bob = school(practice=0, tries=2)
    for left in (1, 0):
        go_through(bob, "test", 1, 1)
        assert where(bob).tries_left == left
    assert where(bob).stuck and where(bob).explains_test
    with pytest.raises(Conflict, match="no try left"):
        attempt_start(annotator=bob, part="test")
    practice_grant(annotator=bob, kind="try", actor=make_user("alice"))
    assert where(bob).tries_left == 1 and not where(bob).explains_test
    go_through(bob, "test", 1, 1)
    practice_grant(annotator=bob, kind="pass", actor=make_user("alice"))
    assert where(bob).passed and offer(bob) is not None
    with pytest.raises(Invalid):
        practice_grant(annotator=bob, kind="gift", actor=None)


def test_an_attempt_goes_on_where_it_was_left():
    _, bob = school(practice=0)
    attempt = attempt_start(annotator=bob, part="test")
    text, other = attempt_texts(attempt=attempt)
    for value in (5, 1):
        values = {one.scale.pk: value for one in text.questions}
        practice_answer(attempt=attempt, text=text, values=values)
    assert set(PracticeAnswer.objects.values_list("value", flat=True)) == {5}, "the first stays"
    assert attempt_start(annotator=bob, part="test") == attempt
    assert [one.answered for one in attempt_texts(attempt=attempt)] == [True, False]
    other.substitution.expected.all().delete()
    attempt_start(annotator=bob, part="test")
    attempt.refresh_from_db()
    assert attempt.passed and attempt.asked == 2
    with pytest.raises(Conflict):
        practice_answer(attempt=attempt, text=text, values={})


@pytest.mark.parametrize("wrong", [{"share": 0}, {"share": 1.2}, {"tries": 0}, {"tolerance": 9}])
def test_a_rule_must_make_sense(wrong):
    with pytest.raises(Invalid):
        school(**wrong)
