"""Submissions: in each format to the final board, and while the task closes."""

import io
import zipfile

import pytest

from annotation.errors import Conflict
from paraanno import clock
from paraanno.jobs import engine
from paraanno.jobs.engine import KINDS, job_work
from scoring.shared_tasks.access import board_json
from scoring.shared_tasks.freeze import task_zip
from scoring.shared_tasks.models import DayCount, SharedTask, Submission, TaskBoard, Track
from scoring.shared_tasks.submissions import (
    boards_due,
    frozen_get,
    primary_choose,
    submit,
    task_close,
    task_publish,
    work_finish,
)
from tests.scoring.shared_tasks.made import choices_file, in_format, make_task, make_team, send

FORMATS = ("tsv", "csv", "jsonl")


def close_by_hand(task):
    task_close(task=task, actor=None)


def close_by_the_clock(task):
    SharedTask.objects.filter(pk=task.pk).update(closes_at=clock.now())


@pytest.mark.parametrize("close", [close_by_hand, close_by_the_clock])
def test_a_file_that_is_there_after_the_task_closed_is_refused(
    close,
):
    task = make_task()
    team = make_team(task)

    class SlowFile(io.BytesIO):
        def read(self, size=-1):
            close(task)
            return super().read(size)

    file = SlowFile(choices_file(task))
    with pytest.raises(Conflict, match="is closed"):
        submit(
            track=Track.objects.get(task=task),
            team=team,
            stream=file,
            file_name="a.tsv",
            actor=None,
        )
    assert not Submission.objects.filter(team=team).exists()
    assert not DayCount.objects.filter(team=team).exists()


@pytest.mark.slow
def test_every_format_goes_from_its_file_to_the_final_board():
    task = make_task(tracks=("metrics", "segment"))
    ids = frozen_get(task=task).ids
    of_texts = "\n".join(["text\tscore", *(f"{key}\t{at}.5" for at, key in enumerate(ids)), ""])
    for ending in FORMATS:
        team = make_team(task, ending)
        for track, data in (
            ("metrics", choices_file(task, -1)),
            ("metrics", of_texts.encode()),
            ("segment", of_texts.encode()),
        ):
            name = f"answers.{ending.upper()}"
            one = send(task, team, in_format(data, ending), track, file_name=name)
            assert (one.status, one.error, one.format) == ("done", "", ending)
    task_close(task=task, actor=None)
    work_finish(task=task)
    board = board_json(task=task)["tracks"]
    for track in ("metrics", "segment"):
        rows = {row["team"]: row for row in board[track]["rows"] if row["primary"]}
        shown = [
            tuple(rows[ending][name] for name in ("rank_low", "rank_high", "ci_low", "ci_high"))
            for ending in FORMATS
        ]
        assert shown[0] == shown[1] == shown[2] and shown[0][0] is not None, track
    task = task_publish(task=SharedTask.objects.get(), actor=None)
    with zipfile.ZipFile(io.BytesIO(task_zip(task=task, board_copy=""))) as archive:
        for ending in FORMATS:
            (name,) = [
                one
                for one in archive.namelist()
                if one.startswith("submissions/segment/") and one.endswith(f".{ending}")
            ]
            assert archive.read(name) == in_format(of_texts.encode(), ending)


# Which submission of a team counts once its task is closed.


def test_a_failed_submission_never_becomes_primary():
    task = make_task()
    kite, onyx = make_team(task), make_team(task, "onyx")
    good = send(task, kite)
    failed = [send(task, kite), send(task, onyx)]
    Submission.objects.filter(pk__in=[one.pk for one in failed]).update(
        status=Submission.Status.FAILED, error="no numbers"
    )
    task_close(task=task, actor=None)
    assert list(Submission.objects.filter(primary=True, baseline="")) == [good]


# Boards: one ranked row of a team; made again where the message that asks for one is lost.


def board():
    return TaskBoard.objects.get(part="public")


def shown():
    tracks = board().content["tracks"].values()
    return {row["key"] for track in tracks for row in track["rows"]}


def test_a_board_of_an_old_state_is_made_again_on_the_timer(monkeypatch):
    """A worker was killed between score and board, or the message of a withdrawal was lost."""
    make_task()
    gone, *_others = Submission.objects.order_by("pk")
    assert str(gone.key) in shown()
    boards_due()
    assert board().status == "done", "nothing has changed"
    Submission.objects.filter(pk=gone.pk).update(withdrawn_at=gone.created_at)
    told = []
    monkeypatch.setattr(
        engine, "_registered", [engine.Workers(lambda *a: told.append(a), lambda: True)]
    )
    boards_due()
    boards_due()
    assert board().status == "queued" and told == [("scoring.tasks.job_work", "board", board().pk)]
    assert job_work("board", board().pk) and KINDS["board"].done == board().status
    assert str(gone.key) not in shown()
    TaskBoard.objects.update(status="failed", error="x")
    boards_due()
    assert board().status == "failed", "it would fail again and again"


def test_a_board_that_was_never_asked_for_is_made(monkeypatch):
    make_task()
    TaskBoard.objects.all().delete()
    boards_due()
    assert board().status == "queued"


RANKS = ("rank_low", "rank_high", "group", "letters", "half", "ci_low", "ci_high")


def ranks():
    rows = board_json(task=SharedTask.objects.get())["tracks"]["metrics"]["rows"]
    named = {row["submission"]: {name: row[name] for name in RANKS} for row in rows}
    return named, rows


def test_what_a_team_sends_besides_changes_no_rank_and_stands_below():
    task = make_task(per_day=20)
    kite, onyx = make_team(task, "kite"), make_team(task, "onyx")
    first = send(task, kite, choices_file(task, 1))
    primary_choose(submission=first, actor=None)
    send(task, onyx, choices_file(task, -1))
    before, _rows = ranks()
    for _ in range(4):
        send(task, kite, choices_file(task, 0))
    send(task, kite, choices_file(task, -1), name="mirror")
    after, rows = ranks()
    assert {name: row for name, row in after.items() if name in before} == before
    assert [row["submission"] for row in rows[len(before) :]] == [
        "kite-2",
        "kite-3",
        "kite-4",
        "kite-5",
        "mirror",
    ]
    for row in rows[len(before) :]:
        assert row["rank_low"] is row["rank_high"] is None and not row["primary"]
        assert row["half"] is not None and row["group"] == row["letters"] == ""
    equal = {row["submission"]: row["equal_to"] for row in rows if row["equal_to"]}
    assert equal == {
        "kite-3": "kite-2",
        "kite-4": "kite-2",
        "kite-5": "kite-2",
        "mirror": "onyx-1",
    }
    for team in (kite, onyx):
        of_team = [row for row in rows if row["team"] == team.name and row["primary"]]
        assert [row["rank_low"] is not None for row in of_team] == [True]


def test_names_of_equal_files_are_hidden_as_those_of_teams():
    task = make_task(hide_teams=True)
    for name in ("kite", "onyx"):
        send(task, make_team(task, name), choices_file(task, 0))
    hidden = {"kite": "team 1", "onyx": "team 2"}
    rows = board_json(task=task, hidden=hidden)["tracks"]["metrics"]["rows"]
    (told,) = [row["equal_to"] for row in rows if row["equal_to"]]
    assert told.startswith("team 1 ") and "kite" not in told
