"""Queues of runs: their names in the broker, and who takes them."""

from __future__ import annotations

import os

from django.conf import settings

from paraanno.running.lifeline import SUPERVISED
from paraanno.running.supervision import HEAVY_QUEUES

# Taken by processes that the other workers start when something waits (scoring/work/lanes.py).
BUILD, FILES = "build", "files"


def queue_name(queue: str) -> str:
    """Return the broker's name of a queue of runs; "" is the queue of all other work."""
    usual = str(settings.CELERY_TASK_DEFAULT_QUEUE)
    return f"{usual}.{queue}" if queue else usual


def starts_on_demand(queue: str) -> bool:
    """Return whether a worker of this queue of runs starts by itself when there is work for it."""
    return SUPERVISED in os.environ and queue in HEAVY_QUEUES
