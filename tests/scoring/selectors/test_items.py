"""Items with all that is known of them: outputs, judgments, scores."""

import pytest

from scoring.results.items import item_view
from tests.clients import html_of
from tests.factories import make_campaign
from tests.scoring.services.runs.started import finish, started
from tests.scoring.views.site import login

pytestmark = pytest.mark.usefixtures("toy_metrics")


def test_detail_is_kept_and_shown_where_the_metric_says_so():
    campaign = make_campaign(items=1)
    run = finish(started(campaign, "toy-telling"))
    plain = finish(started(campaign, "pinc"))
    assert set(plain.scores.values_list("detail", flat=True)) == {None}
    item = campaign.items.get()
    scores = dict(item_view(campaign=campaign, key=item.key).texts[0].scores)
    assert scores[run].detail["matched_words"] == 3
    page = html_of(login("alice").get(f"/c/{campaign.slug}/items/{item.key}/"))
    assert "<summary>Details of the toy-telling score</summary>" in page
    assert "Details of the pinc score" not in page
    assert "<dt>matched words</dt>" in page and "a, b" in page
