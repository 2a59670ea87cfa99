"""Builds: carried out, cancelled half-way, gone on with, and failing."""

import os

from django.db.models.functions import Now

from paraanno.jobs import engine
from scoring.building.recipes.recipe import make, recipe
from scoring.builds import work
from scoring.builds.services import build_cancel
from scoring.metrics.files import sha256
from scoring.metrics.resources.arpa import load_model
from scoring.models import Build, Resource
from scoring.resources.queries import plain_file
from scoring.resources.services import resource_add, resources_expire
from scoring.work.lanes import sweep
from scoring.work.workers import beat_start
from tests.factories import make_user
from tests.scoring.builds import asked, corpus, made
from tests.scoring.resources import files


def test_a_build_becomes_a_resource_that_can_be_taken_elsewhere(tmp_path, data_dir):
    build = made(asked(corpus(tmp_path), order=2))
    assert (build.status, build.error, build.stage, build.share) == ("done", "", "store", 1)
    model = build.resource
    assert (model.kind, model.status, model.created_by) == ("lm", "ready", make_user("alice"))
    assert model.meta["order"] == 2 and model.meta["sentences"] == 50
    assert load_model(str(model.stored)).order == 2
    # Its plain file, added elsewhere, would be the same resource.
    plain = plain_file(resource=model)
    assert plain.suffix == ".arpa" and sha256(plain) == model.sha256
    assert resource_add(kind="lm", path=plain, actor=make_user("alice")) == model
    assert [name for name in files(data_dir) if name.startswith("builds/")] == []


def test_what_was_added_before_is_what_it_made(tmp_path):
    source = corpus(tmp_path)
    plain = make(recipe("lm"), {"text": source.stored}, tmp_path / "by hand", {}).plain
    by_hand = resource_add(kind="lm", path=plain, name="By hand", actor=make_user("alice"))
    assert made(asked(source)).resource == by_hand
    assert Resource.objects.get(kind="lm").name == "By hand"


def test_a_cancelled_build_stops_at_its_next_share(tmp_path, monkeypatch):
    build = asked(corpus(tmp_path))
    monkeypatch.setattr(engine, "TELL_SECONDS", 0)
    tell = work._Progress.__call__
    stages = []

    def cancelling(self, stage, number, share):
        stages.append(stage)
        if stage == "store":
            build_cancel(build=build, actor=None)
        tell(self, stage, number, share)

    with monkeypatch.context() as patch:
        patch.setattr(work._Progress, "__call__", cancelling)
        assert (made(build).status, build.resource) == ("cancelled", None)
    assert stages.count("store") == 1
    assert not Resource.objects.filter(kind="lm").exists()
    # Its gigabytes are gone, and it may be asked for again.
    assert not build.folder.exists()
    assert made(asked(corpus(tmp_path))).status == "done"


def test_the_claim_of_a_dead_process_is_taken_back_three_times(tmp_path):
    asked(corpus(tmp_path))
    builds = Build.objects.all()
    beat_start(queues=[])
    claimed = {"status": "running", "worker": "elsewhere:1:x/2"}
    for attempts in (1, 2, 3):
        builds.update(attempts=attempts, started_at="2026-01-01T00:00Z", **claimed)
        assert sweep(idle=False, queues=[]).taken_back == (attempts < 3)
        if attempts < 3:
            assert (builds.get().status, builds.get().worker) == ("queued", "")
    assert builds.get().status == "failed" and "ended 3 times" in builds.get().error
    builds.update(started_at=Now(), finished_at=None, **claimed)
    assert sweep(idle=False, queues=[]).taken_back == 0


def test_a_build_that_breaks_says_why_and_the_next_one_is_built(tmp_path, data_dir, monkeypatch):
    source = corpus(tmp_path)
    broken, whole = asked(source), asked(source, order=2)

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    answers = iter((full, make))
    with monkeypatch.context() as patch:
        patch.setattr(work, "make", lambda *a, **k: next(answers)(*a, **k))
        assert made(broken).status == "failed"
    whole.refresh_from_db()
    assert whole.status == "done"
    assert broken.error.startswith("The server’s disk is full")
    (source.stored / "tokens.npy").write_bytes(b"damaged")
    third = made(asked(source, order=4))
    assert third.status == "failed"
    assert third.error.startswith(f"resources/corpus-{source.sha256}/tokens.npy:0: is damaged")
    assert str(data_dir) not in third.error


def test_a_build_that_takes_too_long_fails(tmp_path, settings):
    build = asked(corpus(tmp_path))
    settings.BUILD_MINUTES = 0
    assert (made(build).status, build.resource) == ("failed", None)
    assert "raise PARAANNO_BUILD_MINUTES" in build.error


def test_folders_of_builds_that_nobody_waits_for_are_removed(tmp_path):
    build = asked(corpus(tmp_path))
    stray = build.folder.with_name("stray")
    for folder in (build.folder, stray):
        folder.mkdir(parents=True)
        os.utime(folder, (0, 0))
    assert resources_expire() == 1
    assert build.folder.exists() and not stray.exists()
