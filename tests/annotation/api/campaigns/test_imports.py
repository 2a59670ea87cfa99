"""Files into a campaign."""

import json

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.campaigns.services import campaign_create
from annotation.models import Item
from tests.annotation.api.campaigns.asked import CAMP
from tests.annotation.api.conftest import rows_of
from tests.factories import item_rows, make_user


def send(client, what, text, **options):
    """Upload a file of JSON lines, or with other text as it is."""
    if not isinstance(text, str):
        text = "".join(json.dumps(row) + "\n" for row in text)
    name = options.pop("name", f"{what}.jsonl")
    file = SimpleUploadedFile(name, text.encode())
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
