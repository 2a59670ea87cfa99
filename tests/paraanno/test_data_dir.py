"""The data folder, also when several processes make it at once."""

import multiprocessing
import os
import sqlite3
import stat

import pytest
from django.core.exceptions import ImproperlyConfigured

from paraanno.env import kept_database, kept_secret, prepare_data_dir


def at_once(work, paths, count=8):
    """For each path what `count` processes answer that call `work` at the same moment."""
    context = multiprocessing.get_context("fork")
    barrier, answers = context.Barrier(count), context.SimpleQueue()

    def one():
        for path in paths:
            barrier.wait()
            try:
                answers.put((path, work(path)))
            except Exception as error:
                answers.put((path, f"{type(error).__name__}: {error}"))

    processes = [context.Process(target=one) for _ in range(count)]
    for process in processes:
        process.start()
    found = [answers.get() for _ in paths for _ in processes]
    for process in processes:
        process.join()
    return [[answer for of, answer in found if of == path] for path in paths]


def write_a_row(path):
    connection = sqlite3.connect(kept_database(path), timeout=20, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE IF NOT EXISTS thing (value)")
    connection.execute("INSERT INTO thing VALUES (1)")
    connection.execute("COMMIT")
    connection.close()
    return "done"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_new_database_takes_eight_processes_at_once(tmp_path):
    """With the mode changed by each connection this fails with "database is locked"."""
    paths = [tmp_path / f"{attempt}.sqlite3" for attempt in range(60)]
    assert at_once(write_a_row, paths) == [["done"] * 8] * 60
    for path in paths:
        connection = sqlite3.connect(path)
        assert connection.execute("SELECT count(*) FROM thing").fetchone() == (8,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.close()
    assert not [name for name in os.listdir(tmp_path) if name.count(".") > 1]


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_one_secret_for_all_who_ask_at_once(tmp_path):
    [secrets] = at_once(kept_secret, [tmp_path / "key"])
    assert len(set(secrets)) == 1
    assert len(secrets[0]) >= 50
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["key"]
    assert kept_secret(tmp_path / "key") == secrets[0]


def test_folder_is_for_its_owner_alone(tmp_path):
    path = prepare_data_dir(tmp_path / "deep" / "var")
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert (path / "broker" / "queue").is_dir()
    assert prepare_data_dir(path) == path


def test_folder_that_cannot_be_made_is_said_with_a_remedy(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match="PARAANNO_DATA_DIR"):
        prepare_data_dir(tmp_path / "file" / "var")
