"""The correlation pages as one document: to print, and to keep as a file without the site."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.correlation.world import get

pytestmark = pytest.mark.django_db


@pytest.mark.once  # It computes; its report comes as on other pages.
def test_everything_as_one_document(world: Any) -> None:
    campaign, client = world
    campaign.name = "A <b>name</b>"
    campaign.save()
    page = get(client, "correlation-report")
    text = page.content.decode()
    assert "Content-Disposition" not in page and "A &lt;b&gt;name&lt;/b&gt;" in text
    assert text.count("<svg") >= 3 and "src=" not in text and 'href="http' not in text
    found = get(client, "correlation").context["found"]["human"]["MEANING"]
    assert f"{found['metrics']['bleu']['pearson']['value']:.3f}" in text
    assert f"{found['comparisons'][0]['difference']['value']:.3f}" in text
    file = get(client, "correlation-report", file=1)
    assert file["Content-Disposition"] == 'attachment; filename="world-correlation.html"'
    hand_campaign("empty")
    assert client.get(reverse("correlation-report", args=["empty"])).status_code == 404
