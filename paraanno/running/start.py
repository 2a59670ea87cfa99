"""Start a complete instance in the foreground: `python -m paraanno.running.start` (`make run`).

This process becomes the supervisor, which stops web server and workers at the terminal's Ctrl-C. A
child of it prepares tables, demo and static files while the web server loads what it needs.
"""

from __future__ import annotations

import argparse
import errno
import fcntl
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, unquote

import psutil

from paraanno.running import supervision
from paraanno.running.supervision import SUPERVISED, SUPERVISOR, die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "paraanno.settings")


class CannotStart(Exception):
    """The reason and the remedy, for a person at a terminal."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m paraanno.running.start", description=__doc__)
    parser.add_argument(
        "--prepare-only",
        action="store_true",
        help="bring tables and static files up to date and end (for containers)",
    )
    options = parser.parse_args(arguments)

    from django.core.exceptions import ImproperlyConfigured

    try:
        if options.prepare_only:
            _prepare(demo=False)
        else:
            _start()
    except (CannotStart, ImproperlyConfigured) as error:
        print(f"paraanno cannot start: {error}", file=sys.stderr)
        return 1
    return 0


def _prepare(*, demo: bool) -> None:
    import django
    from django.db import DatabaseError

    from paraanno.apps import OwnApp

    OwnApp.registers = False  # This process shows no page and does no job.
    django.setup()

    from paraanno.checks import check_public_settings
    from paraanno.running.prepare import prepare

    for problem in check_public_settings(None):
        sentence = f"{problem.msg} {problem.hint}"
        if problem.is_serious():
            raise CannotStart(sentence)
        print(sentence, file=sys.stderr, flush=True)
    try:
        prepare(demo=demo)
    except DatabaseError as error:
        raise CannotStart(f"the database refuses: {error}") from error


def _start() -> None:
    """Become the supervisor; its child prepares, and prints the address of the site."""
    from django.conf import settings

    from paraanno.common.places import own_environment

    with _alone(supervision.lock_file(settings.DATA_DIR)):
        _clear_the_way(settings.DATA_DIR)
        _check_port(settings.HOST, settings.PORT)
        supervision.prepared_file(settings.DATA_DIR).unlink(missing_ok=True)
        child = _fork()
        if not child:
            _prepare(demo=settings.LOAD_DEMO)
            print(_welcome(settings.HOST, settings.PORT, settings.DATA_DIR), flush=True)
            supervision.prepared_file(settings.DATA_DIR).touch()
            return
        address = f"{settings.HOST}:{settings.PORT}"
        config = supervision.write_config(settings.DATA_DIR, address)
        os.environ.update(own_environment() | marks(settings.DATA_DIR))
        os.environ["PARAANNO_DATA_DIR"] = str(settings.DATA_DIR)
        os.environ[supervision.PREPARING] = str(child)
        _make_absolute()
        os.environ["TMPDIR"] = str(settings.DATA_DIR / "tmp")
        argv = supervision.supervisor_argv(config)
        os.execv(argv[0], argv)  # noqa: S606 (no shell is wanted)


def _fork() -> int:
    """Return the child's number, or 0 in the child, which ends with its parent. Both hold the lock
    of `_alone`: it is free when the child has ended, since that of the parent goes with exec."""
    sys.stdout.flush()
    parent = os.getpid()
    child = os.fork()
    if not child:
        die_with_parent(parent)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # The supervisor answers Ctrl-C.
    return child


FOLDERS = ("BACKUP_DIR", "MODEL_DIR", "RESOURCE_DIR", "WORDNET")


def _make_absolute() -> None:
    """Let what was named from here be found by programs that run in the data folder."""
    for name in (f"PARAANNO_{one}" for one in FOLDERS):
        if os.environ.get(name, "").strip():
            os.environ[name] = str(Path(os.environ[name].strip()).expanduser().resolve())
    relative = os.environ.get("DATABASE_URL", "").strip().partition("sqlite:///")[2]
    if relative:
        os.environ["DATABASE_URL"] = f"sqlite:///{quote(str(Path(unquote(relative)).resolve()))}"


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Make two starts of one data folder wait for each other, until the first has prepared."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _clear_the_way(data_dir: Path) -> None:
    """End processes that an earlier start left behind; refuse if that start is still in use."""
    processes = supervised(data_dir)
    in_use = running(processes)
    if in_use:
        raise CannotStart(
            f"it already runs with the data folder {data_dir} (process {in_use.pid}). "
            "Stop that one with Ctrl-C first, or set PARAANNO_DATA_DIR and PARAANNO_PORT."
        )
    if processes:
        print(f"Ending {len(processes)} processes that an earlier start left behind.", flush=True)
        end(processes)


def _check_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                text = f"port {port} is in use by another program. Set PARAANNO_PORT to a free one."
            else:
                text = f"cannot listen on {host}:{port}: {error.strerror}."
            raise CannotStart(text) from error


def _welcome(host: str, port: int, data_dir: Path) -> str:
    shown = "localhost" if host in {"0.0.0.0", "[::]"} else host  # noqa: S104 (a comparison)
    lines = [
        f"paraanno serves at http://{shown}:{port}/ in a moment. Ctrl-C stops it.",
        f"Data folder: {data_dir} (logs in {data_dir / 'logs'})",
    ]
    logins = data_dir / "demo_logins.txt"
    if logins.exists():
        lines += [f"Logins of the demo (kept in {logins}):", logins.read_text(encoding="utf-8")]
    return "\n".join(lines)


# Server processes of this data folder that an earlier start left behind.


STARTED_BY = "PARAANNO_STARTED_BY"
PATIENCE = 8.0


def marks(data_dir: Path) -> dict[str, str]:
    """Return variables that identify a supervisor and its processes: folder and starter."""
    starter = psutil.Process(os.getppid())
    return {
        SUPERVISED: str(data_dir),
        STARTED_BY: f"{starter.pid}:{starter.create_time():.0f}",
    }


def supervised(data_dir: Path) -> list[psutil.Process]:
    """Return the processes of this user that were started for `data_dir`.

    They are identified by their environment; processes whose environment cannot be read belong to
    somebody else.
    """
    processes = []
    for process in psutil.process_iter():
        try:
            mark = process.environ().get(SUPERVISED)
        except (psutil.Error, OSError):
            continue
        if mark == str(data_dir) and process.pid != os.getpid():
            processes.append(process)
    return processes


def running(processes: list[psutil.Process]) -> psutil.Process | None:
    """Return the supervisor whose starter is still alive: it was not left behind."""
    for process in processes:
        try:
            is_supervisor = SUPERVISOR in process.cmdline()
            pid, _, born = process.environ().get(STARTED_BY, "").partition(":")
            # Two seconds of tolerance: the kernel adjusts its clock of process starts now and then.
            lives = abs(psutil.Process(int(pid)).create_time() - float(born)) < 2
        except (psutil.Error, OSError, ValueError):
            continue
        if is_supervisor and lives:
            return process
    return None


def end(processes: list[psutil.Process]) -> None:
    """Ask all to end, and kill those that have not ended within `PATIENCE` seconds."""
    for process in processes:
        try:
            process.terminate()
        except psutil.NoSuchProcess:
            continue
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE)
    for process in alive:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(alive, timeout=PATIENCE)


if __name__ == "__main__":
    sys.exit(main())
