"""What binds the processes of a worker to each other."""

import os

import pytest

from paraanno import celery


@pytest.fixture
def bound(monkeypatch):
    """What would be done to this process."""
    done = []
    monkeypatch.setattr(celery, "_main_process", [])
    monkeypatch.setattr(celery, "watch_parent", lambda pid: done.append(("watch", pid)))
    monkeypatch.setattr(celery, "die_with_supervisor", lambda: done.append(("supervisor", 0)))
    monkeypatch.setattr(os, "nice", lambda by: done.append(("nice", by)))
    return done


def test_a_pool_process_watches_the_worker_that_forked_it(bound):
    celery.bind_pool_process()  # A process that is no worker's watches nobody.
    assert bound == []
    celery.bind_worker()
    assert sorted(bound) == [("nice", 5), ("supervisor", 0)]
    bound.clear()
    celery.bind_pool_process()
    assert bound == [("watch", os.getpid())]


@pytest.mark.slow
@pytest.mark.parametrize(("given", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_threads_are_limited_before_numpy_is_loaded(fresh, given, threads):
    program = (
        "import os, sys, paraanno.celery\n"
        "print(os.environ['OPENBLAS_NUM_THREADS'], 'numpy' in sys.modules)"
    )
    assert fresh("-c", program, **given).split() == [threads, "False"]
