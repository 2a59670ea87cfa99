"""manage.py archive, restore and package."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Campaign, Membership
from tests.factories import make_campaign, make_user


def test_a_campaign_goes_and_comes_back(tmp_path):
    make_campaign(items=2)
    make_user("dora")
    call_command("archive", "camp", "-o", tmp_path / "a.zip")
    call_command("restore", tmp_path / "a.zip", "--as", "again", "--owner", "dora")
    assert Membership.objects.get(campaign__slug="again").user.username == "dora"
    call_command("package", "camp", "-o", tmp_path / "p.zip", "--licence", "cc0-1.0")
    assert (tmp_path / "p.zip").stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("archive", "nothing", "-o", "x.zip"), "There is no campaign 'nothing'"),
        (("package", "nothing", "-o", "x.zip"), "There is no campaign 'nothing'"),
        (("archive", "camp", "-o", "/nowhere/x.zip"), "/nowhere/x.zip: No such file"),
        (("restore", "/nowhere/x.zip"), "/nowhere/x.zip:1: "),
        (("restore", __file__), f"{__file__}:1: this is no zip file"),
        (("restore", __file__, "--owner", "x"), "There is no login 'x'"),
    ],
)
def test_what_cannot_be_done_ends_with_2(arguments, why):
    make_campaign(items=1)
    with pytest.raises(CommandError) as refused:
        call_command(*arguments)
    assert refused.value.returncode == 2 and why in str(refused.value)
    assert Campaign.objects.count() == 1
