"""A build with a real worker, whose process is killed half-way."""

import os
import signal

import pytest
from django.test import override_settings

from scoring.builds.services import build_start
from scoring.models import Build, Resource
from scoring.resources.services import resource_add
from tests.scoring.building.language_model.test_kneser_ney import zipf_sentences

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
