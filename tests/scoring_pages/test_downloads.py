"""Exports by page: small ones at once and whole, large ones by a worker."""

from __future__ import annotations

import io
import os
import re
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.models import ExportFile
from scoring.services.exports import export_make, export_write
from scoring.services.exports_expiry import exports_expire
from tests.bridge.hand import hand_campaign
from tests.scoring_pages.test_pages import login

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("what", "format", "ending"),
    [("items", "jsonl", "jsonl"), ("judgments", "csv", "csv"), ("gold", "tsv", "tsv"),
     ("matrix", "csv", "csv"), ("ccb", "csv", "txt")],
)  # fmt: skip
def test_small_exports_download_at_once(what: str, format: str, ending: str) -> None:
    campaign = hand_campaign()
    data = {"what": what, "format": format, "scale": "GRAMMAR", "annotator": "a"}
    answer = login("vera").post(reverse("export-new", args=[campaign.slug]), data)
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == f'attachment; filename="hand-{what}.{ending}"'
    body = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    expected = io.BytesIO()
    options = {"annotator": "a"} if what == "ccb" else {}
    export_write(
        campaign=campaign, what=what, stream=expected, format=format, scale="GRAMMAR", **options
    )
    assert body == expected.getvalue() != b""
    assert int(answer["Content-Length"]) == len(body)


def test_what_cannot_be_exported_is_refused() -> None:
    campaign = hand_campaign()
    client = login("vera")
    address = reverse("export-new", args=[campaign.slug])
    for data in ({"what": "secrets"}, {"what": "items", "format": "exe"}, {"what": "matrix"}):
        assert client.post(address, data).status_code == 400
    campaign.substitutions.filter(text="two").update(
        own_sentence="Other words.", own_start=0, own_end=5
    )
    answer = client.post(address, {"what": "ccb"})
    assert answer.status_code == 400
    assert "sentence of its own" in answer.content.decode()


@pytest.mark.parametrize(("name", "status"), [("bob", 403), ("charlie", 404), ("nobody", 302)])
def test_downloads_are_for_readers(name: str, status: int) -> None:
    campaign = hand_campaign()
    answer = login(name).post(reverse("export-new", args=[campaign.slug]), {"what": "items"})
    assert answer.status_code == status
    file = ExportFile.objects.create(campaign=campaign, what="items", format="csv")
    export_make(export_pk=file.pk)
    address = reverse("export-file", args=[campaign.slug, file.key])
    assert login(name).get(address).status_code == status
    other = hand_campaign("other")
    assert login("vera").get(reverse("export-file", args=[other.slug, file.key])).status_code == 404


def test_large_exports_are_made_by_a_worker(settings: Any) -> None:
    settings.EXPORT_STREAM_ROWS = 2
    campaign = hand_campaign()
    client = login("dora")
    address = reverse("export-new", args=[campaign.slug])
    answer = client.post(address, {"what": "judgments", "format": "csv"})
    assert answer.status_code == 302
    file = ExportFile.objects.get()
    page = client.get(reverse("exports", args=[campaign.slug])).content.decode()
    assert "every 2s" in page
    assert client.get(reverse("export-file", args=[campaign.slug, file.key])).status_code == 404
    export_make(export_pk=file.pk)
    file.refresh_from_db()
    page = client.get(reverse("exports", args=[campaign.slug])).content.decode()
    assert file.sha256 in page and "every 2s" not in page
    answer = client.get(reverse("export-file", args=[campaign.slug, file.key]))
    body = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert len(body) == file.size == int(answer["Content-Length"])


def test_a_file_whose_lifetime_is_over_can_be_made_again(settings: Any) -> None:
    settings.EXPORT_STREAM_ROWS = 2
    campaign = hand_campaign()
    client = login("dora")
    chosen = {"what": "matrix", "format": "tsv", "scale": "GRAMMAR"}
    client.post(reverse("export-new", args=[campaign.slug]), chosen)
    file = ExportFile.objects.get()
    export_make(export_pk=file.pk)
    made_at = timezone.now() - timedelta(days=settings.EXPORT_DAYS, minutes=1)
    ExportFile.objects.update(finished_at=made_at)
    file.refresh_from_db()
    assert file.stored.is_file() and not file.gone
    assert exports_expire() == 1 and exports_expire() == 0
    assert not file.stored.exists()
    address = reverse("export-file", args=[campaign.slug, file.key])
    page = client.get(reverse("exports", args=[campaign.slug])).content.decode()
    assert "Removed" in page and address not in page
    answer = client.get(address)
    assert answer.status_code == 404 and "export it again" in answer.content.decode()
    form = re.search(r"<form.*?</form>", page[page.index("Removed") :], re.S)
    assert form is not None
    again = dict(re.findall(r'type="hidden" name="(\w+)" value="(\w*)"', form.group()))
    again.pop("csrfmiddlewaretoken", None)
    assert again == {**chosen, "annotator": ""}
    client.post(reverse("export-new", args=[campaign.slug]), again)
    newest = ExportFile.objects.latest("pk")
    assert newest.pk != file.pk and newest.options == file.options
    export_make(export_pk=newest.pk)
    assert exports_expire() == 0
    newest.refresh_from_db()
    assert newest.stored.is_file()


def test_what_no_row_needs_goes_by_its_own_age(settings: Any) -> None:
    folder = Path(settings.MEDIA_ROOT) / "exports"
    folder.mkdir(parents=True, exist_ok=True)
    old, new = folder / "old.1.part", folder / "new.1.part"
    for path in (old, new):
        path.write_text("cut off")
    long_ago = time.time() - timedelta(days=settings.EXPORT_DAYS + 2).total_seconds()
    os.utime(old, (long_ago, long_ago))
    exports_expire()
    assert new.exists() and not old.exists()
    new.unlink()
