"""Deleting a campaign."""

import pytest
from django.apps import apps

from annotation.errors import Invalid
from annotation.models import AuditEntry
from annotation.verify import verify
from scoring.archives.services import campaign_delete
from tests.factories import make_user
from tests.scoring.rich import make_rich

SITE = {
    "AuditEntry",
    "ApiToken",
    "Resource",
    "Build",
    "WebHost",
    "WorkerBeat",
    "RestoreJob",
    "SavedTemplate",
    "SignedIn",
    "OutsideLogin",
}


@pytest.mark.slow
def test_everything_goes_but_the_log_and_another_campaign_stays_whole():
    campaign, other = make_rich("one"), make_rich("two")
    with pytest.raises(Invalid, match="Type the short name one"):
        campaign_delete(campaign=campaign, actor=None, typed="One")
    with pytest.raises(Invalid, match="The shared task “Task” is made from this campaign"):
        campaign_delete(campaign=campaign, actor=None, typed="one")
    assert campaign.judgments.exists()
    for one in (campaign, other):  # Those of the world are no whole tasks.
        one.shared_tasks.all().delete()

    def counts():
        return [getattr(other, name).count() for name in ("judgments", "slots", "runs", "items")]

    before, entries = counts(), AuditEntry.objects.count()
    campaign_delete(campaign=campaign, actor=make_user("alice"), typed=" one ")
    assert counts() == before and verify(campaign=other) == []
    assert AuditEntry.objects.count() == entries + 1
    last = AuditEntry.objects.latest("pk")
    assert (last.verb, last.data["slug"], last.campaign) == ("delete", "one", None)
    assert last.data["judgments"] > 0
    campaign_delete(campaign=other, actor=None, typed="two")
    for app in ("annotation", "scoring"):
        for model in apps.get_app_config(app).get_models():
            if model.__name__ not in SITE:
                assert not model._default_manager.exists(), model
