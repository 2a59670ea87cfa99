"""Refusals as pages with their sentence; other errors are not hidden."""

import errno

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.test import RequestFactory

from annotation.errors import Incomplete, Invalid, NotAllowed, NotFound
from annotation.http.errors import DomainErrorMiddleware
from tests.clients import text_of
from tests.paraanno.plain.sandbox.test_unreadable import raised_in_a_reader


def page_of(error):
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    return DomainErrorMiddleware(lambda _: HttpResponse()).process_exception(request, error)


@pytest.mark.parametrize(
    ("error", "status", "title"),
    [
        (NotFound("Said."), 404, "Not found"),
        (NotAllowed("Said."), 403, "Not allowed"),
        (Incomplete("Said."), 409, "Not possible now"),
        (Invalid("<b>Said.</b>"), 400, "That does not work"),
    ],
)
def test_a_refusal_is_a_page_with_its_sentence(error, status, title):
    page = page_of(error)
    assert page is not None and page.status_code == status
    assert title in text_of(page) and "Said." in text_of(page)
    assert b"<b>Said" not in page.content


def test_a_full_disk_is_told_wherever_it_is_met():
    page = page_of(OSError(errno.ENOSPC, "No space left on device"))
    assert page is not None and page.status_code == 507 and "disk is full" in text_of(page)
    for fault in (OSError(errno.EACCES, "Permission denied"), ValueError("Said.")):
        assert page_of(fault) is None


def test_a_file_that_no_reader_can_decode_is_a_page_with_a_sentence():
    page = page_of(raised_in_a_reader("b'\\xff'.decode()"))
    assert page.status_code == 400 and "cannot be read (invalid start byte)" in text_of(page)
    assert page_of(raised_in_a_reader("{}['a']")) is None
