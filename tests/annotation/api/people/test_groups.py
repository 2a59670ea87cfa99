"""Groups and fixed lists through the API."""

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Annotator
from tests.annotation.api.campaigns.asked import CAMP
from tests.annotation.api.conftest import rows_of
from tests.factories import make_annotator, make_campaign


def test_groups_are_made_filled_and_listed(login):
    bob = make_annotator(make_campaign(items=1))
    alice = login("alice")
    body = {"name": "A", "sheets_at_most": 3, "total_at_most": 9}
    made = alice.post(f"{CAMP}/groups", body).json()
    address = f"{CAMP}/annotators/{bob.key}/group"
    assert alice.put(address, {"group": made["key"]}).status_code == 204
    [row] = rows_of(alice, f"{CAMP}/groups")
    assert row == {**made, "people": 1, "total_at_least": None, "done": 0}
    assert alice.put(address, {"group": None}).status_code == 204
    assert Annotator.objects.get().group is None
    assert alice.post(f"{CAMP}/groups", {**body, "total_at_least": 10}).status_code == 400


def test_lists_are_imported_and_handed_on(login):
    bob = make_annotator(make_campaign(items=2, open_it=False))
    alice = login("alice")

    def post(text, **more):
        body = {"file": SimpleUploadedFile("lists.csv", text.encode()), **more}
        return alice.post(f"{CAMP}/lists", body, format="multipart").status_code

    assert post("list,item\nlate,nothing\n") == 422
    assert post("list,item\nlate,item-0\n", lists="shuffled") == 201
    found = alice.get(f"{CAMP}/lists").json()
    [row] = found["rows"]
    assert (found["lists"], row["name"], row["annotator"], row["items"]) == (
        "shuffled",
        "late",
        None,
        1,
    )
    handed = alice.post(f"{CAMP}/lists/{row['key']}/hand-on", {"to": str(bob.key)})
    assert handed.json() == {"items": 1}
    [row] = alice.get(f"{CAMP}/lists").json()["rows"]
    assert row["annotator"] == bob.code
    assert alice.delete(f"{CAMP}/lists/{row['key']}").json() == {"items": 1}
