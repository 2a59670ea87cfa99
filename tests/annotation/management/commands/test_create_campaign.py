"""manage.py create_campaign SLUG"""

from django.core.management import call_command

from annotation.models import Campaign


def test_a_campaign_is_made_with_the_scales_of_a_template(capsys):
    call_command(
        "create_campaign",
        "da",
        "--template",
        "direct-assessment",
        "--annotators",
        "5",
        "--name",
        "Adequacy",
    )
    assert capsys.readouterr().out == "Campaign da made.\n"
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.annotators_per_sheet) == ("Adequacy", 5)
    assert [scale.name for scale in campaign.scales.all()] == ["ADEQUACY", "FLUENCY"]
    call_command("create_campaign", "plain")
    plain = Campaign.objects.get(slug="plain")
    assert (plain.name, plain.annotators_per_sheet) == ("plain", 3)
    assert not plain.memberships.exists()
