"""Files that metrics need: the list, giving one, watching its check, removing it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from scoring.models import Resource
from tests.clients import html_of
from tests.scoring.resources import VECTORS, files, upload

pytestmark = pytest.mark.usefixtures("data_dir")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "Choose a file"),
        ({"file": SimpleUploadedFile("v.txt", b"")}, "empty"),
        ({"kind": "pickle", "file": SimpleUploadedFile("v.txt", VECTORS)}, "pickle is not one"),
        ({"path": "/etc/passwd"}, "Choose a file"),
        ({"other": SimpleUploadedFile("v.txt", VECTORS)}, "Choose a file"),
    ],
)
def test_a_form_that_is_not_complete(owner, data_dir, fields, says):
    answer = owner.post("/resources/", {"kind": "vectors", **fields})
    assert answer.status_code == 422 and says in html_of(answer)
    assert not Resource.objects.exists() and files(data_dir) == []


def test_a_form_from_another_site_is_refused(owner, data_dir):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = owner.cookies
    assert upload(strict).status_code == 403
    assert not Resource.objects.exists() and files(data_dir) == []
