"""manage.py create_campaign SLUG"""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Campaign

pytestmark = pytest.mark.django_db


def test_a_campaign_is_made_with_the_scales_of_a_template(capsys: Any) -> None:
    call_command(
        "create_campaign", "da", "--template", "direct-assessment", "--annotators", "5",
        "--name", "Adequacy",
    )  # fmt: skip
    assert capsys.readouterr().out == "Campaign da made.\n"
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.annotators_per_sheet) == ("Adequacy", 5)
    assert [scale.name for scale in campaign.scales.all()] == ["ADEQUACY", "FLUENCY"]
    call_command("create_campaign", "plain")
    plain = Campaign.objects.get(slug="plain")
    assert (plain.name, plain.annotators_per_sheet) == ("plain", 3)
    assert not plain.memberships.exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["two words"], "two words"),
        (["taken"], "exists already"),
        (["new", "--annotators", "0"], "between 1 and 1,000"),
    ],
)
def test_what_cannot_be_made_ends_with_code_2(options: list[str], said: str) -> None:
    call_command("create_campaign", "taken")
    with pytest.raises(CommandError, match=said) as refused:
        call_command("create_campaign", *options)
    assert refused.value.returncode == 2
    assert Campaign.objects.get().slug == "taken"
