"""Settings of the web server: `gunicorn -c python:paraanno.gunicorn_conf paraanno.wsgi`."""

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "paraanno.settings")

from django.conf import settings  # noqa: E402

from paraanno.lifeline import die_with_parent, die_with_supervisor  # noqa: E402

bind = [f"{settings.HOST}:{settings.PORT}"]
# Threads: a long export keeps one of them busy, and is not cut at a time-out.
worker_class = "gthread"
workers = settings.WEB_PROCESSES
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


def post_fork(arbiter: Any, worker: Any) -> None:
    """A web process whose parent was killed gives the port back at once."""
    die_with_parent(worker.ppid)
