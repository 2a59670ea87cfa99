"""The questions of a campaign: scales and thresholds."""

from tests.annotation.views.campaigns.drafts import draft
from tests.clients import client_of, text_of
from tests.factories import make_campaign

SCALE = {
    "name": "STYLE",
    "question": "Is the tone kept?",
    "level": "ordinal",
    "minimum": "1",
    "maximum": "7",
    "step": "1",
    "higher_is_better": "on",
    "threshold": "5",
    "required": "on",
    "points": "7; Same tone; Nobody would notice\n1; Other tone",
}


def test_scales_of_a_draft_are_added_changed_and_removed():
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

    meaning = campaign.scales.get(name="MEANING")
    client.post(f"/c/camp/scales/{meaning.key}/remove/")
    assert [scale.name for scale in campaign.scales.all()] == ["GRAMMAR", "TONE"]
    verbs = campaign.audit.values_list("verb", flat=True)
    assert {"add scale", "remove scale"} <= set(verbs)


def test_scales_are_fixed_once_opened():
    campaign = make_campaign(items=1)
    client = client_of("dora")
    one = f"/c/camp/scales/{campaign.scales.all()[0].key}/"
    for answer in (
        client.post(one, SCALE),
        client.post("/c/camp/scales/new/", SCALE),
        client.post(f"{one}remove/", follow=True),
    ):
        assert "Scales are fixed since the campaign was opened" in text_of(answer)
    assert campaign.scales.count() == 2
