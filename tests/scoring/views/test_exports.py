"""Exports by page: small ones at once and whole, large ones by a worker."""

import io

import pytest

from scoring.exports.services import export_write
from tests.clients import client_of

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
