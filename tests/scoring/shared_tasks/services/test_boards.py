"""Boards are made again where the message that asks for them is lost."""

import pytest

from paraanno.jobs import engine
from paraanno.jobs.engine import KINDS, job_work
from scoring.shared_tasks.models import Submission, TaskBoard
from scoring.shared_tasks.submissions import boards_due
from tests.scoring.shared_tasks.made import make_task

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
