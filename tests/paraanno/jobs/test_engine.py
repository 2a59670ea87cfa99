"""Whatever happens to the process of a job of any kind, it is done once, or its row says why not.

A kind joins by being registered: without an example (`examples.py`) its test fails. Processes are
forked, as a worker forks its own; they stop before the first transaction that follows their claim.
"""

import os
import signal
from contextlib import contextmanager

import pytest
from django.db import connection, connections, transaction

from paraanno.jobs import engine
from paraanno.jobs.engine import KINDS
from scoring.runs.work import run_work
from scoring.work.workers import Owners
from tests.live import Site
from tests.paraanno.jobs import examples

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


class Silent:
    """All workers look like one that has not been heard of for too long."""

    def is_gone(self, process, *, old):
        return True


@pytest.fixture
def folder(settings, tmp_path):
    """Of a site whose database is a file, which processes share."""
    site = Site(database=connection.vendor)
    settings.DATA_DIR, settings.MEDIA_ROOT = site.data_dir, site.data_dir / "files"
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    with site.database():
        yield site.data_dir
    site.close()


class Trial:
    """A job of a kind, and what becomes of it. Chunks are carried out with their run."""

    def __init__(self, kind, folder, n):
        self.kind, self.folder = kind, folder
        self.row = getattr(examples, f"of_{kind.name}")(n, folder)
        self.before = self.files()

    def work(self):
        self.kind.rows.filter(pk=self.row.pk).update(not_before=None)
        if self.kind.name == "chunk":
            return run_work(run_pk=self.row.run_id)
        return engine.job_work(self.kind.name, self.row.pk)

    def files(self):
        own = (self.folder / "files", self.folder / "resources", self.folder / "builds")
        return {path for folder in own for path in folder.rglob("*") if path.is_file()}

    def added(self):
        return len(self.files() - self.before)

    def now(self):
        return self.kind.rows.filter(pk=self.row.pk).first()

    def done(self):
        one = self.now()
        over = "done" if self.kind.name == "chunk" else self.kind.done
        return (one.status, one.worker, one.token, one.error) == (over, "", "", "")

    def sweep(self, owners=None):
        return engine.take_back(self.kind, owners or Owners(), idle=False)

    def cancel(self):
        if self.kind.name == "chunk":
            KINDS["run"].cancel(run=self.row.run, actor=None)
        elif self.kind.cancel is not None:
            self.kind.cancel(**{self.kind.name: self.row}, actor=None)
        else:
            with transaction.atomic():
                assert engine.cancel(self.kind, self.row)

    @contextmanager
    def process(self):
        """Another process at work, its id and what lets it go on."""
        (told, tell), (goes_on, go_on) = os.pipe(), os.pipe()
        database = connections["default"]
        database.close()
        pid = os.fork()
        if pid == 0:
            try:
                # Connections belong to the event loop, and that of a browser's test ends here.
                connections["default"] = database
                os.close(go_on)
                self._stop_once(tell, goes_on)
                self.work()
            finally:
                os._exit(0)
        os.close(tell)
        try:
            assert os.read(told, 1) == b"x", "it has ended"
            yield pid, lambda: os.write(go_on, b"x")
        finally:
            os.close(go_on)
            os.waitpid(pid, 0)
            os.close(told)
            os.close(goes_on)

    def _stop_once(self, tell, goes_on):
        enter, entered = transaction.Atomic.__enter__, []

        def entering(atomic):
            if not connections["default"].in_atomic_block:
                entered.append(atomic)
            if len(entered) == 2:
                os.write(tell, b"x")
                os.read(goes_on, 1)
            return enter(atomic)

        transaction.Atomic.__enter__ = entering


# One engine asks for all kinds: on PostgreSQL for two, each night for all.
ONCE = [] if connection.vendor == "sqlite" else [pytest.mark.once]
BY_ROUND = [
    name if name in ("chunk", "import") else pytest.param(name, marks=ONCE) for name in KINDS
]


@pytest.mark.parametrize("name", BY_ROUND)
def test_a_job_is_done_once_or_says_why(name, folder):
    kind = KINDS[name]
    undisturbed = Trial(kind, folder, 0)
    undisturbed.work()
    assert undisturbed.done()
    files = undisturbed.added()

    killed = Trial(kind, folder, 1)
    for _ in range(2):
        with killed.process() as (pid, _go):
            os.kill(pid, signal.SIGKILL)
        assert killed.now().status == kind.running and killed.sweep() == 1
    killed.work()
    # A build counts anew with every stage that is whole.
    assert killed.done() and killed.now().attempts == (1 if name == "build" else 3)
    assert killed.added() == files, "half of a file is left"

    frozen = Trial(kind, folder, 2)
    with frozen.process() as (_pid, go):
        assert frozen.sweep(Silent()) == 1
        frozen.work()
        assert frozen.done()
        there, row = frozen.files(), kind.rows.filter(pk=frozen.row.pk).values().get()
        go()
    assert kind.rows.filter(pk=frozen.row.pk).values().get() == row
    assert frozen.files() == there, "it touched what its successor has made"

    cancelled = Trial(kind, folder, 3)
    with cancelled.process() as (_pid, go):
        cancelled.cancel()
        go()
    one = cancelled.now()
    assert one is None or (one.status, one.worker) == ("cancelled", "")
    assert cancelled.added() == 0

    poisoned = Trial(kind, folder, 4)
    kind.rows.filter(pk=poisoned.row.pk).update(attempts=kind.attempts - 1)
    with poisoned.process() as (pid, _go):
        os.kill(pid, signal.SIGKILL)
    assert poisoned.sweep() == 0 and poisoned.now().status == kind.failed
    assert f"ended {kind.attempts} times" in poisoned.now().error and poisoned.added() == 0

    twice = Trial(kind, folder, 5)
    with twice.process() as (_pid, go):
        twice.work()
        assert twice.now().status == kind.running
        go()
    assert twice.done() and twice.now().attempts == 1
