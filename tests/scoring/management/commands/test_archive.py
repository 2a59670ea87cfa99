"""manage.py archive, restore and package."""

from django.core.management import call_command

from annotation.models import Membership
from tests.factories import make_campaign, make_user


def test_a_campaign_goes_and_comes_back(tmp_path):
    make_campaign(items=2)
    make_user("dora")
    call_command("archive", "camp", "-o", tmp_path / "a.zip")
    call_command("restore", tmp_path / "a.zip", "--as", "again", "--owner", "dora")
    assert Membership.objects.get(campaign__slug="again").user.username == "dora"
    call_command("package", "camp", "-o", tmp_path / "p.zip", "--licence", "cc0-1.0")
    assert (tmp_path / "p.zip").stat().st_size > 1000
