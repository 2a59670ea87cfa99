"""Backups of a site that is written to, cut off by kill -9, and restored elsewhere: real processes,
on both databases."""

import os
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest

from paraanno.backups.copies import NAME, BackupRefused, damages, read_manifest
from paraanno.running.prepare import RESTORING
from tests import HOME
from tests.factories import make_campaign
from tests.live_parts import run_python

# Each turn saves a file, then two rows in one transaction, one of which names the file.
SAVES = """
import itertools, os, pathlib, sys, time
os.environ["DJANGO_SETTINGS_MODULE"] = "paraanno.settings"
import django
django.setup()
from django.conf import settings
from django.contrib.auth.models import Group, User
from annotation.database import short_write
folder = pathlib.Path(settings.DATA_DIR, "files", "exports")
folder.mkdir(exist_ok=True)
slowest = 0.0
for n in itertools.count():
    name = f"{sys.argv[1]}-{n}"
    (folder / name).write_text(name)
    began = time.monotonic()
    with short_write():
        Group.objects.create(name=name)
        User.objects.create(username=name)
    slowest = max(slowest, time.monotonic() - began)
    print(n, slowest, flush=True)
    time.sleep(0.03)
"""
BIG = 60 * 2**20
POSTGRES = pytest.param("postgresql", marks=pytest.mark.postgres)
# Each database once by `make test-all`, both in both ways at night.
BUSY = ["sqlite", pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.nightly])]
IDLE = [pytest.param("sqlite", marks=pytest.mark.nightly), POSTGRES]


def command(site, *arguments):
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=HOME,
        env=site.environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def kill_when(process, there):
    """kill -9 as soon as something is there, which it is before the process ends."""
    while not there():
        assert process.poll() is None, process.communicate()
        time.sleep(0.001)
    process.kill()
    process.communicate()


def refusal(site, *arguments):
    process = command(site, *arguments)
    _, said = process.communicate()
    assert process.returncode == 2, said
    return said


@pytest.mark.slow
@pytest.mark.parametrize("database", BUSY)
def test_a_busy_site_comes_back_elsewhere_as_it_was_at_one_moment(database, live_site, tmp_path):
    site = live_site(database=database)
    with site.database():
        make_campaign(items=2)
    big = site.data_dir / "resources" / "big"
    big.parent.mkdir()
    big.write_bytes(os.urandom(2**20) * (BIG // 2**20))
    cut, whole = tmp_path / "cut", tmp_path / "whole"
    with ExitStack() as stack:
        writers = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", SAVES, name],
                    cwd=HOME,
                    env=site.environment,
                    text=True,
                    stdout=stack.enter_context((tmp_path / name).open("w")),
                )
            )
            for name in ("first", "second")
        ]
        logs = [tmp_path / name for name in ("first", "second")]
        for writer in writers:
            stack.callback(writer.kill)
        site.until(lambda: all(log.read_text() for log in logs), "both save")
        kill_when(command(site, "backup", str(cut)), (cut / "data/resources/big").exists)
        before = [len(log.read_text().splitlines()) for log in logs]
        site.manage("backup", str(whole))
        after = [len(log.read_text().splitlines()) for log in logs]
        assert all(writer.poll() is None for writer in writers)
    assert all(b > a + 5 for a, b in zip(before, after, strict=True)), "saves went on"
    slowest = max(float(log.read_text().splitlines()[-1].split()[1]) for log in logs)
    assert slowest < 5
    assert not (cut / NAME).exists()
    with pytest.raises(BackupRefused, match="cut off"):
        read_manifest(cut)

    other = live_site(database=database)
    assert "cut off" in refusal(other, "restore_backup", str(cut))
    process = command(other, "restore_backup", str(whole))
    kill_when(process, (other.data_dir / RESTORING).exists)
    with pytest.raises(RuntimeError, match="restore_backup. once more"):
        run_python(other.environment, "-m", "paraanno.running.start", "--prepare-only")
    other.until(lambda: whole_again(other, whole), "the cut restoration is repeated")
    with other.database():
        from django.contrib.auth.models import Group, User

        groups = set(Group.objects.values_list("name", flat=True))
        users = set(User.objects.values_list("username", flat=True))
    assert groups
    assert groups == {name for name in users if name.startswith(("first-", "second-"))}
    files = {file.name for file in (other.data_dir / "files" / "exports").iterdir()}
    assert groups <= files
    assert all(
        before[at] <= sum(one.startswith(name) for one in groups) <= after[at] + 2
        for at, name in enumerate(("first", "second"))
    )
    assert (other.data_dir / "resources" / "big").read_bytes() == big.read_bytes()
    key = (site.data_dir / "secret_key").read_text()
    assert (other.data_dir / "secret_key").read_text() == key
    if database == "postgresql":  # What is refused does not depend on the database.
        return
    assert "not empty" in refusal(other, "restore_backup", str(whole))
    (whole / "data" / "secret_key").write_text("x" * len(key))
    assert len(list(damages(whole, read_manifest(whole)))) == 1
    assert "Nothing was changed" in refusal(
        other, "restore_backup", str(whole), "--replace", "--noinput"
    )


def whole_again(site, folder):
    """What the killed command left behind, psql, may hold the database for a moment."""
    process = command(site, "restore_backup", str(folder))
    said, wrong = process.communicate()
    if process.returncode == 2 and "in use by" in wrong:
        return False
    assert process.returncode == 0, wrong
    assert "Campaigns: 1;" in said
    assert not (site.data_dir / RESTORING).exists()
    return True


@pytest.mark.slow
@pytest.mark.parametrize("database", IDLE)
def test_a_site_comes_back_elsewhere_and_is_not_replaced_while_it_runs(
    database, live_site, tmp_path
):
    site = live_site(database=database)
    site.manage("backup", str(tmp_path / "backup"))
    other = live_site(database=database)
    other.manage("restore_backup", str(tmp_path / "backup"))
    keys = [(one.data_dir / "secret_key").read_text() for one in (site, other)]
    assert keys[0] == keys[1]
    other.start("web")
    other.until(lambda: (other.health() or {}).get("database", {}).get("ok"), "its data are open")
    said = refusal(other, "restore_backup", str(tmp_path / "backup"), "--replace", "--noinput")
    assert "in use by" in said
