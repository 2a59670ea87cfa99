"""The administrators' page of disks: sizes, and exported files that make room."""

from pathlib import Path

from annotation.models import AuditEntry
from scoring.models import ExportFile
from tests.clients import client_of, html_of
from tests.factories import make_campaign

PAGE = "/overview/disk/"


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
    stored.write_text("id\n", encoding="utf-8")
    client = client_of("adam")
    page = html_of(client.get(PAGE))
    assert "Remove 1 exported file" in page and "Database" in page
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(PAGE, follow=True)
    assert "1 exported file was removed." in html_of(answer) and not stored.exists()
    assert "Remove 0" not in html_of(client.get(PAGE))
    file.refresh_from_db()
    assert file.removed_at is not None
    assert AuditEntry.objects.get(verb="clear exports").data == {"files": 1}
    assert PAGE in html_of(client.get("/overview/"))
