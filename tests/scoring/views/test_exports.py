"""Exports by page: small ones at once and whole, large ones by a worker."""

import io
from pathlib import Path

import pytest

from annotation.models import AuditEntry
from paraanno.jobs.engine import job_work
from scoring.exports.services import export_write
from scoring.models import ExportFile
from tests.clients import client_of, html_of
from tests.factories import make_campaign
from tests.scoring.hand import hand_campaign

PAGE = "/c/hand/exports/"


@pytest.mark.parametrize(
    ("what", "format", "ending"),
    [
        ("items", "jsonl", "jsonl"),
        ("judgments", "csv", "csv"),
        ("gold", "tsv", "tsv"),
        ("matrix", "csv", "csv"),
        ("ccb", "csv", "txt"),
    ],
)
def test_small_exports_download_at_once(what, format, ending, hand):
    data = {"what": what, "format": format, "scale": "GRAMMAR", "annotator": "a"}
    answer = client_of("vera").post(f"{PAGE}new/", data)
    assert answer["Content-Disposition"] == f'attachment; filename="hand-{what}.{ending}"'
    body = b"".join(answer.streaming_content)
    expected = io.BytesIO()
    options = {"annotator": "a"} if what == "ccb" else {}
    export_write(
        campaign=hand, what=what, stream=expected, format=format, scale="GRAMMAR", **options
    )
    assert body == expected.getvalue() != b""
    assert int(answer["Content-Length"]) == len(body)


def test_large_exports_are_made_by_a_worker(settings):
    settings.EXPORT_STREAM_ROWS = 2
    hand_campaign()
    client = client_of("dora")
    data = {"what": "judgments", "format": "csv"}
    assert client.post(f"{PAGE}new/", data).status_code == 302
    file = ExportFile.objects.get()
    address = f"{PAGE}{file.key}/"
    assert "every 2s" in html_of(client.get(PAGE))
    assert client.get(address).status_code == 404
    job_work("export", file.pk)
    file.refresh_from_db()
    page = html_of(client.get(PAGE))
    assert file.sha256 in page and "every 2s" not in page
    answer = client.get(address)
    size = len(b"".join(answer.streaming_content))
    assert size == file.size == int(answer["Content-Length"])


# The administrators' page of disks: sizes, and exported files that make room.


DISKS = "/overview/disk/"


def test_sizes_are_shown_and_exports_removed(django_capture_on_commit_callbacks):
    file = ExportFile.objects.create(
        campaign=make_campaign(items=1, cast=False),
        what="items",
        format="csv",
        status="done",
        rows=1,
        size=3,
        sha256="0" * 64,
        path="files/exports/made-for-a-test.csv",
    )
    stored = Path(file.stored)
    stored.parent.mkdir(parents=True, exist_ok=True)
    stored.write_text("id\n", "utf-8")
    client = client_of("adam")
    page = html_of(client.get(DISKS))
    assert "Remove 1 exported file" in page and "Database" in page
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(DISKS, follow=True)
    assert "1 exported file was removed." in html_of(answer) and not stored.exists()
    assert "Remove 0" not in html_of(client.get(DISKS))
    file.refresh_from_db()
    assert file.removed_at is not None
    assert AuditEntry.objects.get(verb="clear exports").data == {"files": 1}
    assert DISKS in html_of(client.get("/overview/"))
