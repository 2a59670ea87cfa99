"""Packages: what is in them, and that their numbers can be computed again."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from annotation.models import Campaign
from annotation.services.campaigns.demo import demo_load
from annotation.services.people.exclusions import exclusion_add
from scoring.models import Run
from scoring.services.reports.package import package_write
from scoring.services.runs.start import run_start
from scoring.services.runs.work import run_work
from tests.factories import make_campaign
from tests.scoring.services.archives.parts import make_rich

# Once: no statement here that others do not run on PostgreSQL.
pytestmark = [pytest.mark.django_db, pytest.mark.once]


def unpacked(campaign: Campaign, folder: Path) -> Path:
    stream = io.BytesIO()
    package_write(campaign=campaign, stream=stream, licence="cc0-1.0", creators=["Doe, Jane"])
    with zipfile.ZipFile(stream) as found:
        found.extractall(folder)
    return folder


def again(folder: Path) -> subprocess.CompletedProcess[str]:
    """What anybody would run who has pandas and not this project."""
    return subprocess.run(
        [sys.executable, "-I", str(folder / "reproduce.py")],
        capture_output=True, text=True, cwd=folder, check=False,
    )  # fmt: skip


def test_the_numbers_of_the_demo_are_computed_again(tmp_path: Path) -> None:
    campaign, _ = demo_load()
    for spec in ("pinc", "ter"):  # Of one higher is better, of the other lower.
        run = run_start(campaign=campaign, spec=spec, actor=None)
        while Run.objects.get(pk=run.pk).status != Run.Status.DONE:
            run_work(run_pk=run.pk)
    folder = unpacked(campaign, tmp_path)
    done = again(folder)
    assert (done.returncode, done.stdout) == (0, "Every number is as reported.\n"), done.stderr
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert set(expected["correlation"]["MEANING"]) == {"pinc", "ter"}
    assert expected["turned"]["metrics"] == ["ter"]
    ratings = folder / "data" / "ratings.csv"
    text = ratings.read_text(encoding="utf-8")
    ratings.write_text(text.replace(",MEANING,5,", ",MEANING,1,", 1), encoding="utf-8")
    done = again(folder)
    assert done.returncode == 1
    assert "agreement/MEANING/alpha_ordinal: reported" in done.stdout


def test_who_is_excluded_or_withdrew_is_not_published(tmp_path: Path) -> None:
    campaign = make_rich()
    left = campaign.withdrawals.get().annotator.code
    bob = campaign.annotators.get(user__username="beth")
    folder = unpacked(campaign, tmp_path / "a")
    said = (folder / "data" / "judgments.csv").read_text(encoding="utf-8")
    assert f",{bob.code}," in said and f",{left}," not in said
    exclusion_add(target=bob, reason="too fast", actor=None)
    folder = unpacked(campaign, tmp_path / "b")
    assert f",{bob.code}," not in (folder / "data" / "judgments.csv").read_text(encoding="utf-8")
    for path in folder.rglob("*"):
        if path.suffix in (".csv", ".md", ".json", ".html"):
            text = path.read_text(encoding="utf-8")
            assert "Korean" not in text.replace("Korean question", ""), path
            assert "too fast" not in text or path.name in ("datasheet.md", "heds.json"), path


def test_the_same_judgments_give_the_same_bytes_and_no_ids() -> None:
    campaign = make_rich()
    found = []
    for _ in range(2):
        stream = io.BytesIO()
        package_write(campaign=campaign, stream=stream)
        found.append(stream.getvalue())
    assert found[0] == found[1]
    with zipfile.ZipFile(io.BytesIO(found[0])) as package:
        everything = b"".join(package.read(name) for name in package.namelist())
    for key in campaign.items.values_list("key", flat=True):
        assert str(key).encode() not in everything


def test_a_campaign_without_judgments_has_a_package_too(tmp_path: Path) -> None:
    folder = unpacked(make_campaign(items=2), tmp_path)
    assert again(folder).returncode == 0
