"""Who sees which jobs, and how far they are."""

from datetime import timedelta

import pytest

from annotation.campaigns.services import campaign_create
from annotation.errors import NotFound
from annotation.models import ImportJob
from paraanno import clock
from paraanno.jobs.engine import KINDS
from scoring.models import Build, Report, Resource, Run
from scoring.runs.start import run_start
from scoring.work.jobs import NAMES, job_get, job_lines, storage_by_campaign, storage_by_person
from tests.factories import make_admin, make_annotator, make_campaign, make_user


@pytest.fixture
def campaign():
    return make_campaign(items=2, open_it=False, cast=False)


def job(campaign, **fields):
    made = {"what": "items", "file_name": "a.csv", "path": "files/a", **fields}
    return ImportJob.objects.create(campaign=campaign, **made)


def seen(user, **how):
    return [(line.kind, line.name, line.status) for line in job_lines(user=user, **how)]


def test_every_kind_has_a_name_or_is_part_of_another():
    assert set(KINDS) - set(NAMES) == {"chunk"}


def test_researchers_see_their_campaigns_and_administrators_all(campaign):
    alice, dora = make_user("alice"), make_user("dora")
    other = campaign_create(actor=dora, slug="other")
    job(campaign)
    job(other, file_name="b.csv")
    Build.objects.create(recipe="lm", name="Mine", options_hash="1" * 64, created_by=dora)
    assert seen(alice) == [("import", "a.csv", "queued")]
    own = [("import", "b.csv", "queued"), ("build", "Mine", "queued")]
    assert seen(dora) == own
    assert sorted(seen(make_admin())) == sorted([("import", "a.csv", "queued"), *own])
    key = str(ImportJob.objects.get(campaign=other).key)
    for user in (alice, make_annotator(campaign).user):
        with pytest.raises(NotFound):
            job_get(user=user, kind="import", key=key)
    with pytest.raises(NotFound):
        job_lines(user=make_user("nobody"))
    for kind, wrong in (("import", "x"), ("chunk", "1"), ("board", "x")):
        with pytest.raises(NotFound):
            job_get(user=dora, kind=kind, key=wrong)


def test_the_states_of_all_tables_have_the_same_words(campaign):
    alice = make_user("alice")
    run_start(campaign=campaign, spec="pinc", actor=alice)
    of_run = {"preparing": "running", "running": "running", "queued": "queued"}
    for status, word in of_run.items():
        Run.objects.update(status=status)
        assert seen(alice) == [("run", "PINC", word)]
    Run.objects.all().delete()
    resource = Resource.objects.create(
        kind="vectors", name="v", sha256="a" * 64, size=1, created_by=alice
    )
    assert seen(alice) == [("resource", "v", "queued")]
    Resource.objects.update(token="t", worker="w")
    assert seen(alice) == [("resource", "v", "running")]
    over = {"token": "", "worker": "", "finished_at": clock.now()}
    Resource.objects.update(status="refused", error="No vectors.", **over)
    assert seen(alice, done=False) == [("resource", "v", "failed")]
    assert not job_get(user=alice, kind="resource", key=str(resource.key)).can_repeat


def test_what_ended_a_week_ago_is_gone(campaign):
    week = clock.now() - timedelta(days=8)
    for at in (clock.now(), week):
        job(campaign, status="failed", error="x", finished_at=at)
    Report.objects.create(
        campaign=campaign,
        kind="results",
        options_hash="",
        fingerprint="",
        status="done",
        result={},
        finished_at=clock.now(),
    )
    assert [kind for kind, *_ in seen(make_user("alice"))] == ["report", "import"]
    assert [kind for kind, *_ in seen(make_user("alice"), done=False)] == ["import"]


def test_an_estimate_takes_the_speed_so_far(campaign):
    now = clock.now()
    job(
        campaign,
        status="running",
        token="t",
        worker="w",
        done=25,
        total=100,
        started_at=now - timedelta(seconds=30),
        heartbeat=now - timedelta(seconds=10),
    )
    (line,) = job_lines(user=make_user("alice"))
    # A quarter took 20 s, and 10 of the other 60 are over.
    assert (line.share, line.percent) == (0.25, 25) and 48 <= line.seconds_left <= 50
    # It has gone on for longer than that: what is left is not known, and is not 0 s.
    campaign.import_jobs.update(started_at=now - timedelta(seconds=120))
    campaign.import_jobs.update(heartbeat=now - timedelta(seconds=100))
    (line,) = job_lines(user=make_user("alice"))
    assert (line.percent, line.seconds_left) == (25, None)


def test_of_a_new_attempt_nothing_is_known_yet(campaign):
    """The share of the one before says nothing."""
    now = clock.now()
    campaign.export_files.create(
        what="items",
        format="csv",
        status="running",
        worker="w",
        share=0.9,
        started_at=now,
        heartbeat=now,
    )
    (line,) = job_lines(user=make_user("alice"))
    assert (line.share, line.seconds_left) == (None, None)


def test_storage_is_counted_by_campaign_and_person(campaign, django_assert_num_queries):
    alice = make_user("alice")
    for what, user in (("items", alice), ("gold", None)):
        campaign.export_files.create(
            what=what,
            format="csv",
            status="done",
            rows=1,
            size=100,
            sha256="a",
            path=what,
            created_by=user,
        )
    Resource.objects.create(
        kind="vectors",
        name="v",
        sha256="a" * 64,
        size=7,
        status="ready",
        path="resources/v",
        created_by=alice,
    )
    with django_assert_num_queries(3):
        assert [(one.name, one.files, one.size) for one in storage_by_campaign()] == [
            ("Camp", 2, 200)
        ]
        assert [(one.name, one.size) for one in storage_by_person()] == [("alice", 107), ("", 100)]
