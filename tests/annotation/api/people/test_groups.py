"""Groups and fixed lists through the API."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import Annotator
from tests.factories import make_annotator, make_campaign, make_user

pytestmark = pytest.mark.django_db
CAMP = "/api/v1/campaigns/camp"
JSON = "application/json"


def test_groups_are_made_filled_and_listed(client: Client) -> None:
    bob = make_annotator(make_campaign(items=1))
    client.force_login(make_user("alice"))
    body = {"name": "A", "sheets_at_most": 3, "total_at_most": 9}
    made = client.post(f"{CAMP}/groups", body, content_type=JSON).json()
    address = f"{CAMP}/annotators/{bob.key}/group"
    assert client.put(address, {"group": made["key"]}, content_type=JSON).status_code == 204
    [row] = client.get(f"{CAMP}/groups").json()["results"]
    assert row == {**made, "people": 1, "total_at_least": None, "done": 0}
    assert client.put(address, {"group": None}, content_type=JSON).status_code == 204
    assert Annotator.objects.get(pk=bob.pk).group is None
    bad = client.post(
        f"{CAMP}/groups", {**body, "total_at_least": 10}, content_type=JSON
    )  # fmt: skip
    assert 400 <= bad.status_code < 500


def test_lists_are_imported_and_handed_on(client: Client) -> None:
    campaign = make_campaign(items=2, open_it=False)
    bob = make_annotator(campaign)
    client.force_login(make_user("alice"))

    def post(text: str, **more: object) -> tuple[int, dict[str, object]]:
        file = SimpleUploadedFile("lists.csv", text.encode())
        answer = client.post(f"{CAMP}/lists", {"file": file, **more})
        return answer.status_code, answer.json()

    code, told = post("list,item\nlate,nothing\n")
    assert (code, told["ok"]) == (422, False)
    assert post("list,item\nlate,item-0\n", lists="shuffled")[0] == 201
    found = client.get(f"{CAMP}/lists").json()
    [row] = found["rows"]
    assert (found["lists"], row["name"], row["annotator"], row["items"]) == (
        "shuffled", "late", None, 1,
    )  # fmt: skip
    handed = client.post(
        f"{CAMP}/lists/{row['key']}/hand-on", {"to": str(bob.key)}, content_type=JSON
    )
    assert handed.json() == {"items": 1}
    [row] = client.get(f"{CAMP}/lists").json()["rows"]
    assert row["annotator"] == bob.code
    assert client.delete(f"{CAMP}/lists/{row['key']}").json() == {"items": 1}
