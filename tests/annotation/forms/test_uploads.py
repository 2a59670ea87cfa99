"""A full disk is not told as a file that was not sent."""

import errno

import pytest
from django.core.files.uploadedfile import TemporaryUploadedFile

from annotation.models import ImportJob
from tests.clients import client_of, upload
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db
LARGE = b"sentence\n" + b"A text.\n" * 400_000  # 3 MB: beyond what is kept in memory


@pytest.mark.once  # The database holds no file.
@pytest.mark.parametrize("fails", ["opening", "writing", "flushing"])
def test_an_upload_that_finds_no_room_is_507(fails, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    class Full(TemporaryUploadedFile):
        def __init__(self, *args, **options):
            if fails == "opening":
                full()
            super().__init__(*args, **options)
            setattr(self.file, "write" if fails == "writing" else "flush", full)

    make_campaign()
    monkeypatch.setattr("django.core.files.uploadhandler.TemporaryUploadedFile", Full)
    client = client_of("dora")
    for address, more in (
        ("/api/v1/campaigns/camp/imports/items", {}),
        ("/c/camp/import/", {"what": "items"}),
    ):
        file = upload("items.csv", LARGE)
        answer = client.post(address, {**more, "file": file})
        assert answer.status_code == 507, answer.content
        assert "disk is full" in answer.content.decode()
    assert not ImportJob.objects.exists()
