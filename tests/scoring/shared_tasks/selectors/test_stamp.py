"""What hundreds of readers of a board cost: one rendering, and a state read every few seconds."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from uuid import uuid4

from django.core.cache import cache

from scoring.shared_tasks import access


def test_of_many_who_ask_at_once_one_makes_the_page():
    made = []

    def make():
        made.append(time.monotonic())
        time.sleep(0.05)
        return "page"

    key = str(uuid4())
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _n: access.cached(key, ("page",), make), range(8)))
    assert found == ["page"] * 8 and len(made) == 1


def test_a_late_page_is_made_once_and_again_where_its_stamp_is_another():
    made = []

    def make(now):
        made.append(now)
        time.sleep(0.05)
        return f"page of {now}"

    what = (str(uuid4()),)

    def ask(now):
        return access.late(what, lambda: now, make).made

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda _n: ask("1"), range(8))) == {"page of 1"}
    assert made == ["1"]
    ask("1")  # This one looks, as LOOK seconds after; nothing is new.
    assert ask("2") == "page of 1", "others do not look"
    forget_looking()
    assert ask("2") == "page of 2" and made == ["1", "2"]


def test_while_one_makes_a_newer_page_others_get_the_one_that_is_there():
    what = (str(uuid4()),)
    access.late(what, lambda: "1", lambda now: now)
    begun, go_on = Event(), Event()

    def make(now):
        begun.set()
        assert go_on.wait(10)
        return now

    with ThreadPoolExecutor(1) as thread:
        looks = thread.submit(access.late, what, lambda: "2", make)
        assert begun.wait(10)
        assert access.late(what, lambda: "2", lambda _now: "made twice").made == "1"
        go_on.set()
        assert looks.result().made == "2"


def test_a_late_page_is_gone_after_its_time():
    what = (str(uuid4()),)
    access.late(what, lambda: "1", lambda now: now)
    left = [at - time.time() for key, at in ends().items() if "task-page-" in key]
    assert left and max(left) <= access.LAG


def ends():
    """When what is kept in this process's memory ends."""
    found = cache._expire_info
    return found


def forget_looking():
    """As if LOOK seconds had passed."""
    for key in [one for one in ends() if one.endswith("-looked")]:
        cache.delete(key.split(":", 2)[2])
