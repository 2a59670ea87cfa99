"""Settings of the web server: `gunicorn -c python:paraanno.running.gunicorn_conf paraanno.wsgi`."""

import fcntl
import gc
import os
import resource
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "paraanno.settings")

import django
from django.conf import settings
from django.urls import get_resolver, reverse
from django.utils import translation

from paraanno.gate.admission import busy_answers
from paraanno.observability import counted
from paraanno.running.supervision import (
    SUPERVISED,
    die_with_parent,
    die_with_supervisor,
    lock_file,
    prepared_file,
)

# Until `when_ready`: what is imported stays, and to look through it takes .3 s of a start.
gc.disable()


def wait_for_preparation() -> None:
    """Wait until the start has prepared what the site needs; end where it could not."""
    with lock_file(settings.DATA_DIR).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
    if not prepared_file(settings.DATA_DIR).exists():
        sys.exit("The start did not prepare the site.")


def room_for_connections() -> int:
    """Let a process have all files that it may, and return how many of them may be connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 5000
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(most - 500, most // 2)


bind = [f"{settings.HOST}:{settings.PORT}"]
# Threads: a long export occupies one of them and is not ended by a timeout.
worker_class = "paraanno.gate.worker.GatedWorker"
# Every connection is taken at once, so only what comes while the process does not run waits here.
backlog = 256
worker_connections = room_for_connections()
workers = settings.WEB_PROCESSES
preload_app = True  # Loaded once, and shared by the processes.
threads = settings.WEB_THREADS
timeout = 60
graceful_timeout = 5
keepalive = 5
max_requests = 0
worker_tmp_dir = str(settings.DATA_DIR / "tmp")
control_socket_disable = True
errorlog = "-"
loglevel = "warning"

die_with_supervisor()
if SUPERVISED in os.environ:
    # Load what needs no database and no static files meanwhile.
    django.setup()
    _ = get_resolver().url_patterns
    wait_for_preparation()
if counted.is_open():
    counted.share(settings.DATA_DIR, settings.PORT)


def when_ready(arbiter: Any) -> None:
    """Load addresses with their views, and translations, before any process begins; and leave them
    alone: to look through them for garbage writes on them, and each process has its own copy."""
    for code in settings.SITE_LANGUAGES:
        with translation.override(code):
            reverse("home")
    busy_answers()
    gc.freeze()
    gc.enable()


def post_fork(arbiter: Any, worker: Any) -> None:
    """End a web process whose parent was killed, so that the port is free at once."""
    die_with_parent(worker.ppid)
