"""Telling workers that there is something to do.

A message only means "look in the database". One that is lost, or that cannot be sent because the
broker is away, costs the time until an idle worker looks by itself (services/sweep.py).
"""

from __future__ import annotations

import logging
from functools import partial

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.entity import Exchange, Queue
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

RUN_WORK = "scoring.tasks.run_work"


def queue_name(queue: str) -> str:
    """What the broker calls a queue of runs; the empty one is that of all other work."""
    usual = str(settings.CELERY_TASK_DEFAULT_QUEUE)
    return f"{usual}.{queue}" if queue else usual


def ring(task: str, pk: int, *, queue: str = "", times: int = 1) -> None:
    """Send a task with an id once the present transaction stands; at once outside of one."""
    transaction.on_commit(partial(_send, task, pk, queue, times))


def _send(task: str, pk: int, queue: str, times: int) -> None:
    name = queue_name(queue)
    # A Queue and not its name: Celery would add an unknown name to those that this process takes.
    way = {"queue": Queue(name, Exchange(name), routing_key=name)} if queue else {}
    try:
        for _ in range(times):
            current_app.send_task(task, args=[pk], **way)
    except (OperationalError, OSError) as error:
        logger.warning("The broker is away (%s): %s %s waits for the next sweep.", error, task, pk)
