"""Campaigns, their items, judgments, imports, templates and boards through the API."""

import json

import pytest

from annotation.campaigns.services import campaign_create
from annotation.campaigns.templating.queries import template_of
from annotation.collecting.claiming import claim_next
from annotation.importers.campaign_template import read_template
from annotation.models import Campaign, Item
from tests.annotation.api.conftest import rows_of
from tests.annotation.rated import CAMP, rated
from tests.clients import client_of, upload
from tests.factories import (
    item_rows,
    make_admin,
    make_annotator,
    make_campaign,
    make_user,
    rate_sheet,
)

CAMPAIGNS = "/api/v1/campaigns"
SAFE = {
    "name": "SAFE",
    "question": "Safe?",
    "level": "nominal",
    "threshold": 1,
    "points": [{"value": 0, "label": "No"}, {"value": 1, "label": "Yes"}],
}


def test_a_campaign_is_made_with_scales_of_its_own(login):
    alice = login("alice")
    assert alice.post(CAMPAIGNS, {"slug": "camp", "scales": []}).status_code == 400
    made = alice.post(CAMPAIGNS, {"slug": "camp", "order": "depth", "scales": [SAFE]})
    assert made.status_code == 201, made.content
    assert {
        "status": "draft",
        "order": "depth",
        "created_by": "alice",
    }.items() <= made.json().items()
    slider = {"name": "TONE", "level": "interval", "minimum": 0, "maximum": 100, "step": 0.5}
    added = alice.post(f"{CAMP}/scales", slider)
    assert (added.status_code, added.json()["level"]) == (201, "numeric"), added.content
    assert alice.post(f"{CAMP}/scales", slider).status_code == 400
    first, second = alice.get(f"{CAMP}/scales").json()
    assert (first["level"], first["minimum"], first["maximum"]) == ("nominal", 0, 1)
    assert (first["threshold"], second["maximum"], second["step"]) == (1, 100, 0.5)
    assert {point["label"] for point in first["points"]} == {"No", "Yes"}
    assert "MEANING" not in Campaign.objects.get().guidelines.get().text
    assert alice.patch(CAMP, {"lease_minutes": 5}).json()["lease_minutes"] == 5
    assert alice.post(f"{CAMP}/open").status_code == 400, "no texts"
    threshold = f"{CAMP}/scales/{first['key']}/threshold"
    for value in (0, None):
        assert alice.put(threshold, {"threshold": value}).json()["threshold"] == value


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", "two words"),
        ("slug", "a" * 61),
        ("slug", "camp"),
        ("name", "a\u0000b"),
        ("template", "nothing"),
        ("order", "nothing"),
        ("annotators_per_sheet", 10**9),
        ("max_per_sheet", 0),
        ("shared_share", -0.1),
        ("lease_minutes", 10**12),
        ("lease_minutes", None),
    ],
)
def test_settings_out_of_bounds_are_refused(login, field, value):
    make_campaign(open_it=False)
    alice = login("alice")
    assert alice.post(CAMPAIGNS, {"slug": "new", field: value}).status_code == 400
    assert Campaign.objects.count() == 1
    if field not in ("slug", "template"):
        assert alice.patch(CAMP, {field: value}).status_code == 400


def test_the_list_is_what_the_user_takes_part_in(login, django_assert_num_queries):
    make_campaign()
    make_campaign("other", cast=False)
    assert rows_of(login("charlie"), CAMPAIGNS) == []
    [row] = rows_of(login("bob"), CAMPAIGNS)
    assert row == {"slug": "camp", "name": "Camp", "status": "open", "role": "annotator"}
    alice = login("alice")
    with django_assert_num_queries(4):  # session, user, count, campaigns
        assert {row["slug"] for row in rows_of(alice, CAMPAIGNS)} == {"camp", "other"}
    make_admin()
    assert rows_of(login("adam"), CAMPAIGNS)[0]["role"] is None


def test_progress_of_all_and_of_oneself(login):
    bob = make_annotator(make_campaign())
    sheet = claim_next(annotator=bob)
    rate_sheet(bob, sheet)
    assert login("vera").get(f"{CAMP}/progress").json() == {
        "slots": 8,
        "done": 1,
        "claimed": 0,
        "sheets": 4,
        "sheets_complete": 0,
        "share": 0.125,
    }
    own = login("bob").get(f"{CAMP}/progress/own").json()
    assert own == {"done": 1, "open": 0, "left": 3, "texts": sheet.entries.count(), "total": 4}


def test_places_people_and_texts():
    """Names are for researchers."""
    rated(items=6)
    found = client_of("dora").get(f"{CAMP}/board").json()
    assert found["places"] == {"all": 12, "done": 12, "being_judged": 0, "free": 0}
    assert found["texts"] == {"all": 10, "complete": 10, "begun": 10}
    assert found["pace"]["last_24_hours"] == 12 and found["pace"]["end"] is None
    assert {one["name"] for one in found["people"]} == {"bob", "ben"}
    for one in found["people"]:
        assert one["figures"]["places"] == 6 and one["at_work"] and not one["excluded"]
    texts = found["disagreement"]["MEANING"]
    assert texts and all(text["values"] == [2.0, 4.0] for text in texts)
    assert found["alarms"] == [] and found["figures_at"]
    seen = client_of("vera").get(f"{CAMP}/board").json()["people"]
    assert [(one["name"], one["code"]) for one in seen] == [("", "A01"), ("", "A02")]


def send(client, what, text, **options):
    """Upload a file of JSON lines, or with other text as it is."""
    if not isinstance(text, str):
        text = "".join(json.dumps(row) + "\n" for row in text)
    name = options.pop("name", f"{what}.jsonl")
    file = upload(name, text.encode())
    return client.post(f"{CAMP}/imports/{what}", {"file": file, **options}, format="multipart")


