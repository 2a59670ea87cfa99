"""Builds: carried out, cancelled half-way, gone on with, and failing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db.models import F
from django.db.models.functions import Now

from scoring.building.recipes.recipe import make
from scoring.building.recipes.registry import recipe
from scoring.metrics.files import sha256
from scoring.metrics.resources.arpa import load_model
from scoring.models import Build, Resource
from scoring.selectors.resources import plain_file
from scoring.services.builds import work as module
from scoring.services.builds.start import build_cancel
from scoring.services.builds.work import builds_work
from scoring.services.resources.add import resource_add
from scoring.services.resources.remove import resources_expire
from scoring.services.sweep import sweep
from scoring.services.workers.heartbeats import beat_start
from tests.factories import make_user
from tests.scoring.services.builds.parts import asked, corpus
from tests.scoring.services.resources.parts import files

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


def test_a_build_becomes_a_resource_that_can_be_taken_elsewhere(
    tmp_path: Path, data_dir: Path
) -> None:
    build = asked(corpus(tmp_path), order=2)
    assert builds_work() == 1
    build.refresh_from_db()
    assert (build.status, build.error, build.stage, build.share) == ("done", "", "store", 1)
    made = build.resource
    assert made is not None
    assert (made.kind, made.status, made.created_by) == ("lm", "ready", make_user("alice"))
    assert made.meta["order"] == 2 and made.meta["sentences"] == 50
    assert load_model(str(made.stored)).order == 2
    # Its plain file, added elsewhere, would be the same resource.
    plain = plain_file(resource=made)
    assert plain is not None and plain.suffix == ".arpa"
    assert sha256(plain) == made.sha256
    assert resource_add(kind="lm", path=plain, actor=None) == made
    assert not build.folder.exists()
    assert [name for name in files(data_dir) if name.startswith("builds/")] == []


def test_what_was_added_before_is_what_it_made(tmp_path: Path) -> None:
    source = corpus(tmp_path)
    folder = tmp_path / "by hand"
    plain = make(recipe("lm"), {"text": source.stored}, folder, {}).plain
    known = resource_add(kind="lm", path=plain, name="By hand", actor=None)
    build = asked(source)
    builds_work()
    build.refresh_from_db()
    assert build.resource == known
    assert Resource.objects.get(kind="lm").name == "By hand"


def test_a_cancelled_build_stops_at_its_next_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = asked(corpus(tmp_path))
    monkeypatch.setattr(module, "TELL_SECONDS", 0)
    told = module._Told.__call__
    stages: list[str] = []

    def cancelling(self: Any, stage: str, number: int, share: float) -> None:
        stages.append(stage)
        if stage == "store":
            Build.objects.filter(pk=build.pk).update(attempts=F("attempts"))
            build_cancel(build=Build.objects.get(pk=build.pk), actor=None)
        told(self, stage, number, share)

    monkeypatch.setattr(module._Told, "__call__", cancelling)
    assert builds_work() == 1
    build.refresh_from_db()
    assert (build.status, build.resource) == ("cancelled", None)
    assert stages.count("store") == 1
    assert (build.folder / "estimate").is_dir()
    assert not Resource.objects.filter(kind="lm").exists()

    # Asked for again, it goes on after the stage that is whole.
    monkeypatch.setattr(module._Told, "__call__", told)
    whole = (build.folder / "estimate").stat().st_mtime_ns
    monkeypatch.setattr(module.shutil, "rmtree", lambda *_, **__: None)
    again = asked(corpus(tmp_path))
    assert again.folder == build.folder
    assert builds_work() == 1
    again.refresh_from_db()
    assert again.status == "done"
    assert (build.folder / "estimate").stat().st_mtime_ns == whole


def test_the_claim_of_a_dead_process_is_taken_back_three_times(tmp_path: Path) -> None:
    build = asked(corpus(tmp_path))
    mine = Build.objects.filter(pk=build.pk)
    beat_start(queues=[])
    for attempts in (1, 2):
        mine.update(
            status="running", worker="elsewhere:1:x/2", attempts=attempts,
            started_at="2026-01-01T00:00Z",
        )  # fmt: skip
        assert sweep(idle=False, queues=[]).taken_back == 1
        assert (mine.get().status, mine.get().worker) == ("queued", "")
    mine.update(
        status="running", worker="elsewhere:1:x/2", attempts=3, started_at="2026-01-01T00:00Z"
    )
    sweep(idle=False, queues=[])
    assert mine.get().status == "failed"
    assert "ended 3 times" in mine.get().error
    mine.update(status="running", worker="elsewhere:1:x/2", started_at=Now(), finished_at=None)
    assert sweep(idle=False, queues=[]).taken_back == 0


def test_a_build_that_breaks_says_why_and_the_next_one_is_built(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = corpus(tmp_path)
    broken, whole = asked(source), asked(source, order=2)

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    real = module.make
    answers = iter((full, real))
    monkeypatch.setattr(module, "make", lambda *a, **k: next(answers)(*a, **k))
    assert builds_work() == 2
    broken.refresh_from_db()
    whole.refresh_from_db()
    assert (broken.status, whole.status) == ("failed", "done")
    assert broken.error.startswith("The server’s disk is full")
    (source.stored / "tokens.npy").write_bytes(b"damaged")
    third = asked(source, order=4)
    monkeypatch.setattr(module, "make", real)
    builds_work()
    third.refresh_from_db()
    assert third.status == "failed"
    assert third.error.startswith(f"resources/corpus-{source.sha256}/tokens.npy:0: is damaged")
    assert str(data_dir) not in third.error


def test_a_build_that_takes_too_long_fails(tmp_path: Path, settings: Any) -> None:
    build = asked(corpus(tmp_path))
    settings.BUILD_MINUTES = 0
    builds_work()
    build.refresh_from_db()
    assert (build.status, build.resource) == ("failed", None)
    assert "raise PARAANNO_BUILD_MINUTES" in build.error


def test_folders_of_builds_that_nobody_waits_for_are_removed(tmp_path: Path) -> None:
    import os

    build = asked(corpus(tmp_path))
    stray = build.folder.with_name("stray")
    for folder in (build.folder, stray):
        folder.mkdir(parents=True)
        os.utime(folder, (0, 0))
    assert resources_expire() == 1
    assert build.folder.exists() and not stray.exists()
