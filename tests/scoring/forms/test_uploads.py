"""Large uploads: counted and hashed while they come, and refused without a trace."""

import hashlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from scoring.models import Resource
from scoring.resources.api import ResourceUpload
from tests.clients import html_of
from tests.scoring.resources import LARGE, VECTORS, files, full_disk, upload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


def test_an_upload_without_room_leaves_nothing(owner, data_dir, monkeypatch):
    receive = ResourceUpload.receive_data_chunk

    def without_room(self, raw, start):
        with full_disk():
            receive(self, raw, start)

    monkeypatch.setattr(ResourceUpload, "receive_data_chunk", without_room)
    answer = upload(owner, LARGE)
    why = "The server’s disk is full: free some space, then do this again."
    assert answer.status_code == 422 and why in html_of(answer)
    assert not Resource.objects.exists() and files(data_dir) == []


def test_a_file_over_the_limit_is_refused_while_it_comes(owner, data_dir, settings, monkeypatch):
    settings.RESOURCE_MAX_BYTES = 2**20
    with monkeypatch.context() as patched:
        patched.setattr(ResourceUpload, "file_complete", lambda *_: pytest.fail("taken whole"))
        answer = upload(owner, b"x" * (2**20 + 1))
    assert answer.status_code == 422 and "larger than 1 MB" in html_of(answer)
    assert not Resource.objects.exists() and files(data_dir) == []
    assert upload(owner, b"x" * 2**20).status_code == 200
    assert Resource.objects.get().size == 2**20


def test_no_other_file_of_the_form_is_taken(owner, data_dir):
    file, other = SimpleUploadedFile("v.txt", VECTORS), SimpleUploadedFile("other.txt", LARGE)
    owner.post("/resources/", {"kind": "vectors", "file": file, "other": other})
    assert Resource.objects.get().sha256 == hashlib.sha256(VECTORS).hexdigest()
    assert files(data_dir) == [Resource.objects.get().source]
