"""manage.py export CAMPAIGN --what WHAT"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.services.reports.files import written

pytestmark = pytest.mark.django_db


def test_export_command(tmp_path: Path) -> None:
    campaign = hand_campaign()
    path = tmp_path / "matrix.csv"
    call_command("export", campaign.slug, what="matrix", scale="meaning", output=str(path))
    assert path.read_bytes() == written(campaign, "matrix", scale="MEANING")
    assert list(tmp_path.iterdir()) == [path]
    for slug, options in (
        ("nowhere", {"what": "items"}),
        (campaign.slug, {"what": "matrix"}),
        (campaign.slug, {"what": "matrix", "scale": "BEAUTY"}),
        (campaign.slug, {"what": "ccb", "annotator": "zoe"}),
        (campaign.slug, {"what": "items", "output": str(tmp_path / "no" / "folder.csv")}),
    ):
        with pytest.raises(CommandError) as refusal:
            call_command("export", slug, **options)
        assert refusal.value.returncode == 2
    assert list(tmp_path.iterdir()) == [path]
