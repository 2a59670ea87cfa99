"""Figures of quality control, in words."""

import pytest
from django.utils import timezone

from annotation.models import QualityAction, QualityRule
from annotation.quality.checks import Result
from annotation.templatetags import labels


def test_a_share_is_in_percent_and_nothing_is_a_dash():
    found = [labels.percent(share) for share in (0.5, 1 / 3, 1, 0, None)]
    assert found == ["50 %", "33.3 %", "100 %", "0 %", "–"]
    assert [labels.failed(Result(n=4)), labels.failed(Result())] == ["0 / 4", "–"]


def test_a_small_probability_is_not_shown_as_zero():
    assert [labels.chance(p) for p in (0.0004, 0.001, 0.25)] == ["< 0.001", "0.001", "0.250"]


@pytest.mark.parametrize(
    ("act", "times", "badge", "words"),
    [
        ("warn", {}, "warn", "Comes at sheet 7"),
        ("warn", {"taken_at"}, "warn", "Not read yet"),
        ("warn", {"taken_at", "read_at"}, "warn", "Read"),
        ("pause", {"taken_at"}, "bad", "In force"),
        ("exclude", {"taken_at", "lifted_at"}, "", "Lifted"),
        ("exclude", {"lifted_at"}, "", "Dropped"),
        ("note", {"taken_at"}, "", "In force"),
    ],
)
def test_an_action_says_how_far_it_is(act, times, badge, words):
    now = timezone.now()
    action = QualityAction(
        rule=QualityRule(act=act), decided_at=now, due_at_done=7, **dict.fromkeys(times, now)
    )
    assert (labels.standing(action), labels.state(action)) == (badge, words)
