"""Packages: what is in them, and that their numbers can be computed again."""

import io
import json
import subprocess
import sys
import zipfile

import pytest

from annotation.campaigns.demo import demo_load
from scoring.exports.package import package_write
from tests.factories import exclude, make_campaign
from tests.scoring.archives.zips import files_of
from tests.scoring.factories import finish, started
from tests.scoring.rich import make_rich

# Once: no statement here that others do not run on PostgreSQL.
pytestmark = pytest.mark.once


def package_of(campaign):
    stream = io.BytesIO()
    package_write(campaign=campaign, stream=stream, licence="cc0-1.0", creators=["Doe, Jane"])
    return stream.getvalue()


def unpacked(campaign, folder):
    with zipfile.ZipFile(io.BytesIO(package_of(campaign))) as package:
        package.extractall(folder)
    return folder


def again(folder):
    """What anybody would run who has pandas and not this project."""
    return subprocess.run(
        [sys.executable, "-I", str(folder / "reproduce.py")],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )


@pytest.mark.slow
def test_the_numbers_of_the_demo_are_computed_again(tmp_path):
    campaign, _ = demo_load()
    for spec in ("pinc", "ter"):  # Of one higher is better, of the other lower.
        finish(started(campaign, spec))
    folder = unpacked(campaign, tmp_path)
    done = again(folder)
    assert (done.returncode, done.stdout) == (0, "Every number is as reported.\n"), done.stderr
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    assert set(expected["correlation"]["MEANING"]) == {"pinc", "ter"}
    assert expected["turned"]["metrics"] == ["ter"]
    ratings = folder / "data" / "ratings.csv"
    text = ratings.read_text("utf-8")
    ratings.write_text(text.replace(",MEANING,5,", ",MEANING,1,", 1), "utf-8")
    done = again(folder)
    assert done.returncode == 1
    assert "agreement/MEANING/alpha_ordinal: reported" in done.stdout


@pytest.mark.slow
def test_the_same_bytes_have_no_ids_and_nobody_who_is_excluded_or_withdrew():
    campaign = make_rich()
    first = package_of(campaign)
    assert package_of(campaign) == first
    files = files_of(first)
    everything = b"".join(files.values())
    for key in campaign.items.values_list("key", flat=True):
        assert str(key).encode() not in everything
    left = campaign.withdrawals.get().annotator.code
    beth = campaign.annotators.get(user__username="beth")
    judgments = files["data/judgments.csv"].decode()
    assert f",{beth.code}," in judgments and f",{left}," not in judgments
    exclude(beth, reason="too fast")
    files = files_of(package_of(campaign))
    assert f",{beth.code}," not in files["data/judgments.csv"].decode()
    for name, content in files.items():
        if name.endswith((".csv", ".md", ".json", ".html")):
            text = content.decode()
            assert "Korean" not in text.replace("Korean question", ""), name
            assert "too fast" not in text or name in ("datasheet.md", "heds.json"), name


@pytest.mark.slow
def test_a_campaign_without_judgments_has_a_package_too(tmp_path):
    assert again(unpacked(make_campaign(items=2), tmp_path)).returncode == 0
