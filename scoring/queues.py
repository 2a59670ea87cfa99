"""Names of the queues of runs in the broker."""

from __future__ import annotations

from django.conf import settings


def queue_name(queue: str) -> str:
    """Return the broker's name of a queue of runs; "" is the queue of all other work."""
    usual = str(settings.CELERY_TASK_DEFAULT_QUEUE)
    return f"{usual}.{queue}" if queue else usual
