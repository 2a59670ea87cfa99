"""The administrators' page of disks: sizes, and exported files that make room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from annotation.models import AuditEntry
from scoring.models import ExportFile
from tests.clients import client_of
from tests.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


def test_sizes_are_shown_and_exports_removed_by_administrators_alone(
    django_capture_on_commit_callbacks: Any,
) -> None:
    campaign = make_campaign(items=1, cast=False)
    file = ExportFile.objects.create(
        campaign=campaign, what="items", format="csv", status="done", rows=1, size=3,
        sha256="0" * 64, path="files/exports/made-for-a-test.csv", created_by=make_user("alice"),
    )  # fmt: skip
    stored = Path(file.stored)
    stored.parent.mkdir(parents=True, exist_ok=True)
    stored.write_text("id\n", encoding="utf-8")
    assert client_of("alice").post(reverse("disk")).status_code == 404 and stored.exists()
    make_user("root", is_superuser=True)
    client = client_of("root")
    page = client.get(reverse("disk")).content.decode()
    assert "Remove 1 exported file" in page and "Database" in page
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(reverse("disk"), follow=True)
    assert "1 exported file was removed." in answer.content.decode() and not stored.exists()
    assert "Remove 0" not in client.get(reverse("disk")).content.decode()
    file.refresh_from_db()
    assert file.removed_at is not None
    assert AuditEntry.objects.get(verb="clear exports").data == {"files": 1}
    assert reverse("disk") in client.get(reverse("overview")).content.decode()
