"""Workers that run only while there is work for them: with `make run`, the one of heavy metrics.

Its supervisor keeps a small process in its place, which becomes the worker as soon as a file in the
data folder asks for it (paraanno/running/wait_until.py). Elsewhere workers run all the time.
"""

from __future__ import annotations

import logging
from collections.abc import Collection

from django.conf import settings

from paraanno.running.supervision import HEAVY_QUEUES, wanted_file
from scoring.models import Run
from scoring.queues import queue_name, starts_on_demand

logger = logging.getLogger(__name__)

IDLE_SECONDS = 300


def ask_for_worker(queue: str) -> None:
    """Have the worker of this queue started; nothing happens where workers run all the time."""
    if not starts_on_demand(queue):
        return
    try:
        wanted_file(settings.DATA_DIR).touch()
    except OSError as error:
        # The timer of the other worker asks again.
        logger.warning("The worker for %s cannot be asked for: %s", queue, error)


def ask_for_waiting(queues: Collection[str]) -> None:
    """Ask again for what waits in a queue that this worker, of `queues`, does not take."""
    for queue in HEAVY_QUEUES:
        if starts_on_demand(queue) and queue_name(queue) not in queues and _active([queue]):
            ask_for_worker(queue)


def is_needless(queues: Collection[str], idle_seconds: float) -> bool:
    """Return whether a worker of these queues should end itself, having been idle for so long.

    What asks for it from now on starts the next one.
    """
    mine = [one for one in HEAVY_QUEUES if queue_name(one) in queues and starts_on_demand(one)]
    if idle_seconds < IDLE_SECONDS or len(mine) < len(queues):
        return False
    wanted_file(settings.DATA_DIR).unlink(missing_ok=True)
    return not _active(mine)


def _active(queues: list[str]) -> bool:
    return Run.objects.filter(queue__in=queues, status__in=Run.ACTIVE).exists()
