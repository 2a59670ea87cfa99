"""Submissions: in each format to the final board, and while the task closes."""

import io
import zipfile

import pytest

from annotation.errors import Conflict
from paraanno import clock
from scoring.shared_tasks.access import board_json
from scoring.shared_tasks.freeze import task_zip
from scoring.shared_tasks.models import DayCount, SharedTask, Submission, Track
from scoring.shared_tasks.submissions import (
    frozen_get,
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
