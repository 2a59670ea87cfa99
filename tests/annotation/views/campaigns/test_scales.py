"""The questions of a campaign: scales and thresholds."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import AuditEntry, Campaign
from annotation.selectors.verify import verify
from tests.annotation.views.campaigns.drafts import draft
from tests.clients import client_of, messages_of, text_of
from tests.factories import add_judgments, make_campaign

pytestmark = pytest.mark.django_db


SCALE: dict[str, Any] = {
    "name": "STYLE", "question": "Is the tone kept?", "level": "ordinal", "minimum": "1",
    "maximum": "7", "step": "1", "higher_is_better": "on", "threshold": "5", "required": "on",
    "points": "7; Same tone; Nobody would notice\n1; Other tone",
}  # fmt: skip


def test_scales_of_a_draft_are_added_changed_and_removed() -> None:
    campaign = draft()
    client = client_of("dora")
    assert client.post("/c/camp/scales/new/", SCALE)["Location"] == "/c/camp/settings/"
    style = campaign.scales.get(name="STYLE")
    assert (style.maximum, style.threshold, style.required) == (7, 5, True)
    points = [(point.value, point.label, point.anchor) for point in style.points.all()]
    assert points == [(7, "Same tone", "Nobody would notice"), (1, "Other tone", "")]

    page = client.get(f"/c/camp/scales/{style.key}/").content.decode()
    assert "7; Same tone; Nobody would notice" in page
    changed = {**SCALE, "name": "TONE", "maximum": "5", "threshold": "", "points": "5; Same"}
    client.post(f"/c/camp/scales/{style.key}/", changed)
    style.refresh_from_db()
    assert (style.name, style.maximum, style.threshold) == ("TONE", 5, None)
    assert [point.label for point in style.points.all()] == ["Same"]
    assert [change.threshold for change in style.threshold_changes.all()] == [5, None]
    assert verify(campaign=campaign) == []

    meaning = campaign.scales.get(name="MEANING")
    client.post(f"/c/camp/scales/{meaning.key}/remove/")
    assert [scale.name for scale in campaign.scales.all()] == ["GRAMMAR", "TONE"]
    verbs = set(AuditEntry.objects.values_list("verb", flat=True))
    assert {"add scale", "change scale", "remove scale"} <= verbs


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "meaning"}, "already"),
        ({"name": ""}, "This field is required."),
        ({"minimum": "8"}, "The minimum must be below the maximum."),
        ({"step": "0"}, "The step must be greater than 0."),
        ({"threshold": "9"}, "The threshold must be on the scale."),
        ({"points": "many; Good"}, "Line 1 does not begin with a number."),
        ({"points": "9; Good"}, "is not on the scale"),
    ],
)
@pytest.mark.parametrize("address", ["new", "change"])
def test_a_wrong_scale_comes_back_with_what_was_typed(
    address: str, changes: dict[str, str], said: str
) -> None:
    campaign = draft()
    grammar = campaign.scales.get(name="GRAMMAR")
    where = "new" if address == "new" else grammar.key
    answer = client_of("dora").post(f"/c/camp/scales/{where}/", {**SCALE, **changes})
    assert answer.status_code == 200
    assert said in text_of(answer)
    assert "Is the tone kept?" in answer.content.decode()
    assert sorted(scale.name for scale in campaign.scales.all()) == ["GRAMMAR", "MEANING"]


def test_scales_are_fixed_once_opened_or_filled() -> None:
    campaign = draft()
    grammar, meaning = campaign.scales.get(name="GRAMMAR"), campaign.scales.get(name="MEANING")
    rows = [{"item": "item-0", "paraphrase": "system 0 paraphrase 0", "annotator": "ann",
             "scale": "MEANING", "value": 4}]  # fmt: skip
    add_judgments(campaign, rows)
    client = client_of("dora")
    answer = client.post(f"/c/camp/scales/{meaning.key}/remove/", follow=True)
    assert messages_of(answer) == ["There are values on MEANING already, so it is fixed."]
    client.post("/c/camp/status/", {"act": "open"})
    for answer in (
        client.post(f"/c/camp/scales/{grammar.key}/", SCALE),
        client.post("/c/camp/scales/new/", SCALE),
        client.post(f"/c/camp/scales/{grammar.key}/remove/", follow=True),
    ):
        assert "Scales are fixed since the campaign was opened" in text_of(answer)
    assert campaign.scales.count() == 2


def test_a_campaign_keeps_one_scale() -> None:
    campaign = draft()
    client = client_of("alice")
    for scale in campaign.scales.all():
        answer = client.post(f"/c/camp/scales/{scale.key}/remove/", follow=True)
    assert campaign.scales.count() == 1
    assert "at least one scale" in messages_of(answer)[0]


def test_scales_of_others_are_not_found() -> None:
    make_campaign("other", items=1, cast=False)
    foreign = Campaign.objects.get(slug="other").scales.all()[0]
    draft()
    for tail in ("", "threshold/", "remove/"):
        answer = client_of("dora").post(f"/c/camp/scales/{foreign.key}/{tail}", SCALE)
        assert answer.status_code == 404
    assert foreign.threshold_changes.count() == 1
