"""Rules of teams, times, limits, closing and publishing."""

import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.errors import Conflict, DomainError, Invalid, NotFound
from annotation.models import Judgment
from annotation.verify import verify
from paraanno.jobs.engine import job_work
from scoring.shared_tasks.access import board_json, has_newer_judgments, left_today, looks_of
from scoring.shared_tasks.freeze import fingerprint, task_freeze, task_zip
from scoring.shared_tasks.models import DayCount, SharedTask, Submission, TaskBoard, TaskFile, Track
from scoring.shared_tasks.submissions import (
    SubmissionRefused,
    close_due,
    frozen_get,
    participant_files,
    primary_choose,
    submission_withdraw,
    submit,
    task_close,
    task_publish,
    work_finish,
)
from scoring.shared_tasks.tasks import file_attach, task_change, task_create, team_add, team_join
from tests.factories import close_campaign, make_campaign, make_user, open_campaign
from tests.scoring.metrics.wordnet_files import wordnet_is_here
from tests.scoring.shared_tasks.made import (
    WORDS,
    choices_file,
    make_task,
    make_team,
    send,
)


def closed(task):
    task = task_close(task=SharedTask.objects.get(pk=task.pk), actor=None)
    work_finish(task=task)
    return task


def test_the_limit_of_a_day_holds_bad_files_do_not_count_and_names_are_not_taken_twice():
    task = make_task(per_day=2)
    team = make_team(task)
    with pytest.raises(SubmissionRefused):
        send(task, team, b"pair\tchoice\n")
    one = send(task, team, name="ours")
    with pytest.raises(Conflict, match="ours"):
        send(task, team, choices_file(task, -1), name="ours")
    one.refresh_from_db()
    assert one.public["half"] == 1 and Submission.objects.filter(team=team).count() == 1
    send(task, team)
    with pytest.raises(Conflict, match="limit"):
        send(task, team)
    assert left_today(task=task, team=team) == {"metrics": 0}
    assert looks_of(task=task)[0].n == 2


@pytest.mark.django_db(transaction=True)
def test_twenty_uploads_at_once_never_exceed_the_limit():
    task = make_task(per_day=5)
    team, data = make_team(task), choices_file(task)
    track, barrier = Track.objects.get(task=task), Barrier(20)

    def upload(_n):
        barrier.wait()
        try:
            submit(track=track, team=team, stream=io.BytesIO(data), file_name="a.tsv", actor=None)
        except DomainError as refusal:
            return refusal.message
        finally:
            connections.close_all()
        return "stored"

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(upload, range(20)))
    assert answers.count("stored") == 5, answers
    assert all("limit" in one for one in answers if one != "stored"), answers
    numbers = Submission.objects.filter(team=team).values_list("number", flat=True)
    assert sorted(numbers) == [1, 2, 3, 4, 5]
    assert DayCount.objects.get(team=team).n == 5


def test_the_servers_clock_decides():
    task, now = make_task(), timezone.now()
    team = make_team(task)
    for changes, wanted in (
        ({"opens_at": now + timedelta(hours=1)}, "not open yet"),
        ({"opens_at": None, "closes_at": now - timedelta(seconds=1)}, "is closed"),
    ):
        SharedTask.objects.filter(pk=task.pk).update(**changes)
        with pytest.raises(Conflict, match=wanted):
            send(task, team)
    assert close_due() == 1 and close_due() == 0
    with pytest.raises(Conflict, match="is closed"):
        send(task, team)
    assert not Submission.objects.filter(team=team).exists()


@pytest.mark.slow
def test_the_chosen_submission_counts_else_the_last():
    task = make_task()
    kite, onyx = make_team(task), make_team(task, "onyx")
    first, _second = send(task, kite), send(task, kite, choices_file(task, -1))
    primary_choose(submission=first, actor=None)
    send(task, onyx)
    last, gone = send(task, onyx, choices_file(task, 0)), send(task, onyx)
    submission_withdraw(submission=gone, actor=None)
    task = closed(task)
    counted = Submission.objects.filter(primary=True, baseline="").order_by("pk")
    assert list(counted) == [first, last]
    with pytest.raises(Conflict):
        primary_choose(submission=last, actor=None)
    rows = board_json(task=task)["tracks"]["metrics"]["rows"]
    assert sum(row["primary"] and not row["baseline"] for row in rows) == 2
    assert gone.name not in {row["submission"] for row in rows}


def test_what_is_scored_again_gives_the_same_whatever_happened_to_worker_and_judgments():
    task = make_task()
    one = send(task, make_team(task))
    public = one.public
    Submission.objects.filter(pk=one.pk).update(
        status="running",
        worker="gone:1:x/1",
        public=None,
        answers=None,
        heartbeat=timezone.now() - timedelta(hours=1),
    )
    assert not job_work("submission", one.pk)
    work_finish(task=task)
    one.refresh_from_db()
    assert (one.status, one.public, one.attempts) == ("done", public, 2)
    # The organiser is told of later judgments.
    assert not has_newer_judgments(task=task)
    Judgment.objects.update(value=3, recorded_at=timezone.now())
    assert has_newer_judgments(task=task)
    Submission.objects.filter(pk=one.pk).update(status="queued")
    work_finish(task=task)
    one.refresh_from_db()
    assert one.public == public and public["half"] == 1


