"""The documentation is read without a login, and nothing but it."""

import pytest
from django.test import Client

from tests.clients import text_of


@pytest.mark.parametrize("path", ["rooms", "rooms.md", "metrics/bleu"])
def test_pages_are_read_by_everybody(path):
    answer = Client().get(f"/docs/{path}")
    assert answer.status_code == 200 and "<article" in answer.content.decode()


def test_all_pages_are_listed():
    page = text_of(Client().get("/docs/"))
    assert "Run a study: where the pages are" in page and "BLEU" in page


def test_pictures_come_with_their_type():
    answer = Client().get("/docs/images/rating.png")
    assert answer["Content-Type"] == "image/png" and answer["Cache-Control"].startswith("max-age")
    assert b"".join(answer.streaming_content)[1:4] == b"PNG"


@pytest.mark.parametrize(
    "path",
    [
        "none",
        "../manage.py",
        "..%2Fmanage.py",
        "%2e%2e/README",
        "images/..%2F..%2Fmanage.py",
        "images/none.png",
        "design-system.css",
    ],
)
def test_what_is_no_page_is_not_found(path):
    assert Client().get(f"/docs/{path}").status_code == 404