def test_a_file_of_items_is_checked_then_taken_then_known(login):
    dora = login("dora")
    campaign = campaign_create(actor=make_user("dora"), slug="camp")
    dry = send(dora, "items", item_rows(3), dry_run="true")
    assert (dry.status_code, dry.json()["ok"], dry.json()["dry_run"]) == (200, True, True)
    assert dry.json()["counts"]["items"] == 3 and not campaign.items.exists()
    taken = send(dora, "items", item_rows(3))
    assert taken.status_code == 201, taken.content
    assert taken.json()["counts"] == dry.json()["counts"] and campaign.items.count() == 3
    again = send(dora, "items", item_rows(3))
    assert (again.status_code, again.json()["batch"]) == (200, None)
    [batch] = rows_of(dora, f"{CAMP}/imports")
    assert (batch["key"], batch["what"], batch["rows"]) == (taken.json()["batch"], "items", 6)


def test_problems_of_a_file_name_line_and_column_and_change_nothing(login, settings):
    campaign_create(actor=make_user("dora"), slug="camp")
    text = "phrase,sentence,paraphrase,system\nmat,The mat.,rug,A\ncat,The dog.,pet,A\n"
    answer = send(login("dora"), "items", text, name="items.csv")
    assert (answer.status_code, answer.json()["ok"]) == (422, False)
    [problem] = answer.json()["problems"]
    assert (problem["file"], problem["line"], problem["severity"]) == ("items.csv", 3, "error")
    settings.UPLOAD_MAX_BYTES = 2**20
    large = send(login("dora"), "items", "x" * (2**20 + 1), name="items.csv")
    assert (large.status_code, large.json()["code"]) == (400, "invalid")
    assert not Item.objects.exists()


def test_an_item_shows_its_texts_and_who_gave_them(login):
    row = {"item": "i1", "sentence": "One two three.", "phrase": "two", "paraphrase": "2"}
    make_campaign(rows=[{**row, "system": "A", "reference": "1 2 3."}, {**row, "system": "B"}])
    vera = login("vera")
    [item] = rows_of(vera, f"{CAMP}/items")
    assert (item["sentence"], item["start"], item["end"]) == ("One two three.", 4, 7)
    assert (item["outside_ids"], item["references"]) == (["i1"], ["1 2 3."])
    [text] = item["substitutions"]
    assert (item["phrase"]["text"], text["text"], text["role"], text["made_from"]) == (
        "two",
        "2",
        "output",
        None,
    )
    given = [(output["system"], output["substitution"]) for output in item["outputs"]]
    assert given == [("A", text["key"]), ("B", text["key"])]
    assert vera.get(f"{CAMP}/items/{item['key']}").json() == item
    assert [row["label"] for row in rows_of(vera, f"{CAMP}/systems")] == ["A", "B"]


def test_filters_of_items(login):
    rows = item_rows(4)
    rows.append({**rows[0], "paraphrase": "only here", "system": "rare"})
    make_campaign(rows=rows)
    vera = login("vera")
    first = rows_of(vera, f"{CAMP}/items")[0]

    def found(**query):
        return [row["position"] for row in rows_of(vera, f"{CAMP}/items", **query)]

    assert found() == [0, 1, 2, 3]
    assert found(item="item-2") == [2]
    assert found(phrase=first["phrase"]["key"]) == [0, 1]
    assert found(system="rare") == [0]
    assert found(system="S0", text="Sentence 3") == [3]
    assert found(role="output") == [0, 1, 2, 3]
    assert found(role="control") == []
    for wrong in ({"role": "x"}, {"phrase": "x"}, {"text": "\0"}):
        assert vera.get(f"{CAMP}/items", wrong).status_code == 400


def test_filters_of_judgments(login):
    campaign = rated(6)
    vera = login("vera")
    all_rows = rows_of(vera, f"{CAMP}/judgments")
    assert len(all_rows) == campaign.judgments.count() == 2 * 2 * 10
    item = campaign.items.order_by("position")[0]
    text = item.substitutions.all()[0]

    def count(**query):
        return len(rows_of(vera, f"{CAMP}/judgments", **query))

    assert count(annotator="A02") == 20
    assert count(item=item.key) == 8
    assert count(substitution=text.key) == 4
    # Of six items two have one text from both systems: a judgment of it is one row, not two.
    assert count(system="S0") == 24
    assert count(status="counted", kind="rating", occasion=1) == 40
    assert count(status="draft") == 0
    middle = sorted(row["recorded_at"] for row in all_rows)[20]
    assert count(recorded_from=middle) + count(recorded_before=middle) == 40
    for wrong in ({"status": "x"}, {"occasion": 0}, {"item": "x"}, {"recorded_from": "x"}):
        assert vera.get(f"{CAMP}/judgments", wrong).status_code == 400


def test_a_template_is_read_compared_and_applied(login):
    campaign = make_campaign()
    alice = login("alice")
    text = alice.get(f"{CAMP}/template").json()["template"]
    assert read_template(text.encode(), name="t").template == template_of(campaign=campaign)

    def put(**body):
        answer = alice.put(f"{CAMP}/template", {"template": "settings: {description: New}"} | body)
        return answer.status_code, answer.json()

    _, shown = put()
    assert shown["changes"] == [
        {"name": "description", "before": "", "after": "New", "refused": ""}
    ]
    assert not shown["applied"] and put(apply=True, seen="x")[0] == 409
    assert Campaign.objects.get().description == ""
    assert put(apply=True, seen=shown["digest"])[1]["applied"]
    assert Campaign.objects.get().description == "New"
    for wrong in ("settings: {order: depth}", "scales:\n- nam: A"):
        assert put(template=wrong, apply=True)[0] == 400
