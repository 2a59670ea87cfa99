"""Resources with a real worker: a file that its reader never ends."""

import psutil
import pytest

from scoring.exports.services import export_order
from scoring.models import ExportFile, Resource
from scoring.resources.services import resource_from_server
from tests import HOME
from tests.factories import make_campaign

# In every sandbox, in place of a library's parser that finds no end.
HANGS = """
import os, pkgutil, sys, time

def hang(*_):
    open({place!r}, "w").write(str(os.getpid()))
    time.sleep(600)

if "paraanno.common.sandbox.child" in sys.orig_argv:
    pkgutil.resolve_name = lambda _: hang
"""


@pytest.mark.slow
def test_a_file_without_end_keeps_nothing_waiting_and_dies_with_the_worker(
    live_site, tmp_path, monkeypatch, settings
):
    (tmp_path / "hook").mkdir()
    (tmp_path / "v.txt").write_text("1 1\na 1\n")
    place = tmp_path / "pid"
    (tmp_path / "hook" / "sitecustomize.py").write_text(HANGS.format(place=str(place)))
    settings.RESOURCE_DIR = str(tmp_path)
    site = live_site(
        environment={
            "PYTHONPATH": f"{tmp_path / 'hook'}:{HOME}",
            "PARAANNO_RESOURCE_DIR": str(tmp_path),
            "PARAANNO_WORKER_PROCESSES": "1",
        }
    )
    monkeypatch.setattr("scoring.work.workers._send", lambda *_: None)
    site.start("worker")
    with site.database():
        resource_from_server(kind="vectors", path="v.txt", actor=None)
        campaign = make_campaign("lab", items=2)
        site.until(place.exists, "its reader runs", patience=60)
        file = export_order(campaign=campaign, actor=None, what="items", format="csv")
        made = ExportFile.objects.filter(pk=file.pk, status="done")
        site.until(made.exists, "the export is made")
        assert Resource.objects.get().status == "checking"
        reader = int(place.read_text())
        assert psutil.pid_exists(reader)
        site.kill("worker")
        site.until(lambda: not psutil.pid_exists(reader), "its reader is gone")
        place.unlink()
        site.start("worker")
        site.until(place.exists, "its reader runs again", patience=60)
        site.processes["worker"].terminate()  # In peace, which says nothing about the file.
        site.until(lambda: Resource.objects.get().worker == "", "the file waits again")
        assert (Resource.objects.get().status, Resource.objects.get().attempts) == ("checking", 0)
