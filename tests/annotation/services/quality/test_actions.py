"""Rules: decided from failed checks, taken later, shown, lifted; nothing is deleted."""

from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.collecting.claiming import NotClaimable
from annotation.models import AuditEntry, Exclusion, QualityAction, Slot
from annotation.people.exclusions import exclusion_add
from annotation.quality.overview import paused, warnings_unread
from annotation.quality.rules import (
    action_lift,
    action_take,
    look,
    plan_set,
    warning_read,
)
from annotation.verify import verify
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.quality.acts import work
from tests.annotation.services.quality.strict import bad, strict, worker
from tests.factories import make_campaign, make_user, rate_sheet


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
    plan_set(campaign=campaign, actor=None, changes={"delay_least": 3, "delay_most": 7})
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
    exclusion_add(target=bob, reason="seen by hand", actor=None)
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
    with CaptureQueriesContext(connection) as queries:
        look(annotator=bob, sheet=sheet)
    # PostgreSQL is asked for the time as well.
    assert len(queries) == 2 + (connection.vendor == "postgresql")
