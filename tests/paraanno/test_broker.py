"""Messages as files: a worker that looks at any moment sees whole messages or none."""

import os
import threading
from queue import Empty

import pytest
from kombu import Connection
from kombu.utils.json import dumps

from paraanno import broker, celery
from paraanno.celery import app


@pytest.fixture
def channel(tmp_path):
    folders = {
        "data_folder_in": "queue",
        "data_folder_out": "queue",
        "control_folder": "control",
        "processed_folder": "processed",
    }
    (tmp_path / "queue").mkdir()
    options = {name: str(tmp_path / folder) for name, folder in folders.items()}
    with Connection("filesystem://", transport_options=options) as connection:
        yield connection.default_channel


def test_the_application_uses_it(channel):
    assert isinstance(channel, broker.Channel)
    with app.connection() as connection:
        assert isinstance(connection.transport, broker.Transport)


def test_a_message_half_written_is_not_there_yet(channel, monkeypatch):
    seen = []

    def look(payload):
        """While it is being written."""
        try:
            seen.append(channel._get("one"))
        except Empty:
            seen.append(None)
        return dumps(payload)

    monkeypatch.setattr(broker, "dumps", look)
    channel._put("one", {"n": 1})
    assert seen == [None]
    with pytest.raises(Empty):
        channel._get("other")
    assert channel._get("one") == {"n": 1}
    with pytest.raises(Empty):
        channel._get("one")


def test_nothing_is_lost_or_broken_between_processes_that_write_and_read(channel):
    many = 200
    writers = [
        threading.Thread(
            target=lambda first=first: [
                channel._put("one", {"n": n}) for n in range(first, first + many)
            ]
        )
        for first in (0, many)
    ]
    for writer in writers:
        writer.start()
    got = []
    while any(writer.is_alive() for writer in writers) or len(got) < 2 * many:
        try:
            got.append(channel._get("one")["n"])
        except Empty:
            continue
    assert sorted(got) == list(range(2 * many))


def test_workers_that_start_together_find_a_whole_table(channel):
    def bind(first):
        for n in range(first, first + 20):
            channel._queue_bind("all", f"key{n}", "", f"queue{n}")
            channel.get_table("all")

    workers = [threading.Thread(target=bind, args=(first,)) for first in (0, 20)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(channel.get_table("all")) == 40


# What binds the processes of a worker to each other.


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
