"""The server processes: which run and are restarted, as the supervisor's configuration says, and
that each ends with the one that started it."""

from __future__ import annotations

import ctypes
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from paraanno.common.places import own_program
from paraanno.env import env_str

# Processes that end when the process that started them ends, even by kill -9: an orphan would hold
# the port, or continue a task that its successor takes over.


SUPERVISED = "PARAANNO_SUPERVISED"
_PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Ask the kernel to kill this process when `parent` ends (Linux; elsewhere nothing happens).

    On other systems the next start ends the processes that an earlier one left (start.py).
    """
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # The parent ended before the request was made.
        os.kill(os.getpid(), signal.SIGKILL)


def die_with_supervisor() -> None:
    """End this server process with the supervisor, if `make run` started it."""
    if SUPERVISED in os.environ:
        die_with_parent(os.getppid())


def watch_parent(parent: int, end: Callable[[], object] = lambda: os._exit(1)) -> None:
    """End this process within a second after the end of `parent`, or do what `end` does.

    For processes that a thread of the parent may have started: the kernel's mechanism would take
    the end of that thread, which is normal when a worker shuts down, for the end of the parent.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        end()

    threading.Thread(target=watch, name="watch-parent", daemon=True).start()


SUPERVISOR = "paraanno.running.supervise"
PREPARING = "PARAANNO_PREPARING"  # The process that prepares: a child of the supervisor.
# Without what packages add to a start of Python: it waits for as long as the site runs.
WAITER = [sys.executable, "-S", "-E", str(Path(__file__).with_name("wait_until.py"))]
WORKER = [
    *("paraanno.worker", "--loglevel", "INFO"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat"),
]
# `heavy` has one process, for metrics that take hundreds of megabytes in every process.
HEAVY_QUEUES = ("korean", "neural")
PROGRAMS = {
    "web": ["gunicorn", "-c", "python:paraanno.running.gunicorn_conf", "paraanno.wsgi"],
    "worker": [*WORKER, "--hostname", "worker@%h"],
    "heavy": [*WORKER, "--hostname", "heavy@%h", "--concurrency", "1"],
}

_HEAD = """[supervisord]
nodaemon=true
logfile={logs}/supervisor.log
logfile_maxbytes=5MB
logfile_backups=1
pidfile={data}/supervisor.pid
{user}

[group:paraanno]
programs={names}
"""

# `startretries`: a program that fails at every start (full disk) is retried, ever more slowly.
_PROGRAM = """
[program:{name}]
command={command}
directory={data}
autorestart=true
startretries=1000000
stopsignal=TERM
stopwaitsecs=8
killasgroup=true
redirect_stderr=true
stdout_logfile={logs}/{name}.log
stdout_logfile_maxbytes=10MB
stdout_logfile_backups=2
"""


def program_argv(name: str, queue: str = "") -> list[str]:
    """Return the command line of `web`, `worker` or `heavy`, run by this Python.

    `queue` is PARAANNO_QUEUE of the process, if it differs from that of this environment.
    """
    argv = own_program(*PROGRAMS[name])
    if name == "heavy":
        usual = queue or env_str("PARAANNO_QUEUE", "paraanno")
        argv += ["--queues", ",".join(f"{usual}.{one}" for one in HEAVY_QUEUES)]
    return argv


def supervisor_argv(config: Path) -> list[str]:
    return own_program(SUPERVISOR, "-c", str(config))


def wanted_file(data_dir: Path) -> Path:
    """Return the file that asks for the worker of heavy metrics."""
    return data_dir / "heavy.wanted"


def lock_file(data_dir: Path) -> Path:
    """Return the file that is locked until the start has prepared everything, or failed to."""
    return data_dir / "start.lock"


def prepared_file(data_dir: Path) -> Path:
    """Return the file that says that the start has prepared everything."""
    return data_dir / "prepared"


def write_config(data_dir: Path, address: str) -> Path:
    """Write the configuration into the data folder and return its path.

    Workers start once all is prepared and the web server answers at `address` ("host:port"), and
    `heavy` once it is asked for.
    """
    paths = {"data": _literal(str(data_dir)), "logs": _literal(str(data_dir / "logs"))}
    user = "user=root" if os.getuid() == 0 else ""
    # One group, so that all are asked to stop at once, not one after the other.
    text = _HEAD.format(user=user, names=",".join(PROGRAMS), **paths)
    for name in PROGRAMS:
        waits = {
            "worker": [["prepared", str(prepared_file(data_dir))], ["answers", address]],
            "heavy": [["wanted", str(wanted_file(data_dir))]],
        }.get(name, [])
        argv = [word for one in waits for word in (*WAITER, *one)]
        argv += program_argv(name)
        command = _literal(shlex.join(argv))
        text += _PROGRAM.format(name=name, command=command, **paths)
    config = data_dir / "supervisor.conf"
    config.write_text(text, encoding="utf-8")
    return config


def _literal(text: str) -> str:
    """Double per cent signs, which begin variables in the configuration."""
    return text.replace("%", "%%")
