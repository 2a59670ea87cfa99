"""manage.py copy_campaign SLUG NEW"""

from django.core.management import call_command

from annotation.models import Campaign
from tests.factories import make_campaign


def test_a_campaign_is_copied_with_what_is_asked_for(capsys):
    campaign = make_campaign()
    call_command("copy_campaign", "camp", "plain")
    call_command("copy_campaign", "camp", "whole", "--texts", "--people", "--name", "Second")
    assert capsys.readouterr().out.splitlines()[0] == "Campaign plain made from camp."
    plain, whole = (Campaign.objects.get(slug=slug) for slug in ("plain", "whole"))
    assert (plain.substitutions.count(), plain.memberships.count()) == (0, 0)
    assert whole.substitutions.count() == campaign.substitutions.count()
    assert whole.memberships.count() == campaign.memberships.count()
    assert whole.name == "Second"
