"""Files that metrics need: the list, giving one, watching its check, removing it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from scoring.models import Resource
from tests.factories import make_annotator, make_campaign, make_user
from tests.scoring.services.resources.parts import (
    VECTORS,
    files,
    logged_in,
    upload,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Choose a file"),
        ({"file": SimpleUploadedFile("v.txt", b"")}, "empty"),
        ({"kind": "pickle", "file": SimpleUploadedFile("v.txt", VECTORS)}, "pickle is not one"),
        ({"path": "/etc/passwd"}, "Choose a file"),
        ({"other": SimpleUploadedFile("v.txt", VECTORS)}, "Choose a file"),
    ],
)
def test_a_form_that_is_not_complete(
    owner: Client, data_dir: Path, fields: dict[str, Any], said: str
) -> None:
    answer = owner.post("/resources/", {"kind": "vectors", **fields})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Resource.objects.exists() and files(data_dir) == []


def test_a_form_from_another_site_is_refused(owner: Client, data_dir: Path) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = owner.cookies
    assert upload(strict).status_code == 403
    assert not Resource.objects.exists() and files(data_dir) == []


def test_only_researchers_find_the_page(owner: Client) -> None:
    campaign = make_campaign("else", items=1, open_it=False)
    annotator = logged_in(make_annotator(campaign, "ann").user)
    for client, status in ((owner, 200), (annotator, 404), (logged_in(make_user("eve")), 404)):
        assert client.get("/resources/").status_code == status
        assert ('href="/resources/"' in client.get("/").content.decode()) == (status == 200)
    assert upload(annotator).status_code == 404
    assert not Resource.objects.exists()
