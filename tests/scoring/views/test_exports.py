"""Exports by page: small ones at once and whole, large ones by a worker."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.urls import reverse

from scoring.models import ExportFile
from scoring.services.reports.exports import export_make, export_write
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import login

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
