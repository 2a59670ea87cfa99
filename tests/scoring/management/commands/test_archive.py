"""manage.py archive, restore and package."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Campaign, Membership
from tests.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


def test_a_campaign_goes_and_comes_back(tmp_path: Path) -> None:
    campaign = make_campaign(items=2)
    path = str(tmp_path / "a.zip")
    call_command("archive", campaign.slug, output=path)
    call_command("restore", path, slug="again", owner=make_user("dora").username)
    again = Campaign.objects.get(slug="again")
    assert Membership.objects.get(campaign=again).user.username == "dora"
    call_command("package", campaign.slug, output=str(tmp_path / "p.zip"), licence="cc0-1.0")
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
def test_what_cannot_be_done_ends_with_2(arguments: tuple[str, ...], why: str) -> None:
    make_campaign(items=1)
    with pytest.raises(CommandError) as caught:
        call_command(*arguments)
    assert caught.value.returncode == 2
    assert why in str(caught.value)
    assert Campaign.objects.count() == 1
