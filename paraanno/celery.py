"""The Celery application; tasks are in the apps' tasks.py.

Workers use the prefork pool: the parent writes heartbeats and enforces time limits while its
children compute, and the children share the memory that was loaded before the fork.
"""

import gc
import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_after_setup, worker_init, worker_process_init

from paraanno import broker
from paraanno.running.supervision import die_with_supervisor, watch_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "paraanno.settings")
# Statistics solve many small systems of equations; threads waiting for each other make that four
# times slower on a busy machine. numpy reads this when it is first imported, which is later.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# They load every page of the site; the start looks at the settings (running/start.py).
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

broker.install()
app = Celery("paraanno")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

_main_process: list[int] = []


@worker_init.connect
def bind_worker(**_: Any) -> None:
    """End the main process of a worker with the supervisor, and give pages priority over it."""
    _main_process.append(os.getpid())
    os.nice(5)
    die_with_supervisor()


@celeryd_after_setup.connect
def share_memory(**_: Any) -> None:
    """Leave what is loaded alone: to look through it for garbage writes on every page of it, and
    each child then has a copy of its own."""
    gc.freeze()


@worker_process_init.connect
def bind_pool_process(**_: Any) -> None:
    """End a pool process whose worker was killed: others take over its task."""
    for parent in _main_process:
        watch_parent(parent)
