"""Items, judgments and files through the API."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation.models import Campaign, Item, Judgment
from annotation.services.campaigns import campaign_create
from annotation.services.claiming import claim_next
from tests.api.conftest import Login, rows_of
from tests.factories import (
    item_rows,
    make_annotator,
    make_campaign,
    make_user,
    rate_all,
    rate_sheet,
)

CAMP = "/api/v1/campaigns/camp"

pytestmark = pytest.mark.django_db


def queries_of(client: APIClient, address: str) -> tuple[int, int]:
    """How many queries a page takes, and how many rows it has."""
    with CaptureQueriesContext(
        connection,
    ) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return len(captured), len(answer.json()["results"])


def send(client: APIClient, what: str, text: str | Sequence[dict[str, Any]], **options: Any) -> Any:
    """Upload a file of JSON lines, or with other text as it is."""
    if not isinstance(text, str):
        text = "".join(json.dumps(row) + "\n" for row in text)
    name = options.pop("name", f"{what}.jsonl")
    file = SimpleUploadedFile(name, text.encode())
    return client.post(f"{CAMP}/imports/{what}", {"file": file, **options}, format="multipart")


def test_an_item_shows_its_texts_and_who_gave_them(login: Login) -> None:
    rows = [
        {"item": "i1", "sentence": "One two three.", "phrase": "two", "paraphrase": "2",
         "system": "A", "reference": "1 2 3."},
        {"item": "i1", "sentence": "One two three.", "phrase": "two", "paraphrase": "2",
         "system": "B"},
    ]  # fmt: skip
    make_campaign(rows=rows)
    vera = login("vera")
    [item] = rows_of(vera, f"{CAMP}/items")
    assert (item["sentence"], item["start"], item["end"]) == ("One two three.", 4, 7)
    assert (item["outside_ids"], item["references"]) == (["i1"], ["1 2 3."])
    assert item["phrase"]["text"] == "two"
    [text] = item["substitutions"]
    assert (text["text"], text["role"], text["made_from"]) == ("2", "output", None)
    given = [(output["system"], output["substitution"]) for output in item["outputs"]]
    assert given == [("A", text["key"]), ("B", text["key"])]
    assert vera.get(f"{CAMP}/items/{item['key']}").json() == item
    assert vera.get(f"{CAMP}/items/{uuid4()}").status_code == 404
    assert [row["label"] for row in rows_of(vera, f"{CAMP}/systems")] == ["A", "B"]


def test_filters_of_items(login: Login) -> None:
    rows = item_rows(4)
    rows.append({**rows[0], "paraphrase": "only here", "system": "rare"})
    make_campaign(rows=rows)
    vera = login("vera")
    first = rows_of(vera, f"{CAMP}/items")[0]

    def found(**query: Any) -> list[int]:
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


def test_a_page_of_items_costs_the_same_for_many(login: Login) -> None:
    make_campaign(items=40, systems=3)
    vera = login("vera")
    few, many = (queries_of(vera, f"{CAMP}/items?page_size={size}") for size in (2, 40))
    assert (few[1], many[1]) == (2, 40)
    assert few[0] == many[0]


def rated(items: int = 6) -> Campaign:
    campaign = make_campaign(items=items, k=2)
    for name in ("bob", "ben"):
        rate_all(make_annotator(campaign, name), value=4 if name == "bob" else 2)
    return campaign


def test_judgments_name_everything_by_public_names(login: Login) -> None:
    campaign = rated(2)
    row = rows_of(login("vera"), f"{CAMP}/judgments", annotator="A01", scale="MEANING")[0]
    judgment = Judgment.objects.filter(annotator__code="A01", scale__name="MEANING").first()
    assert judgment is not None
    assert row == {
        "annotator": "A01", "item": str(judgment.substitution.item.key),
        "substitution": str(judgment.substitution.key), "scale": "MEANING", "occasion": 1,
        "kind": "rating", "value": 4.0, "reason": "", "comment": "", "status": "counted",
        "version": 1, "guideline": campaign.guidelines.get().version,
        "recorded_at": row["recorded_at"], "judged_at": None,
    }  # fmt: skip


def test_filters_of_judgments(login: Login) -> None:
    campaign = rated(6)
    vera = login("vera")
    all_rows = rows_of(vera, f"{CAMP}/judgments")
    assert len(all_rows) == campaign.judgments.count() == 2 * 2 * 10
    item = campaign.items.order_by("position")[0]
    text = item.substitutions.first()
    assert text is not None

    def count(**query: Any) -> int:
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


def test_following_next_meets_every_judgment_once_while_others_are_added(login: Login) -> None:
    campaign = make_campaign(items=6, k=2)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    rate_all(bob)
    vera = login("vera")
    before = {judgment.pk for judgment in campaign.judgments.all()}
    page = vera.get(f"{CAMP}/judgments?page_size=7").json()
    seen = page["results"]
    while page["next"]:
        sheet = claim_next(annotator=ben)
        if sheet is not None:
            rate_sheet(ben, sheet)
        page = vera.get(page["next"]).json()
        seen += page["results"]
    keys = [(row["annotator"], row["substitution"], row["scale"]) for row in seen]
    assert len(keys) == len(set(keys)) >= len(before)
    assert sum(row["annotator"] == bob.code for row in seen) == len(before)


def test_a_page_of_judgments_costs_the_same_for_many(login: Login) -> None:
    rated(8)
    vera = login("vera")
    few, many = (queries_of(vera, f"{CAMP}/judgments?page_size={size}") for size in (2, 40))
    assert (few[1], many[1]) == (2, 40)
    assert few[0] == many[0]


def test_a_file_of_items_is_checked_then_taken_then_known(login: Login) -> None:
    dora = login("dora")
    campaign = campaign_create(actor=make_user("dora"), slug="camp")
    dry = send(dora, "items", item_rows(3), dry_run="true")
    assert (dry.status_code, dry.json()["ok"], dry.json()["dry_run"]) == (200, True, True)
    assert dry.json()["counts"]["items"] == 3
    assert not campaign.items.exists()
    taken = send(dora, "items", item_rows(3))
    assert taken.status_code == 201, taken.content
    assert taken.json()["counts"] == dry.json()["counts"]
    assert campaign.items.count() == 3
    again = send(dora, "items", item_rows(3))
    assert (again.status_code, again.json()["batch"]) == (200, None)
    [batch] = rows_of(dora, f"{CAMP}/imports")
    assert (batch["key"], batch["what"], batch["rows"]) == (taken.json()["batch"], "items", 6)


def test_problems_of_a_file_name_line_and_column_and_change_nothing(login: Login) -> None:
    campaign = campaign_create(actor=make_user("dora"), slug="camp")
    text = "phrase,sentence,paraphrase,system\nmat,The mat.,rug,A\ncat,The dog.,pet,A\n"
    answer = send(login("dora"), "items", text, name="items.csv")
    assert answer.status_code == 422
    assert answer.json()["ok"] is False
    [problem] = answer.json()["problems"]
    assert (problem["file"], problem["line"], problem["severity"]) == ("items.csv", 3, "error")
    assert not Item.objects.filter(campaign=campaign).exists()


@pytest.mark.parametrize("content", ["", "\0", "a,b\n", "{", "\ufeff", "[1]\n"])
@pytest.mark.parametrize("what", ["items", "judgments", "gold"])
@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_broken_files_are_refused(login: Login, what: str, content: str, format: str) -> None:
    make_campaign(items=1)
    answer = send(login("dora"), what, content, name=f"x.{format}")
    assert answer.status_code in (200, 400, 422), answer.content


def test_a_file_beyond_the_limit_is_refused(login: Login, settings: Any) -> None:
    make_campaign(items=1)
    settings.UPLOAD_MAX_BYTES = 2**20
    answer = send(login("dora"), "items", "x" * (2**20 + 1), name="items.csv")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_judgments_and_gold_from_files(login: Login) -> None:
    campaign = make_campaign(items=2)
    dora = login("dora")
    rows = [
        {"item": "item-0", "paraphrase": "system 0 paraphrase 0", "annotator": "X",
         "scale": "MEANING", "value": value}
        for value in (4, 5)
    ]  # fmt: skip
    doubled = send(dora, "judgments", rows)
    assert doubled.status_code == 422
    assert "line" in doubled.json()["problems"][0]
    assert send(dora, "judgments", rows, repeats="number").status_code == 201
    found = rows_of(dora, f"{CAMP}/judgments", annotator="X")
    assert [(row["occasion"], row["value"]) for row in found] == [(1, 4.0), (2, 5.0)]
    gold = {"item": "item-1", "paraphrase": "system 1 paraphrase 1", "MEANING": 3.5}
    assert send(dora, "gold", [gold], source="paper").status_code == 201
    assert [row.source for row in campaign.imported_gold.all()] == ["paper"]


def test_readers_and_annotators_import_nothing(login: Login) -> None:
    make_campaign(items=1)
    for name in ("vera", "bob"):
        assert send(login(name), "items", item_rows(3)).status_code == 403
    assert send(login("charlie"), "items", item_rows(3)).status_code == 404
    assert Item.objects.count() == 1
