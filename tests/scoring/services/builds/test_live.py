"""Builds with real servers: the process killed half-way, and a browser from a text to a model."""

import os
import signal
from pathlib import Path

import pytest
from django.test import override_settings

from scoring.builds.services import build_start
from scoring.models import Build, Resource
from scoring.resources.services import resource_add
from tests.axe import violations
from tests.scoring.building.language_model.test_kneser_ney import zipf_sentences
from tests.scoring.services.resources.parts import resources_page

SENTENCES = 400_000  # A model of them takes some seconds.


@pytest.mark.slow
def test_a_process_killed_half_way_is_followed_by_one_that_ends_it(live_site, tmp_path):
    site = live_site()
    lines = [" ".join(one) for one in zipf_sentences(SENTENCES // 100)]
    text = "".join(f"x{at} {line}\n" for at in range(100) for line in lines)
    (tmp_path / "text.txt").write_text(text)
    with site.database(), override_settings(DATA_DIR=site.data_dir):
        source = resource_add(kind="corpus", path=tmp_path / "text.txt", actor=None)
        build, _new = build_start(
            recipe="lm", inputs={"text": source.key}, options={"order": 4}, actor=None
        )
    site.start("worker")

    def state():
        with site.database():
            return Build.objects.get()

    site.until(lambda: state().number == 2, "the second stage has begun")
    whole = site.data_dir / "builds" / str(build.key) / "estimate"
    before = whole.stat().st_mtime_ns
    os.kill(int(state().worker.rpartition("/")[2]), signal.SIGKILL)
    site.until(lambda: (state().attempts, state().number) == (2, 2), "another process goes on")
    assert whole.stat().st_mtime_ns == before
    site.until(lambda: state().status == "done", "it is whole")
    assert state().error == ""
    with site.database():
        assert Resource.objects.get(kind="lm").meta["sentences"] == SENTENCES
    assert [path.name for path in (site.data_dir / "builds").iterdir()] == []


@pytest.mark.browser
def test_from_a_text_to_a_model(live_site, new_page, tmp_path):
    page = resources_page(live_site(), new_page)
    text = tmp_path / "text.txt"
    text.write_text("".join(" ".join(one) + "\n" for one in zipf_sentences(500)))
    page.click("a.button:text-is('Add a file')")
    page.select_option("[name=kind]", "corpus")
    page.set_input_files("[name=file]", text)
    page.click("text=Add the file")
    page.wait_for_selector("tr[data-status=ready]:has-text('500 sentences')", timeout=120_000)
    page.reload()
    page.click("a.button:text-is('Make one')")
    form = page.locator("#make-lm")
    page.click("details:has(> #make-lm) > summary")
    form.locator("[name=option-order]").fill("2")
    form.locator("[name=name]").fill("Words in pairs")
    form.get_by_role("button", name="Make it").click()
    page.wait_for_selector("text=Words in pairs is being made")
    assert violations(page) == []
    page.click("summary:has-text('2 files: sizes')", timeout=120_000)
    page.wait_for_selector("tr[data-resource]:has-text('Words in pairs')")
    assert violations(page) == []
    with page.expect_download() as download:
        page.click("text=Download as text")
    assert Path(download.value.path()).read_text().startswith("\\data\\\nngram 1=")
