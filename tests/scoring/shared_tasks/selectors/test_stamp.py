"""What hundreds of readers of a board cost: one rendering, and a state read every few seconds."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.core.cache import cache

from scoring.shared_tasks.models import TaskBoard
from scoring.shared_tasks.selectors import stamp
from scoring.shared_tasks.selectors.access import TaskStanding
from tests.scoring.shared_tasks.made import make_judged_campaign, make_task

ORGANISER, READER = TaskStanding(True, None), TaskStanding(False, None)


@pytest.mark.django_db
def test_readers_of_the_page_may_see_a_board_of_seconds_ago_and_nobody_else() -> None:
    cache.clear()
    task = make_task(campaign=make_judged_campaign("judged", 12))
    board, _made = TaskBoard.objects.update_or_create(
        task=task, part="public", defaults={"state_hash": "1", "content": {"tracks": {}}}
    )

    def stamps() -> dict[str, str]:
        of = stamp.board_stamp
        return {
            "page": of(task=task, standing=READER, late=True),
            "api": of(task=task, standing=READER),
            "organiser": of(task=task, standing=ORGANISER, late=True),
        }

    before = stamps()
    board.state_hash = "2"
    board.save()
    after = stamps()
    assert {name for name in before if before[name] != after[name]} == {"api", "organiser"}
    cache.clear()  # As if LAG seconds had passed.
    assert stamps()["page"] == after["api"] != before["page"]


def test_of_many_who_ask_at_once_one_makes_the_page() -> None:
    made: list[float] = []

    def make() -> str:
        made.append(time.monotonic())
        time.sleep(0.05)
        return "page"

    key = str(uuid4())
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _n: stamp.kept(key, ("page",), make), range(8)))
    assert found == ["page"] * 8 and len(made) == 1
