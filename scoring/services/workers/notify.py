"""Notify workers that there is work.

A message only means "look in the database". If one is lost, or cannot be sent because the broker
is unavailable, the work waits until the next sweep of an idle worker (services/sweep.py).
"""

from __future__ import annotations

from functools import partial

from celery import current_app
from django.db import transaction
from kombu.entity import Exchange, Queue
from kombu.exceptions import OperationalError

from paraanno.breaker import Breaker
from scoring.queues import queue_name
from scoring.services.workers.on_demand import ask_for_worker

RUN_WORK = "scoring.tasks.run_work"
broker = Breaker("The broker", instead="work waits for the next sweep of an idle worker.")


def notify_workers(task: str, *about: str | int, queue: str = "", times: int = 1) -> None:
    """Send a task after the current transaction commits; at once outside of one."""
    transaction.on_commit(partial(_send, task, about, queue, times))


def _send(task: str, about: tuple[str | int, ...], queue: str, times: int) -> None:
    ask_for_worker(queue)
    if not broker.allows():
        return
    name = queue_name(queue)
    # A Queue, not its name: Celery would make this process consume from an unknown name.
    way = {"queue": Queue(name, Exchange(name), routing_key=name)} if queue else {}
    try:
        for _ in range(times):
            current_app.send_task(task, args=list(about), **way)
    except (OperationalError, OSError) as error:
        broker.failed(error)
    else:
        broker.worked()
