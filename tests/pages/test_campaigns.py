"""Making a campaign, its course, its settings, its scales and its guidelines."""

from __future__ import annotations

import re
from typing import Any

import pytest

from annotation.models import Annotator, AuditEntry, Campaign, Guideline, Membership
from annotation.selectors.verify import verify
from annotation.services.campaigns import campaign_create
from annotation.services.exclusions import exclusion_add
from annotation.views.markdown import as_html
from tests.factories import add_judgments, make_annotator, make_campaign, make_user, rate_all
from tests.pages.clients import client_of, messages_of, text_of

pytestmark = pytest.mark.django_db

FORM: dict[str, Any] = {
    "name": "My Evaluation", "slug": "my-evaluation", "template": "phrase", "description": "Why",
    "annotators_per_sheet": "3", "max_per_sheet": "4", "order": "depth", "shared_share": "0.25",
    "lease_minutes": "30", "layout": "item", "allow_revision": "on",
}  # fmt: skip
SCALE: dict[str, Any] = {
    "name": "STYLE", "question": "Is the tone kept?", "level": "ordinal", "minimum": "1",
    "maximum": "7", "step": "1", "higher_is_better": "on", "threshold": "5", "required": "on",
    "points": "7; Same tone; Nobody would notice\n1; Other tone",
}  # fmt: skip


def new_campaign(**changes: Any) -> Any:
    return client_of("alice").post("/campaigns/new/", {**FORM, **changes})


def draft() -> Campaign:
    return make_campaign(items=2, open_it=False)


def test_the_form_makes_a_draft_and_leads_to_its_steps() -> None:
    answer = new_campaign()
    assert answer["Location"] == "/c/my-evaluation/"
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.status, campaign.order) == ("My Evaluation", "draft", "depth")
    assert (campaign.max_per_sheet, campaign.shared_share, campaign.lease_minutes) == (4, 0.25, 30)
    assert [scale.name for scale in campaign.scales.all()] == ["MEANING", "GRAMMAR"]
    assert Membership.objects.get().role == "owner"
    page = text_of(client_of("alice").get("/c/my-evaluation/"))
    assert "Import items 0 so far" in page and "Open the campaign" in page


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": ""}, "This field is required."),
        ({"slug": "no spaces"}, "valid “slug”"),
        ({"slug": "camp"}, "already exists"),
        ({"template": "none"}, "not one of the available choices"),
        ({"annotators_per_sheet": "0"}, "greater than or equal to 1"),
        ({"shared_share": "2"}, "less than or equal to 1"),
        ({"max_per_sheet": "0"}, "greater than or equal to 1"),
        ({"lease_minutes": "x"}, "Enter a whole number."),
    ],
)
def test_a_wrong_form_comes_back_and_makes_nothing(changes: dict[str, str], said: str) -> None:
    make_campaign(items=1)
    answer = new_campaign(**changes)
    assert answer.status_code == 200
    page = text_of(answer)
    assert said in page, page
    assert Campaign.objects.count() == 1


def test_the_course_of_a_campaign() -> None:
    campaign = draft()
    client = client_of("dora")
    for act, status in [("open", "open"), ("pause", "paused"), ("open", "open"),
                        ("close", "closed"), ("open", "open")]:  # fmt: skip
        answer = client.post("/c/camp/status/", {"act": act}, follow=True)
        campaign.refresh_from_db()
        assert campaign.status == status
        assert messages_of(answer) == [f"The campaign is {status}."]
    assert campaign.sheets.count() == 2
    assert verify(campaign=campaign) == []


def test_a_campaign_without_items_is_not_opened() -> None:
    campaign_create(actor=make_user("alice"), slug="empty")
    answer = client_of("alice").post("/c/empty/status/", {"act": "open"}, follow=True)
    assert messages_of(answer) == ["The campaign has no paraphrases yet: import items first."]
    assert Campaign.objects.get().status == "draft"


def test_progress_shows_voices_as_they_are() -> None:
    campaign = make_campaign(items=2, k=3)
    rate_all(make_annotator(campaign, "bob"))
    rate_all(make_annotator(campaign, "dora"))
    out = make_annotator(campaign, "ben")
    exclusion_add(target=out, reason="was asleep", actor=make_user("alice"))
    rows = [{"item": "item-0", "paraphrase": "system 0 paraphrase 0", "annotator": "robot",
             "scale": "MEANING", "value": 4}]  # fmt: skip
    assert "simulated" not in text_of(client_of("vera").get("/c/camp/")).lower()
    add_judgments(campaign, rows, origin=Annotator.Origin.SIMULATED)
    page = text_of(client_of("vera").get("/c/camp/"))
    assert "Contains simulated judgments" in page
    codes = {one.user.username if one.user else "": one.code for one in
             Annotator.objects.select_related("user")}  # fmt: skip
    assert f"{codes['bob']} Invited 2 8" in page
    assert f"{codes['dora']} not blind Invited 2 8" in page
    assert f"{codes['ben']} excluded Invited 0 0" in page
    assert "robot Simulated 0 1" in page
    assert "Places done 4 / 6" in page and "Sheets complete 0 / 2" in page


