"""manage.py open_campaign SLUG"""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Campaign
from tests.factories import make_campaign


def test_it_tells_what_is_missing_and_opens(capsys):
    make_campaign(items=1, open_it=False)
    call_command("open_campaign", "camp", "--check")
    assert "advised: Consent: " in capsys.readouterr().out
    assert Campaign.objects.get().status == "draft"
    call_command("open_campaign", "camp")
    assert capsys.readouterr().out.splitlines()[-1] == "Campaign camp is open."
    assert Campaign.objects.get().status == "open"


def test_without_texts_it_stays_a_draft():
    call_command("create_campaign", "bare")
    with pytest.raises(CommandError) as refused:
        call_command("open_campaign", "bare")
    assert refused.value.returncode == 2
    assert Campaign.objects.get().status == "draft"
