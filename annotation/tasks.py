"""Celery tasks of this app: each takes an id and calls one service."""

from __future__ import annotations

from celery import shared_task

from annotation.board.alarms import board_look as _board_look
from annotation.people.background import reminders_send as _reminders_send


@shared_task
def reminders_send(rule_pk: int) -> None:
    """Send the reminders of a campaign that are due."""
    _reminders_send(rule_pk=rule_pk)


@shared_task
def board_look(campaign_pk: int) -> None:
    """Compute the figures of a board, and send its alarms."""
    _board_look(campaign_pk=campaign_pk)
