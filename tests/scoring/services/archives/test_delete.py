"""Deleting a campaign."""

from __future__ import annotations

import pytest
from django.apps import apps

from annotation.errors import Invalid
from annotation.models import AuditEntry, Campaign
from scoring.models import Score
from scoring.services.archives.delete import campaign_delete
from tests.factories import make_user
from tests.scoring.services.archives.parts import make_rich

pytestmark = pytest.mark.django_db
SITE = {
    "AuditEntry",
    "ApiToken",
    "Resource",
    "Build",
    "WebHost",
    "WorkerBeat",
    "RestoreJob",
    "SiteTemplate",
    "SignedIn",
}


def test_everything_goes_but_the_log() -> None:
    campaign = make_rich()
    entries = AuditEntry.objects.count()
    with pytest.raises(Invalid, match="Type the short name rich"):
        campaign_delete(campaign=campaign, actor=None, typed="Rich")
    with pytest.raises(Invalid, match="The shared task “Task” is made from this campaign"):
        campaign_delete(campaign=campaign, actor=None, typed="rich")
    assert campaign.judgments.exists()
    campaign.shared_tasks.all().delete()
    campaign_delete(campaign=campaign, actor=make_user("alice"), typed=" rich ")
    assert not Campaign.objects.exists() and not Score.objects.exists()
    for app in ("annotation", "scoring"):
        for model in apps.get_app_config(app).get_models():
            if model.__name__ not in SITE:
                assert not model._default_manager.exists(), model
    assert AuditEntry.objects.count() == entries + 1
    last = AuditEntry.objects.order_by("pk").last()
    assert last is not None
    assert (last.verb, last.data["slug"], last.campaign) == ("delete", "rich", None)
    assert last.data["judgments"] > 0


def test_another_campaign_stays_whole() -> None:
    from annotation.selectors.verify import verify

    campaign, other = make_rich("one"), make_rich("two")
    for one in (campaign, other):  # Those of the world are no whole tasks.
        one.shared_tasks.all().delete()
    before = {
        name: getattr(other, name).count() for name in ("judgments", "slots", "runs", "items")
    }
    campaign_delete(campaign=campaign, actor=None, typed="one")
    assert {name: getattr(other, name).count() for name in before} == before
    assert verify(campaign=other) == []