def test_every_page_with_data_says_that_judgments_are_simulated() -> None:
    campaign = make_campaign(items=1)
    Annotator.objects.create(campaign=campaign, code="sim", origin=Annotator.Origin.SIMULATED)
    item = campaign.items.get().key
    for page in ("", "items/", f"items/{item}/", "agreement/", "results/", "gold/", "runs/",
                 "correlation/", "exports/"):  # fmt: skip
        assert "Contains simulated judgments" in text_of(client_of("vera").get(f"/c/camp/{page}"))
    assert "simulated judgments" in text_of(client_of("vera").get("/campaigns/"))
    assert "simulated" not in text_of(client_of("bob").get("/c/camp/guidelines/"))


def settings_form(campaign: Campaign, **changes: Any) -> dict[str, Any]:
    form = {key: value for key, value in FORM.items() if key not in ("slug", "template")}
    return {**form, "name": campaign.name, **changes}


def test_settings_of_a_draft_and_of_an_open_campaign() -> None:
    campaign = draft()
    client = client_of("dora")
    form = settings_form(campaign, name="Renamed")
    answer = client.post("/c/camp/settings/", form, follow=True)
    assert messages_of(answer) == ["Saved."]
    campaign.refresh_from_db()
    assert (campaign.name, campaign.order, campaign.max_per_sheet) == ("Renamed", "depth", 4)
    client.post("/c/camp/status/", {"act": "open"})
    # Fixed fields are not taken from a form that was opened before.
    form = settings_form(campaign, order="phrase", annotators_per_sheet="4", max_per_sheet="")
    client.post("/c/camp/settings/", form)
    campaign.refresh_from_db()
    assert (campaign.order, campaign.max_per_sheet, campaign.annotators_per_sheet) == (
        "depth",
        4,
        4,
    )
    assert verify(campaign=campaign) == []


def test_a_threshold_is_changed_at_any_time_and_has_a_history() -> None:
    campaign = make_campaign(items=1)
    scale = campaign.scales.all()[0]
    client = client_of("dora")
    address = f"/c/camp/scales/{scale.key}/threshold/"
    assert messages_of(client.post(address, {"threshold": "4"}, follow=True)) == ["Saved."]
    for wrong, said in (("9", "must be on the scale"), ("much", "must be a number")):
        answer = client.post(address, {"threshold": wrong}, follow=True)
        assert said in messages_of(answer)[0]
    client.post(address, {"threshold": ""})
    history = [change.threshold for change in scale.threshold_changes.all()]
    assert history == [3, 4, None]


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


def test_guidelines_get_new_versions_and_keep_the_old() -> None:
    campaign = make_campaign(items=1)
    client = client_of("dora")
    client.post("/c/camp/guidelines/", {"text": "# Second\n\n| a | b |\n|---|---|\n| 1 | 2 |"})
    client.post("/c/camp/guidelines/", {"text": "# Third"})
    client.post("/c/camp/guidelines/", {"text": "# Third"})
    assert [one.version for one in campaign.guidelines.all()] == [3, 2, 1]
    assert Guideline.objects.first().created_by == make_user("dora")  # type: ignore[union-attr]
    for name in ("bob", "vera", "dora"):
        page = text_of(client_of(name).get("/c/camp/guidelines/"))
        assert "Third" in page and ("new version" in page) == (name == "dora")
    old = client.get("/c/camp/guidelines/?version=2")
    assert "This is the old version 2." in text_of(old) and b"<td>1</td>" in old.content
    assert client.get("/c/camp/guidelines/?version=9").status_code == 404
    assert "Third" in text_of(client_of("bob").get("/c/camp/guidelines/?version=2"))
    assert client_of("bob").post("/c/camp/guidelines/", {"text": "mine"}).status_code == 403


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>alert(1)</script>", "[x](javascript:alert(1))", "<a href='javascript:x'>y</a>",
        "<img src=x onerror=alert(1)>", "![x](https://elsewhere.example/pixel.png)",
        "<style>body{display:none}</style>", "<iframe src='//x'></iframe>",
        "<table onclick=alert(1)><tr><td>x</td></tr></table>",
    ],
)  # fmt: skip
def test_guidelines_carry_nothing_that_runs_or_loads(markdown: str) -> None:
    html = as_html(markdown).lower()
    # What stands between the tags is text, whatever it says.
    tags = " ".join(re.findall(r"<[^>]*>", html))
    for part in ("script", "onerror", "onclick", "<img", "<style", "<iframe"):
        assert part not in tags


def test_the_log_says_who_did_what() -> None:
    draft()
    client_of("dora").post("/c/camp/status/", {"act": "open"})
    page = text_of(client_of("alice").get("/c/camp/audit/"))
    assert "dora set status open" in page
    assert page.index("set status open") < page.index("import items")
