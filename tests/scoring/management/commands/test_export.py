"""manage.py export CAMPAIGN --what WHAT"""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.services.reports.files import written


def test_export_command(tmp_path):
    campaign, path = hand_campaign(), tmp_path / "matrix.csv"
    call_command("export", "hand", what="matrix", scale="meaning", output=str(path))
    assert path.read_bytes() == written(campaign, "matrix", scale="MEANING")
    for slug, options in (
        ("nowhere", {"what": "items"}),
        ("hand", {"what": "matrix"}),
        ("hand", {"what": "matrix", "scale": "BEAUTY"}),
        ("hand", {"what": "ccb", "annotator": "zoe"}),
        ("hand", {"what": "items", "output": str(tmp_path / "no" / "folder.csv")}),
    ):
        with pytest.raises(CommandError) as refusal:
            call_command("export", slug, **options)
        assert refusal.value.returncode == 2
    assert list(tmp_path.iterdir()) == [path]
