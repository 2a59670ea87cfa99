"""Whoever withdrew holds nothing, and what they took out stays out, or it is reported."""

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from annotation import models as m
from annotation.models.panels import participant_login
from tests.annotation.selectors.verify.breaks import report_alone


def leave(r, annotator, judgments):
    m.Withdrawal.objects.create(
        campaign=r.campaign, annotator=annotator, judgments=judgments, at=timezone.now()
    )


def take_part(r, annotator, **fields):
    """Make the annotator a participant, who holds what they hold."""
    now = timezone.now()
    m.Annotator.objects.filter(pk=annotator.pk).update(origin="participant", sheets_at_most=9)
    panel = m.Panel.objects.create(campaign=r.campaign, name="p", token="t", sheets_per_person=9)
    m.Participant.objects.create(
        panel=panel, annotator=annotator, platform_id="x", quota=9, entered_at=now, **fields
    )


def too_many(r, annotator):
    take_part(r, annotator)
    m.Annotator.objects.filter(pk=annotator.pk).update(sheets_at_most=0)


def invited(r, annotator):
    take_part(r, annotator)
    m.Annotator.objects.filter(pk=annotator.pk).update(origin="invited")


def crowd_role(r, role):
    login = participant_login()
    m.Membership.objects.create(
        campaign=r.campaign, user=User.objects.create(username=login), role=role
    )


def old_panel(r, **fields):
    m.Panel.objects.create(campaign=r.campaign, name="p", token="o", sheets_per_person=9, **fields)


BREAKS = [
    ("A participant or guest", lambda r: crowd_role(r, "owner")),
    ("A participant or guest", lambda r: crowd_role(r, "annotator")),
    ("A panel asks", lambda r: old_panel(r, parameter="csrfmiddlewaretoken")),
    ("A panel asks", lambda r: old_panel(r, return_url="https://you@example.org/")),
    ("A participant is an annotator", lambda r: invited(r, r.ben)),
    ("No participant has more sheets", lambda r: too_many(r, r.ben)),
    (
        "Who left a panel",
        lambda r: take_part(r, r.ben, outcome="withdrawn", ended_at=timezone.now()),
    ),
    ("Who withdrew", lambda r: leave(r, r.ben, "keep")),
    ("Who withdrew", lambda r: leave(r, r.campaign.skips.get().annotator, "remove")),
]


@pytest.mark.slow
def test_each_rule_is_reported_alone_when_it_is_broken():
    report_alone(BREAKS)
