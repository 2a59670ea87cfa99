"""Telling workers that there is something to do.

A message only means "look in the database". One that is lost, or that cannot be sent because the
broker is away, costs the time until an idle worker looks by itself (services/sweep.py).
"""

from __future__ import annotations

import logging
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

RUN_WORK = "scoring.tasks.run_work"


def ring(task: str, pk: int, *, times: int = 1) -> None:
    """Send a task with an id once the present transaction stands; at once outside of one."""
    transaction.on_commit(partial(_send, task, pk, times))


def _send(task: str, pk: int, times: int) -> None:
    try:
        for _ in range(times):
            current_app.send_task(task, args=[pk])
    except (OperationalError, OSError) as error:
        logger.warning("The broker is away (%s): %s %s waits for the next sweep.", error, task, pk)
