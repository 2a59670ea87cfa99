"""The templates that come with the application: each has an example that it takes."""

from __future__ import annotations

from io import BytesIO

import pytest

from annotation.services.campaigns.campaigns import campaign_create
from annotation.services.importing import items_import
from annotation.starters import NAMES
from tests.clients import client_of
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


def test_the_example_of_every_template_is_downloaded_and_imported() -> None:
    make_campaign()
    alice = client_of("alice")
    page = alice.get("/c/camp/import/").content.decode()
    for name in NAMES:
        answer = alice.get(f"/c/camp/import/examples/{name}/")
        assert "attachment" in answer["Content-Disposition"]
        assert f"/import/examples/{name}/" in page or name.startswith("empty")
        campaign = campaign_create(actor=None, slug=f"of-{name}", template=name)
        report = items_import(
            campaign=campaign, stream=BytesIO(answer.content), name=f"{name}.csv", actor=None
        )
        assert report.problems == () and report.counts["items"] >= 2, name
        texts = campaign.substitutions.values_list("text", flat=True)
        assert any(one[-2] >= "가" for one in texts) is name.endswith("-ko"), name
