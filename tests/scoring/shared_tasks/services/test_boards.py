"""Boards: one ranked row of a team; made again where the message that asks for one is lost."""

import pytest

from paraanno.jobs import engine
from paraanno.jobs.engine import KINDS, job_work
from scoring.shared_tasks.access import board_json
from scoring.shared_tasks.models import SharedTask, Submission, TaskBoard
from scoring.shared_tasks.submissions import boards_due, primary_choose
from tests.scoring.shared_tasks.made import choices_file, make_task, make_team, send

pytestmark = pytest.mark.django_db


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
