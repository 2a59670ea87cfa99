"""Exports by page: small ones at once and whole, large ones by a worker."""

import io

import pytest

from paraanno.jobs.engine import job_work
from scoring.exports.services import export_write
from scoring.models import ExportFile
from tests.clients import client_of, html_of
from tests.scoring.selectors.ratings.hand import hand_campaign

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
