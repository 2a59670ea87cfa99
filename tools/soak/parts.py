"""The parts of the site: processes that can be killed, frozen and started again."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from tests import HOME

BACK_AFTER = 2.0  # Seconds until what died is started again, as a supervisor would.


class Part:
    """One process with its children. `environment` may be changed between two starts."""

    def __init__(
        self,
        name: str,
        host: str,
        argv: list[str],
        environment: dict[str, str],
        log: Path,
        *,
        stop: signal.Signals = signal.SIGTERM,
    ) -> None:
        self.name, self.host, self.argv, self.environment = name, host, argv, dict(environment)
        self.log, self.stop_signal = log, stop
        self.starts = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        with self._lock, self.log.open("ab") as output:
            self.starts += 1
            self._process = subprocess.Popen(
                self.argv,
                cwd=HOME,
                env=self.environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """kill -9 the process; its children notice by themselves, as after a crash."""
        self._signal(signal.SIGKILL, group=False)

    def freeze(self) -> None:
        """Stop it with all its children; those of PostgreSQL are in sessions of their own."""
        self._each(psutil.Process.suspend)

    def thaw(self) -> None:
        self._each(psutil.Process.resume)

    def _each(self, act: Callable[[psutil.Process], None]) -> None:
        for one in self._every():
            with contextlib.suppress(psutil.NoSuchProcess):  # A connection has ended meanwhile.
                act(one)

    def stop(self) -> None:
        """End it in peace, and by force after ten seconds."""
        self.thaw()
        self._signal(self.stop_signal, group=False)
        with contextlib.suppress(subprocess.TimeoutExpired):
            if self._process is not None:
                self._process.wait(timeout=10)
        self._signal(signal.SIGKILL)
        if self._process is not None:
            self._process.wait()

    def memory(self) -> float:
        """Resident MB of the process and its children; 0 while there is none."""
        with contextlib.suppress(psutil.Error):
            return sum(one.memory_info().rss for one in self._every()) / 2**20
        return 0.0

    def _every(self) -> list[psutil.Process]:
        if self._process is None or self._process.poll() is not None:
            return []
        with contextlib.suppress(psutil.Error):
            root = psutil.Process(self._process.pid)
            return [root, *root.children(recursive=True)]
        return []

    def _signal(self, number: signal.Signals, *, group: bool = True) -> None:
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            if group:
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)


class Keeper:
    """Starts what died again, like a supervisor on each host."""

    def __init__(self, parts: list[Part]) -> None:
        self.parts = parts
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    def _keep(self) -> None:
        missing: dict[str, float] = {}
        while not self._end.wait(0.1):
            for part in self.parts:
                if part.alive:
                    missing.pop(part.name, None)
                elif (
                    time.monotonic() - missing.setdefault(part.name, time.monotonic()) > BACK_AFTER
                ):
                    missing.pop(part.name)
                    part.start()

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        for part in reversed(self.parts):
            part.stop()


def postgres(folder: Path, port: int, addresses: list[str], log: Path) -> Part:
    """A PostgreSQL of the run's own, which keeps every promise of its settings."""
    programs = _postgres_programs()
    user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    if user:
        shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"
    subprocess.run(
        [*user, f"{programs}/initdb", "-D", str(data), "-U", "paraanno", "--auth=trust"],
        check=True,
        capture_output=True,
        cwd="/",
    )
    with (data / "pg_hba.conf").open("a") as rules:
        rules.writelines(f"host all all {one.rpartition('.')[0]}.0/24 trust\n" for one in addresses)
    options = {
        "listen_addresses": ",".join(sorted({"127.0.0.1", *addresses})),
        "port": str(port),
        "unix_socket_directories": str(folder),
        "max_connections": "100",
        "max_wal_size": "256MB",
    }
    # setpriv keeps the number of the process, so that signals reach the server itself.
    drop = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if user else []
    argv = [*drop, f"{programs}/postgres", "-D", str(data)]
    for name, value in options.items():
        argv += ["-c", f"{name}={value}"]
    # SIGINT is a fast stop.
    return Part("database", "", argv, dict(os.environ), log, stop=signal.SIGINT)


def _postgres_programs() -> Path:
    if found := shutil.which("postgres"):
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not folders:
        raise RuntimeError("The soak starts a PostgreSQL of its own: install postgresql.")
    return folders[-1]


def redis(folder: Path, port: int, addresses: list[str], log: Path) -> Part:
    """A Redis that forgets everything when it is killed."""
    program = shutil.which("redis-server")
    if program is None:
        raise RuntimeError("The soak starts a Redis of its own: install redis-server.")
    argv = [
        program,
        "--port",
        str(port),
        "--bind",
        *sorted({"127.0.0.1", *addresses}),
        "--save",
        "",
        "--protected-mode",
        "no",
        "--dir",
        str(folder),
    ]
    return Part("broker", "", argv, dict(os.environ), log)


def until_open(address: str, port: int, what: str, *, seconds: float = 60) -> None:
    """Wait until something listens there."""

    def listens() -> bool:
        with contextlib.suppress(OSError), socket.create_connection((address, port), timeout=1):
            return True
        return False

    until(listens, what, seconds=seconds)


def until(condition: Callable[[], bool], what: str, *, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"Never came true: {what}.")
        time.sleep(0.1)
