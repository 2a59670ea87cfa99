"""Exported files do not stay for ever: a worker's timer removes the old ones."""

import os
import re
import time
from datetime import timedelta
from pathlib import Path

from django.urls import reverse
from django.utils import timezone

from paraanno.jobs.engine import job_work
from scoring.exports.services import exports_expire
from scoring.models import ExportFile
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import login


def test_a_file_whose_lifetime_is_over_can_be_made_again(settings):
    settings.EXPORT_STREAM_ROWS = 2
    hand_campaign()
    client = login("dora")

    def make(form):
        client.post(reverse("export-new", args=["hand"]), form)
        job_work("export", ExportFile.objects.latest("pk").pk)
        return ExportFile.objects.latest("pk")

    chosen = {"what": "matrix", "format": "tsv", "scale": "GRAMMAR"}
    file = make(chosen)
    made_at = timezone.now() - timedelta(days=settings.EXPORT_DAYS, minutes=1)
    ExportFile.objects.update(finished_at=made_at)
    assert file.stored.is_file() and not file.gone
    assert exports_expire() == 1 and exports_expire() == 0
    assert not file.stored.exists()
    address = reverse("export-file", args=["hand", file.key])
    page = client.get(reverse("exports", args=["hand"])).content.decode()
    assert address not in page
    answer = client.get(address)
    assert answer.status_code == 404 and "export it again" in answer.content.decode()
    removed = re.search(r"<form.*?</form>", page[page.index("Removed") :], re.S)
    again = dict(re.findall(r'type="hidden" name="(\w+)" value="(\w*)"', removed.group()))
    again.pop("csrfmiddlewaretoken", None)
    assert again == {**chosen, "annotator": ""}
    newest = make(again)
    assert newest.pk != file.pk and newest.options == file.options
    assert exports_expire() == 0 and newest.stored.is_file()


def test_what_no_row_needs_goes_by_its_own_age(settings):
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
