"""Real web servers and workers for tests, which may kill them.

site = Site(database="postgresql", broker="redis")
site.start("web"); site.start("worker")
with site.database():          # Django's ORM in this process, on the site's database
    ...
site.kill("worker"); site.start("worker")
site.close()                   # leaves no process, file, database or queue
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

from paraanno.env import database_from_url
from paraanno.running import supervision
from tests import HOME, live_parts, needs

PATIENCE = 120.0  # Seconds; what comes sooner is not waited for.


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def on_database(url):
    """Point Django's ORM in this thread at a database."""
    from django.db import connections
    from django.db.utils import load_backend

    before = connections["default"]
    own = {**before.settings_dict, **database_from_url(url)}
    connections["default"] = load_backend(own["ENGINE"]).DatabaseWrapper(own, "default")
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = before


class Site:
    """One instance: a data folder, a database, a broker, and processes by name.

    Names begin with `web`, `worker` or `heavy` ("worker-2" is a second worker). `environment` adds
    variables for the processes. `unblock` lifts pytest-django's ban of the database, where there
    is one.
    """

    def __init__(
        self,
        *,
        database="sqlite",
        broker="filesystem",
        environment=None,
        unblock=contextlib.nullcontext,
    ):
        self.unblock = unblock
        for name in ({"postgresql": "postgres"}.get(database), broker):
            if name and name != "filesystem":
                needs.need(name)
        self.data_dir = live_parts.new_data_dir()
        self.database_path = self.data_dir / "paraanno.sqlite3"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.processes = {}
        self._undo = [lambda: shutil.rmtree(self.data_dir)]
        self.environment = live_parts.clean_environment(
            PARAANNO_DATA_DIR=str(self.data_dir),
            PARAANNO_PORT=str(self.port),
            TMPDIR=str(self.data_dir / "tmp"),
            **(environment or {}),
        )
        try:
            self._add(
                live_parts.new_sqlite(self.data_dir)
                if database == "sqlite"
                else live_parts.new_postgres()
            )
            if broker != "filesystem":
                makers = {"redis": live_parts.new_redis, "rabbitmq": live_parts.new_rabbitmq}
                self._add(makers[broker]())
        except BaseException:
            self.close()
            raise

    def _add(self, part):
        self.environment |= part[0]
        self._undo.append(part[1])

    def manage(self, *arguments):
        """Run a command on this site and return what it printed."""
        return live_parts.run_python(self.environment, "manage.py", *arguments)

    def start(self, name="web", *, wait=True, port=None):
        """Start a process; `wait` until the web server answers or the worker takes tasks. `port`
        is that of a second web server."""
        kind = name.partition("-")[0]
        argv = supervision.program_argv(kind, self.environment.get("PARAANNO_QUEUE", ""))
        if kind != "web":
            argv += ["--hostname", f"{name}@%h"]
        log = self.log_path(name)
        seen = log.stat().st_size if log.exists() else 0
        environment = self.environment | ({"PARAANNO_PORT": str(port)} if port else {})
        with log.open("ab") as output:
            self.processes[name] = subprocess.Popen(
                argv,
                cwd=HOME,
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        if wait and kind == "web":
            self.until(lambda: self.health(port) is not None, f"{name} answers")
        elif wait:
            self.until(lambda: b" ready." in log.read_bytes()[seen:], f"{name} is ready")

    def log_path(self, name):
        return self.data_dir / "logs" / f"{name}.log"

    def kill(self, name="web"):
        """kill -9 the process; its children are left to notice by themselves."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def stop(self, name="web"):
        """End the process in peace; a worker takes five seconds for that."""
        process = self.processes.pop(name)
        process.terminate()
        try:
            process.wait(timeout=60)
        finally:
            self._end(process)

    def _end(self, process):
        """By force, with its whole group."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def health(self, port=None):
        """The answer of /healthz, also of a degraded site; None while nothing answers."""
        try:
            url = f"http://127.0.0.1:{port or self.port}/healthz"
            with urllib.request.urlopen(url, timeout=10) as answer:
                return dict(json.load(answer))
        except urllib.error.HTTPError as error:
            return dict(json.load(error)) if error.code == 503 else None
        except (OSError, ValueError):
            return None

    def until(self, condition, what, *, patience=PATIENCE):
        """Wait until `condition()` holds; fail with the ends of the logs if it never does."""
        end = time.monotonic() + patience
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"Never came true: {what}.\n{self.log_ends()}")
            time.sleep(0.05)

    def log_ends(self):
        logs = sorted((self.data_dir / "logs").glob("*.log"))
        return "\n".join(f"--- {log.name}\n{log.read_text()[-3000:]}" for log in logs)

    @contextlib.contextmanager
    def database(self):
        """Point Django's ORM in this thread at the site's database."""
        url = self.environment.get("DATABASE_URL") or f"sqlite:///{self.database_path}"
        with self.unblock(), on_database(url):
            yield

    def close(self):
        """End all processes and take away everything that was made."""
        while self.processes:
            self._end(self.processes.popitem()[1])
        while self._undo:
            self._undo.pop()()
