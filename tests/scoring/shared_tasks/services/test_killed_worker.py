"""A real worker, killed with -9 between scoring and publishing, leaves whole boards."""

import os
import signal
from contextlib import suppress

import pytest

from scoring.shared_tasks.boards import board_content
from scoring.shared_tasks.models import SharedTask, Submission, TaskBoard, TaskFile
from scoring.shared_tasks.submissions import task_publish
from tests import HOME
from tests.scoring.shared_tasks.made import choices_file, make_task, make_team

# In the processes of a worker: each of these steps waits without end the first time, and leaves its
# process's id in a file.
HANGS = """
import importlib.abc, importlib.machinery, os, pathlib, sys, time

BOARDS, STEPS = "scoring.shared_tasks.boards", ("submission_over", "datasheet_make")

def hanging(step, place):
    def once(*arguments, **named):
        if not place.exists():
            place.write_text(str(os.getpid()))
            time.sleep(600)
        return step(*arguments, **named)
    return once

class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != BOARDS:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        load = spec.loader.exec_module
        def exec_module(module):
            load(module)
            for one in STEPS:
                setattr(module, one, hanging(getattr(module, one), pathlib.Path({folder!r}, one)))
        spec.loader.exec_module = exec_module
        return spec

sys.meta_path.insert(0, Finder())
"""


@pytest.mark.slow
@pytest.mark.once
def test_a_worker_killed_between_scoring_and_publishing_leaves_whole_boards(live_site, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(HANGS.format(folder=str(tmp_path)))
    # One process: while it waits, no other one can make the board.
    site = live_site(
        environment={"PYTHONPATH": f"{tmp_path}:{HOME}", "PARAANNO_WORKER_PROCESSES": "1"}
    )
    with site.database():
        task = make_task()
        make_team(task, "kite")
        (tmp_path / "right.tsv").write_bytes(choices_file(task))
    site.start("worker")

    def killed_at(step):
        place = tmp_path / step
        site.until(lambda: place.exists() and place.read_text(), f"a worker reaches {step}")
        site.kill("worker")
        with suppress(ProcessLookupError):  # It may have noticed.
            os.kill(int(place.read_text()), signal.SIGKILL)

    def rows(part):
        with site.database():
            board = TaskBoard.objects.filter(part=part, status="done").first()
            return board.content["tracks"]["metrics"]["rows"] if board else []

    # The submission is scored, and nobody has asked for its board yet.
    site.manage("submit", "game", "kite", str(tmp_path / "right.tsv"), "--track", "metrics")
    killed_at("submission_over")
    with site.database():
        assert Submission.objects.get(team__name="kite").status == "done"
    assert "kite" not in {row["team"] for row in rows("public")}
    site.start("worker")
    site.until(lambda: "kite" in {row["team"] for row in rows("public")}, "the board has it")
    # The final board is computed, and nothing of it is stored yet.
    site.manage("close_task", "game")
    killed_at("datasheet_make")
    assert rows("final") == []
    site.start("worker")
    site.until(lambda: rows("final"), "the final board is made")
    with site.database():
        task = SharedTask.objects.get()
        board = TaskBoard.objects.get(part="final")
        assert board.attempts == 2 and board.content == board_content(task=task, part="final")
        sheets = TaskFile.objects.filter(task=task, role=TaskFile.Role.DATASHEET)
        assert sorted(sheets.values_list("name", flat=True)) == ["datasheet.md", "heds.json"]
        assert not Submission.objects.filter(final=None).exists(), "each has its certificate"
        assert task_publish(task=task, actor=None).state == SharedTask.State.PUBLISHED
    site.manage("verify", task.campaign.slug)
