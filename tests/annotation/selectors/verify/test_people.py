"""Whoever withdrew holds nothing, and what they took out stays out, or it is reported."""

from __future__ import annotations

import pytest
from django.utils import timezone

from annotation import models as m
from annotation.selectors.verify import people
from tests.annotation.selectors.verify.breaks import Breaks, report_alone
from tests.annotation.selectors.verify.verify_world import Rows

pytestmark = pytest.mark.django_db


def leave(r: Rows, annotator: m.Annotator, judgments: str) -> None:
    m.Withdrawal.objects.create(
        campaign=r.campaign, annotator=annotator, judgments=judgments, at=timezone.now()
    )


BREAKS: Breaks = [
    ("Who withdrew", lambda r: leave(r, r.ben, "keep")),
    ("Who withdrew", lambda r: leave(r, r.campaign.skips.get().annotator, "remove")),
]


def test_each_rule_is_reported_alone_when_it_is_broken() -> None:
    report_alone(BREAKS, people)
