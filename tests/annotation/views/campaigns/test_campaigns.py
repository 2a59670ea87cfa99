"""Making a campaign, its course, its settings, its scales and its guidelines."""

from annotation.campaigns.services import campaign_create
from annotation.models import Campaign
from tests.annotation.views.campaigns.drafts import draft
from tests.clients import client_of, messages_of, text_of
from tests.factories import make_user

FORM = {
    "name": "My Evaluation",
    "slug": "my-evaluation",
    "template": "phrase",
    "description": "Why",
    "annotators_per_sheet": "3",
    "max_per_sheet": "4",
    "order": "depth",
    "shared_share": "0.25",
    "lease_minutes": "30",
    "layout": "item",
    "allow_revision": "on",
}


def new_campaign(**changes):
    return client_of("alice").post("/campaigns/new/", {**FORM, **changes})


def test_the_form_makes_a_draft_and_leads_to_its_steps():
    assert new_campaign()["Location"] == "/c/my-evaluation/steps/#do-texts"
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.status, campaign.order) == ("My Evaluation", "draft", "depth")
    assert (campaign.max_per_sheet, campaign.shared_share, campaign.lease_minutes) == (4, 0.25, 30)
    assert [scale.name for scale in campaign.scales.all()] == ["MEANING", "GRAMMAR"]
    page = text_of(client_of("alice").get("/c/my-evaluation/"))
    assert "1 step is missing. ○ Texts There is nothing to judge yet. Import Texts Open…" in page


def test_the_course_of_a_campaign():
    campaign = draft()
    client = client_of("dora")
    for act, status in (("open", "open"), ("pause", "paused"), ("close", "closed")):
        answer = client.post("/c/camp/status/", {"act": act}, follow=True)
        campaign.refresh_from_db()
        assert campaign.status == status
        assert messages_of(answer) == [f"The campaign is {status}."]
    log = text_of(client.get("/c/camp/audit/"))
    assert "dora set status open" in log
    assert log.index("set status open") < log.index("import items") and "importbatch" not in log
    korean = client.get("/c/camp/audit/", headers={"Accept-Language": "ko"})
    assert "import items" not in text_of(korean)
    assert client.post("/c/camp/status/", {"act": "end"}).status_code == 400
    campaign_create(actor=make_user("alice"), slug="empty")
    answer = client_of("alice").post("/c/empty/status/", {"act": "open"}, follow=True)
    assert "import items first" in messages_of(answer)[0]


def settings_form(campaign, **changes):
    form = {key: value for key, value in FORM.items() if key not in ("slug", "template")}
    return {**form, "name": campaign.name, **changes}


def test_settings_of_a_draft_and_of_an_open_campaign():
    campaign = draft()
    client = client_of("dora")
    form = settings_form(campaign, name="Renamed")
    assert messages_of(client.post("/c/camp/settings/", form, follow=True)) == ["Saved."]
    campaign.refresh_from_db()
    assert (campaign.name, campaign.order, campaign.max_per_sheet) == ("Renamed", "depth", 4)
    client.post("/c/camp/status/", {"act": "open"})
    # Fixed fields are not taken from a form that was opened before.
    form = settings_form(campaign, order="phrase", annotators_per_sheet="4", max_per_sheet="")
    client.post("/c/camp/settings/", form)
    campaign.refresh_from_db()
    assert campaign.order == "depth"
    assert campaign.max_per_sheet == campaign.annotators_per_sheet == 4


def test_a_threshold_is_changed_at_any_time_and_has_a_history(campaign):
    scale = campaign.scales.all()[0]
    client = client_of("dora")
    address = f"/c/camp/scales/{scale.key}/threshold/"
    assert messages_of(client.post(address, {"threshold": "4"}, follow=True)) == ["Saved."]
    for wrong, words in (("9", "must be on the scale"), ("much", "must be a number")):
        answer = client.post(address, {"threshold": wrong}, follow=True)
        assert words in messages_of(answer)[0]
    client.post(address, {"threshold": ""})
    assert [change.threshold for change in scale.threshold_changes.all()] == [3, 4, None]


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


def test_scales_are_fixed_once_opened(campaign):
    client = client_of("dora")
    one = f"/c/camp/scales/{campaign.scales.all()[0].key}/"
    for answer in (
        client.post(one, SCALE),
        client.post("/c/camp/scales/new/", SCALE),
        client.post(f"{one}remove/", follow=True),
    ):
        assert "Scales are fixed since the campaign was opened" in text_of(answer)
    assert campaign.scales.count() == 2
