"""Files into a campaign."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from annotation.models import ImportJob, Item
from annotation.services import background
from annotation.services.background import Background
from annotation.services.campaigns.campaigns import campaign_create
from annotation.services.importing import size
from annotation.services.importing.jobs import TASK, import_make
from tests.annotation.api.campaigns.asked import CAMP
from tests.annotation.api.conftest import Login, rows_of
from tests.factories import item_rows, make_campaign, make_user

pytestmark = pytest.mark.django_db


def send(client: APIClient, what: str, text: str | Sequence[dict[str, Any]], **options: Any) -> Any:
    """Upload a file of JSON lines, or with other text as it is."""
    if not isinstance(text, str):
        text = "".join(json.dumps(row) + "\n" for row in text)
    name = options.pop("name", f"{what}.jsonl")
    file = SimpleUploadedFile(name, text.encode())
    return client.post(f"{CAMP}/imports/{what}", {"file": file, **options}, format="multipart")


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


def test_judgments_of_unknown_people_are_asked_for(login: Login) -> None:
    campaign = make_campaign(items=1)
    row = {"item": "item-0", "paraphrase": "system 0 paraphrase 0", "scale": "MEANING", "value": 4}
    assert send(login("dora"), "judgments", [row, row]).status_code == 422
    taken = send(login("dora"), "judgments", [row, row], anonymous="true", annotator="crowd")
    assert taken.json()["counts"] == {"judgments": 2, "annotators": 2}, taken.content
    voices = campaign.annotators.filter(origin="anonymous").values_list("code", flat=True)
    assert list(voices) == ["anonymous-crowd-1", "anonymous-crowd-2"]


def test_readers_and_annotators_import_nothing(login: Login) -> None:
    make_campaign(items=1)
    for name in ("vera", "bob"):
        assert send(login(name), "items", item_rows(3)).status_code == 403
    assert send(login("charlie"), "items", item_rows(3)).status_code == 404
    assert Item.objects.count() == 1


def test_a_large_file_is_answered_by_202_and_imported_by_a_worker(
    login: Login, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(size, "AT_ONCE", 5)
    told: list[tuple[str, int]] = []
    dora = login("dora")
    workers = Background(lambda *args: told.append(args), lambda: "here:1:a/1", lambda: True)
    monkeypatch.setattr(background, "_known", [workers])
    campaign = campaign_create(actor=make_user("dora"), slug="camp")
    assert send(dora, "items", item_rows(2)).status_code == 201  # four rows
    answer = send(dora, "items", item_rows(4))
    assert answer.status_code == 202, answer.content
    job = answer.json()
    assert (job["status"], job["done"], job["total"], job["report"]) == ("queued", 0, 8, None)
    address = f"{CAMP}/imports/{job['key']}"
    assert dora.get(address).json() == job and campaign.items.count() == 2
    assert told == [(TASK, ImportJob.objects.get().pk)]
    import_make(job_pk=ImportJob.objects.get().pk)
    ended = dora.get(address).json()
    assert (ended["status"], ended["done"], ended["error"]) == ("done", 8, "")
    assert ended["report"]["counts"]["items"] == 2 and campaign.items.count() == 4
    refused = send(dora, "judgments", [{"item": "none"}] * 6, repeats="number", dry_run="true")
    import_make(job_pk=ImportJob.objects.get(what="judgments").pk)
    ended = dora.get(f"{CAMP}/imports/{refused.json()['key']}").json()
    assert ended["status"] == "failed" and ended["report"]["problems"][0]["line"] == 1
    assert login("bob").get(address).status_code == login("charlie").get(address).status_code == 404
