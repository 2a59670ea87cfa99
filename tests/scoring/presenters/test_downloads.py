"""Exports as responses."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from contextlib import closing
from typing import Any, cast

import pytest
from django.http import FileResponse
from django.utils import timezone

from annotation.errors import NotFound
from scoring.models import ExportFile
from scoring.presenters.downloads import finished_file, small_file
from scoring.services.reports.exports import export_make, export_order
from tests.scoring.selectors.ratings.hand import hand_campaign

pytestmark = pytest.mark.django_db
USUAL: dict[str, Any] = {"scale": None, "annotator": None}


def headers(answer: FileResponse) -> tuple[str, str, bytes]:
    """Type, name and content."""
    with closing(answer):
        content = b"".join(cast("Iterator[bytes]", answer.streaming_content))
        return answer["Content-Type"], answer["Content-Disposition"], content


@pytest.mark.parametrize(
    ("format", "kind"),
    [("csv", "text/csv; charset=utf-8"), ("jsonl", "application/jsonl; charset=utf-8")],
)
def test_a_small_file_has_a_name_and_a_type(format: str, kind: str) -> None:
    answer = small_file(campaign=hand_campaign(), what="items", format=format, **USUAL)
    *said, content = headers(answer)
    assert said == [kind, f'attachment; filename="hand-items.{format}"'] and content


def test_a_zip_has_no_character_set() -> None:
    answer = small_file(campaign=hand_campaign(), what="paper", format="zip", **USUAL)
    assert headers(answer)[0] == "application/zip"


@pytest.mark.parametrize(
    ("method", "name"),
    [(None, "hand-gold.csv"), ("mean", "hand-gold.csv"), ("median", "hand-gold-median.csv")],
)
def test_gold_is_named_by_its_method(method: str | None, name: str) -> None:
    campaign = hand_campaign()
    answer = small_file(campaign=campaign, what="gold", format="csv", method=method, **USUAL)
    assert headers(answer)[1] == f'attachment; filename="{name}"'


@pytest.fixture
def made() -> ExportFile:
    campaign = hand_campaign()
    file = export_order(campaign=campaign, actor=None, what="items", format="csv")
    export_make(export_pk=file.pk)
    file.refresh_from_db()
    return file


def test_a_finished_file_carries_its_checksum(made: ExportFile) -> None:
    answer = finished_file(campaign=made.campaign, file=made)
    _, name, content = headers(answer)
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
    assert answer["Repr-Digest"] == f"sha-256=:{digest}:"
    assert name == 'attachment; filename="hand-items.csv"'


def test_a_file_that_is_gone_is_not_found(made: ExportFile) -> None:
    made.stored.unlink()
    with pytest.raises(NotFound, match="export it again"):
        finished_file(campaign=made.campaign, file=made)


def test_a_file_that_was_removed_is_not_found(made: ExportFile) -> None:
    made.removed_at = timezone.now()
    with pytest.raises(NotFound, match="export it again"):
        finished_file(campaign=made.campaign, file=made)
