"""The file for a paper, from a campaign."""

import hashlib
import json

import pytest

from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.services.reports.files import paper_of


@pytest.fixture
def campaign():
    return hand_campaign()


@pytest.mark.slow
def test_its_manifest_is_true(campaign):
    files = paper_of(campaign)
    manifest = json.loads(files.pop("manifest.json"))["files"]
    assert {name: one["sha256"] for name, one in manifest.items()} == {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items()
    }