@pytest.mark.slow
def test_the_zip_has_everything_and_the_certificates_are_verified():
    task = make_task(tracks=("metrics", "segment"), licence="CC0")
    send(task, make_team(task))
    scores = [f"{text}\t{n}" for n, text in enumerate(frozen_get(task=task).ids)]
    data = "\n".join(["text\tscore", *scores, ""]).encode()
    send(task, make_team(task, "onyx"), data, name="steps")
    task = task_publish(task=closed(task), actor=None)
    data = task_zip(task=task, board_copy="<p>board</p>")
    assert data == task_zip(task=task, board_copy="<p>board</p>")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = set(archive.namelist())
        certificates = json.loads(archive.read("certificates.json"))
        table = archive.read("tex/metrics-table-3.tex").decode()
    assert {
        "files/texts.tsv",
        "files/metrics/pairs.tsv",
        "gold/pairs.tsv",
        "gold/texts.tsv",
        "board.html",
        "leaderboard.json",
        "tex/metrics.tex",
        "tex/segment.tex",
        "heds.json",
        "methods.md",
        "manifest.json",
        "files/starter.py",
    } <= names
    assert sum(name.startswith("submissions/") for name in names) == 2
    assert "steps" in table and "bleu" in table
    for one in certificates:
        assert fingerprint(one | {"fingerprint": ""}) != one["fingerprint"]  # track, file are new
        part = {name: value for name, value in one.items() if name not in ("track", "file")}
        assert fingerprint(part) == part["fingerprint"]
    assert list(verify(campaign=task.campaign)) == []
    Submission.objects.filter(team__name="kite").update(final={**certificates[0], "half": 1.0})
    TaskFile.objects.filter(task=task, role="texts").update(sha256="0" * 64)
    broken = " ".join(map(str, verify(campaign=task.campaign)))
    assert "certificate" in broken and "fingerprint" in broken


def test_a_failure_of_ours_gives_the_days_count_back():
    task = make_task(per_day=1)
    team = make_team(task)
    one = send(task, team)
    with pytest.raises(Conflict, match="limit"):
        send(task, team)
    Submission.objects.filter(pk=one.pk).update(status="failed", error="a disk was full")
    assert left_today(task=task, team=team) == {"metrics": 1}
    assert send(task, team).status == "done"
    assert left_today(task=task, team=team) == {"metrics": 0}
    with pytest.raises(Conflict, match="limit"):
        send(task, team)


def test_a_task_without_a_track_of_originals_gives_out_none():
    files = participant_files(task=make_task(tracks=("realization",)))
    assert set(files) == {"texts.tsv", "pairs.tsv", "realization/pairs.tsv", "starter.py"}
    sentences = [f"The {word} dog number" for word in WORDS]
    assert not any(one.encode() in data for one in sentences for data in files.values())


def test_joining_is_by_link_once_and_into_one_team():
    task, user = make_task(freeze=False), make_user("anna")
    team, token = team_add(task=task, name="kite", actor=None)
    assert team_join(token=token, user=user) == team == team_join(token=token, user=user)
    _other, link = team_add(task=task, name="onyx", actor=None)
    with pytest.raises(Conflict, match="another team"):
        team_join(token=link, user=user)
    with pytest.raises(NotFound):
        team_join(token="no" + link, user=user)
    for name in ("KITE", "paraanno", "", "a" * 61):
        with pytest.raises((Conflict, Invalid)):
            team_add(task=task, name=name, actor=None)


@wordnet_is_here
def test_files_of_the_organiser_come_before_freezing_and_bring_their_baseline():
    task = make_task(freeze=False)
    lines = "".join(
        f"{item.sentence}\tIn the house, a dog is asleep.\t-{at}.5\n"
        for at, item in enumerate(task.campaign.items.all())
    )

    def add(name, data):
        stream = io.BytesIO(data)
        file_attach(task=task, role="nbest", track=None, actor=None, name=name, stream=stream)

    add("nbest.tsv", lines.encode())
    for name, data in (("nbest.tsv", b"x"), ("../pairs.tsv", b"x"), ("a", b"")):
        with pytest.raises((Conflict, Invalid)):
            add(name, data)
    campaign = open_campaign(task.campaign)
    with pytest.raises(DomainError, match="campaign is open"):
        task_freeze(task=SharedTask.objects.get(), actor=None)
    close_campaign(campaign)
    task = task_freeze(task=task, actor=None)
    work_finish(task=task)
    with pytest.raises(Conflict):
        add("late.tsv", b"x")
    states = dict(Submission.objects.values_list("baseline", "status"))
    assert states == dict.fromkeys(("bleu", "nist", "meteor", "ter", "chrf", "approx_hter"), "done")


def test_what_cannot_be_a_test_is_refused():
    campaign = make_campaign("one", items=3, systems=1, open_it=False)
    about = {"slug": "one", "campaign": campaign, "tracks": ["metrics"], "actor": None}
    task = task_create(**about)
    with pytest.raises(Invalid, match="no pair"):
        task_freeze(task=task, actor=None)
    assert SharedTask.objects.get().state == "draft" and not TaskFile.objects.exists()
    with pytest.raises(Conflict, match="called one"):
        task_create(**about)
    with pytest.raises(Invalid, match="after it opens"):
        now = timezone.now()
        task_change(task=task, opens_at=now, closes_at=now, actor=None)
    changed = task_change(task=task, title="Other", per_day=9, actor=None)
    assert (changed.title, changed.per_day) == ("Other", 9)
    with pytest.raises(Conflict):
        task_publish(task=task, actor=None)


def test_a_board_is_read_in_a_constant_number_of_queries():
    task = make_task(per_day=50)
    team, counts = make_team(task), []
    for more in (1, 3):
        for _ in range(more):
            send(task, team)
        with CaptureQueriesContext(connection) as queries:
            board_json(task=task)
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert TaskBoard.objects.count() == 1
