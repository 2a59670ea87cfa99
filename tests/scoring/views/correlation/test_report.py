"""The correlation pages as one document: to print, and to keep as a file without the site."""

import pytest

from annotation.models import Campaign
from tests.clients import client_of
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.correlation.world import get


@pytest.mark.slow
@pytest.mark.once  # It computes; its report comes as on other pages.
def test_everything_as_one_document(world):
    Campaign.objects.update(name="A <b>name</b>")
    page = get("report/")
    text = page.content.decode()
    assert "Content-Disposition" not in page and "A &lt;b&gt;name&lt;/b&gt;" in text
    assert text.count("<svg") >= 3 and "src=" not in text and 'href="http' not in text
    human = get().context["found"]["human"]["MEANING"]
    assert f"{human['metrics']['bleu']['pearson']['value']:.3f}" in text
    assert f"{human['comparisons'][0]['difference']['value']:.3f}" in text
    file = get("report/", file=1)
    assert file["Content-Disposition"] == 'attachment; filename="world-correlation.html"'
    hand_campaign("empty")
    assert client_of("vera").get("/c/empty/correlation/report/").status_code == 404
