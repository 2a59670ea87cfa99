"""Resources with real servers: a worker killed half-way, and an upload in a browser."""

import os
import signal

import psutil
import pytest

from scoring.exports.services import export_order
from scoring.metrics.resources.vectors import load_vectors
from scoring.models import ExportFile, Resource
from scoring.resources.services import resource_from_server
from tests import HOME
from tests.axe import violations
from tests.factories import make_campaign
from tests.scoring.metrics.vector_files import CIRCLE, write_vectors
from tests.scoring.resources import files, resources_page

WORDS, SIZE = 10_000, 4  # More than a block, after which progress is reported.
# Into every sandbox: `hooked` stands for what it was started for.
HOOK = """
import os, pkgutil, sys, time
resolve = pkgutil.resolve_name
place = {place!r}

{hooked}

if "paraanno.common.sandbox.child" in sys.orig_argv:
    pkgutil.resolve_name = hooked
"""
# In place of a library's parser that finds no end.
HANGS = """
def hooked(name):
    return hang

def hang(*_):
    open(place, "w").write(str(os.getpid()))
    time.sleep(600)
"""
# It stops half-way for as long as the file is there.
HALTS = """
def hooked(name):
    def halting(tell, *given):
        def halt(*message):
            tell(*message)
            while os.path.exists(place):
                time.sleep(0.05)
        resolve(name)(halt, *given)
    return halting if name.endswith(":converting") else resolve(name)
"""


def hooked_site(live_site, settings, folder, hook, place):
    """A site whose sandboxes have the hook and whose files lie in the folder."""
    (folder / "hook").mkdir()
    code = HOOK.format(hooked=hook, place=str(place))
    (folder / "hook" / "sitecustomize.py").write_text(code)
    settings.RESOURCE_DIR = str(folder)
    variables = {
        "PYTHONPATH": f"{folder / 'hook'}:{HOME}",
        "PARAANNO_RESOURCE_DIR": str(folder),
        "PARAANNO_WORKER_PROCESSES": "1",
    }
    return live_site(environment=variables)


@pytest.mark.slow
def test_whatever_is_killed_half_way_leaves_no_half_store(
    live_site, tmp_path, monkeypatch, settings
):
    rows = {f"w{at}": [at % 7 + 1] * SIZE for at in range(WORDS)}
    write_vectors(tmp_path / "v.txt", rows)
    (half := tmp_path / "half").touch()
    monkeypatch.setattr("scoring.work.workers._send", lambda *_: None)
    site = hooked_site(live_site, settings, tmp_path, HALTS, half)

    def state():
        with site.database():
            return Resource.objects.get()

    def writes(token):
        return any(f"-{token}/" in name for name in files(site.data_dir / "resources"))

    with site.database():
        resource_from_server(kind="vectors", path="v.txt", actor=None)
    stray = site.data_dir / "resources" / "vectors-0"  # Of a resource that is gone.
    stray.mkdir(parents=True)
    (stray / "vectors.npy").touch()
    os.utime(stray, (0, 0))
    site.start("worker")
    site.until(lambda: 0 < state().progress < 1, "the conversion is half-way")
    os.kill(int(state().worker.rpartition("/")[2]), signal.SIGKILL)  # Its own process: it counts.
    site.until(lambda: state().attempts == 2 and writes(state().token[:8]), "another one begins")
    site.kill("worker")  # Its process puts the file back: it was not what died.
    assert state().status == "checking"
    left = files(site.data_dir / "resources")
    assert any(name.startswith("half-") for name in left)
    assert not any(name.startswith("vectors-") for name in left if name != "vectors-0/vectors.npy")
    half.unlink()
    site.start("worker")
    site.until(lambda: state().status != "checking", "it is converted")
    found = state()
    assert (found.status, found.error, found.attempts) == ("ready", "", 2)
    assert found.meta == {"words": WORDS, "size": SIZE}
    left = files(site.data_dir / "resources")
    assert len(left) == 4 and all(name.startswith("vectors-") for name in left)
    assert len(load_vectors(str(site.data_dir / found.path)).rows) == WORDS


@pytest.mark.slow
def test_a_file_without_end_keeps_nothing_waiting_and_dies_with_the_worker(
    live_site, tmp_path, monkeypatch, settings
):
    (tmp_path / "v.txt").write_text("1 1\na 1\n")
    place = tmp_path / "pid"
    site = hooked_site(live_site, settings, tmp_path, HANGS, place)
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


@pytest.mark.nightly  # What is done with it, without a browser: test_add.py.
@pytest.mark.browser
def test_a_file_is_uploaded_in_a_browser_which_knows_the_limit(live_site, new_page, tmp_path):
    site = live_site(environment={"PARAANNO_MAX_RESOURCE_MB": "1"})
    page = resources_page(site, new_page)
    page.click("a.button:text-is('Add a file')")
    page.set_input_files("[name=file]", write_vectors(tmp_path / "circle.txt", CIRCLE))
    page.fill("#add [name=name]", "Circle")
    page.click("#add .button")
    page.wait_for_selector("tr[data-status=ready]:has-text('6 words')", timeout=120_000)
    assert violations(page) == []

    (tmp_path / "large.txt").write_bytes(b"x" * (2**20 + 1))
    page.click("a.button:text-is('Add a file')")
    page.set_input_files("[name=file]", tmp_path / "large.txt")
    assert "larger than 1 MB" in page.eval_on_selector("[name=file]", "it => it.validationMessage")
    page.eval_on_selector("#add form", "form => { form.noValidate = true; }")
    page.click("#add .button")
    page.wait_for_selector(".errors:has-text('larger than 1 MB')")
