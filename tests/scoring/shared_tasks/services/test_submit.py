"""Submissions: in each format to the final board, and while the task closes."""

import io

import pytest

from annotation.errors import Conflict
from paraanno import clock
from scoring.shared_tasks.models import DayCount, SharedTask, Submission, Track
from scoring.shared_tasks.submissions import (
    submit,
    task_close,
)
from tests.scoring.shared_tasks.made import choices_file, make_task, make_team


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
