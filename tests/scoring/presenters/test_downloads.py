"""Exports as responses."""

import base64
import hashlib
from collections.abc import Iterator
from contextlib import closing
from typing import cast

import pytest
from django.utils import timezone

from annotation.errors import NotFound
from paraanno.jobs.engine import job_work
from scoring.exports.services import export_order
from scoring.exports.views import finished_file, small_file
from tests.scoring.hand import hand_campaign

pytestmark = pytest.mark.django_db


def headers(answer):
    """Type, name and content."""
    with closing(answer):
        content = b"".join(cast("Iterator[bytes]", answer.streaming_content))
        return answer["Content-Type"], answer["Content-Disposition"], content


@pytest.mark.parametrize(
    ("what", "format", "method", "kind", "name"),
    [
        ("items", "csv", None, "text/csv; charset=utf-8", "hand-items.csv"),
        ("items", "jsonl", None, "application/jsonl; charset=utf-8", "hand-items.jsonl"),
        ("paper", "zip", None, "application/zip", "hand-paper.zip"),
        ("gold", "csv", "mean", "text/csv; charset=utf-8", "hand-gold.csv"),
        ("gold", "csv", "median", "text/csv; charset=utf-8", "hand-gold-median.csv"),
    ],
)
def test_a_small_file_has_a_name_and_a_type(what, format, method, kind, name):
    answer = small_file(
        campaign=hand_campaign(),
        what=what,
        format=format,
        method=method,
        scale=None,
        annotator=None,
    )
    *about, content = headers(answer)
    assert about == [kind, f'attachment; filename="{name}"'] and content


@pytest.fixture
def made():
    campaign = hand_campaign()
    file = export_order(campaign=campaign, actor=None, what="items", format="csv")
    job_work("export", file.pk)
    file.refresh_from_db()
    return file


def test_a_finished_file_carries_its_checksum(made):
    answer = finished_file(campaign=made.campaign, file=made)
    _, name, content = headers(answer)
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
    assert answer["Repr-Digest"] == f"sha-256=:{digest}:"
    assert name == 'attachment; filename="hand-items.csv"'


@pytest.mark.parametrize("removed", [True, False])
def test_a_file_that_was_removed_or_is_gone_is_not_found(made, removed):
    if removed:
        made.removed_at = timezone.now()
    else:
        made.stored.unlink()
    with pytest.raises(NotFound, match="export it again"):
        finished_file(campaign=made.campaign, file=made)
