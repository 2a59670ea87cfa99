"""The Celery application; tasks are found in the apps' tasks.py.

Workers use the prefork pool: the parent keeps beating and enforces time limits while its children
compute, and the children share what was loaded before the fork.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init, worker_process_init

from paraanno import broker
from paraanno.lifeline import die_with_supervisor, watch_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "paraanno.settings")
# Statistics solve many small systems: threads that wait for each other make that four times
# slower on a busy machine. Read when numpy is first imported, which is later.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

broker.install()
app = Celery("paraanno")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

_main_process: list[int] = []


@worker_init.connect
def bind_worker(**_: Any) -> None:
    """The main process of a worker ends with the supervisor; pages come before its numbers."""
    _main_process.append(os.getpid())
    os.nice(5)
    die_with_supervisor()


@worker_process_init.connect
def bind_pool_process(**_: Any) -> None:
    """A pool process whose worker was killed must not go on with a task that others take over."""
    for parent in _main_process:
        watch_parent(parent)
