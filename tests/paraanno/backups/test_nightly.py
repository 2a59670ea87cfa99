"""When a nightly backup is due, and which ones stay."""

import subprocess
from datetime import UTC, datetime, timedelta
from unittest import mock

import pytest

from paraanno.backups import make
from paraanno.backups.copies import NAME, BackupRefused


@pytest.fixture
def base(tmp_path, settings):
    settings.BACKUP_DIR, settings.BACKUP_HOUR, settings.BACKUPS_KEPT = tmp_path, 3, 2
    settings.TIME_ZONE = "Asia/Seoul"  # Nine hours before UTC: the hour strikes at 18:00.
    return tmp_path


def add(base, name, *, whole=True):
    (base / name).mkdir()
    if whole:
        (base / name / NAME).write_text("{}")


def at(day, hour, minute=0):
    return datetime(2026, 3, day, hour, minute, tzinfo=UTC)


def test_it_is_due_once_after_the_hour_has_struck(base):
    assert make.is_due(at(1, 12))  # None at all.
    add(base, "paraanno-20260301-180010")
    assert not make.is_due(at(1, 18, 1))
    assert not make.is_due(at(2, 17, 59))
    assert make.is_due(at(2, 18))
    assert make.last_backup() == at(1, 18) + timedelta(seconds=10)
    assert not make.is_late(at(2, 20))
    assert make.is_late(at(2, 20, 1))


def test_after_one_that_was_cut_off_some_time_goes_by(base):
    add(base, "paraanno-20260301-180000")
    add(base, "paraanno-20260302-180000", whole=False)
    assert not make.is_due(at(2, 18, 29))
    assert make.is_due(at(2, 18, 30))
    assert make.last_backup() == at(1, 18)


def test_without_a_folder_nothing_is_due(base, settings):
    settings.BACKUP_DIR = None
    assert not make.is_due(at(1, 12))
    assert not make.is_late(at(1, 12))
    assert make.last_backup() is None
    with pytest.raises(BackupRefused, match="PARAANNO_BACKUP_DIR"):
        make.nightly_make()


def test_the_newest_stay_and_nothing_of_others_goes(base, monkeypatch):
    for day in (1, 2, 3):
        add(base, f"paraanno-2020030{day}-030000")
    add(base, "paraanno-20200304-030000", whole=False)
    add(base, "paraanno-by-hand")
    (base / make.FAILED).write_text("The disk was full.")
    monkeypatch.setattr(make, "TRY_AGAIN", timedelta(0))
    monkeypatch.setattr(make, "backup_make", lambda folder: add(base, folder.name))
    made = make.nightly_make()
    assert made is not None
    assert make.last_failure() == ""
    assert {one.name for one in base.iterdir() if one.is_dir()} == {
        made.name,
        "paraanno-20200303-030000",
        "paraanno-by-hand",
    }
    assert make.nightly_make() is None


def test_a_failure_is_kept_for_the_administrator(base, monkeypatch):
    def fail(folder):
        folder.mkdir()
        raise BackupRefused("pg_dump is missing.")

    monkeypatch.setattr(make, "backup_make", fail)
    with pytest.raises(BackupRefused):
        make.nightly_make()
    assert make.last_failure() == "pg_dump is missing."
    assert not make.is_due(datetime.now(UTC))
    assert make.is_late(datetime.now(UTC))


def test_one_that_was_killed_leaves_a_word(base, monkeypatch):
    said = []

    def killed(folder):
        folder.mkdir()
        said.append(make.last_failure())  # It is at work.
        raise KeyboardInterrupt  # What nobody catches, as nobody does kill -9.

    monkeypatch.setattr(make, "backup_make", killed)
    with pytest.raises(KeyboardInterrupt):
        make.nightly_make()
    assert said == [""]
    assert "was cut off" in make.last_failure()
    assert "was cut off" in make.backup_state()["failure"]
    monkeypatch.setattr(make, "TRY_AGAIN", timedelta(0))
    monkeypatch.setattr(make, "backup_make", lambda folder: add(base, folder.name))
    assert make.nightly_make() is not None and make.last_failure() == ""


def test_a_timer_starts_one_process(base, monkeypatch):
    process = mock.Mock(**{"poll.return_value": None})
    start = mock.Mock(return_value=process)
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(make, "_child", [])
    make.nightly_begin()
    make.nightly_begin()
    assert [call.args[0][-2:] for call in start.call_args_list] == [["backup", "--nightly"]]
