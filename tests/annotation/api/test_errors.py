"""Refusals as JSON answers: always `{"code": ..., "detail": ...}`, with the data of the case."""

import errno

from rest_framework.test import APIClient

from annotation.http.errors import handle
from tests.annotation.place import refusal
from tests.annotation.tokens_asked import CAMPAIGNS
from tests.factories import make_campaign
from tests.paraanno.plain.sandbox.test_unreadable import raised_in_a_reader


def test_a_stranger_cannot_tell_a_campaign_from_none(login):
    make_campaign()
    charlie = login("charlie")
    hidden = charlie.get(f"{CAMPAIGNS}/camp")
    absent = charlie.get(f"{CAMPAIGNS}/nothing")
    assert refusal(hidden) == refusal(absent) == (404, "not_found")
    assert hidden.content == absent.content


def test_refusals_have_one_shape(login):
    make_campaign()
    alice = login("alice")
    for answer, *expected in (
        (APIClient().get(CAMPAIGNS), 401, "not_authenticated"),
        (alice.delete(f"{CAMPAIGNS}/camp"), 405, "method_not_allowed"),
        (login("vera").post(f"{CAMPAIGNS}/camp/close"), 403, "not_allowed"),
        (alice.get("/api/v1/nothing"), 404, "not_found"),
        (alice.post(CAMPAIGNS, b"{", content_type="application/json"), 400, "parse_error"),
        (alice.post(CAMPAIGNS, b"a", content_type="text/plain"), 415, "unsupported_media_type"),
    ):
        assert list(refusal(answer)) == expected and set(answer.json()) == {"code", "detail"}


def test_a_wrong_field_is_named(login):
    answer = login("alice").post(CAMPAIGNS, {"name": "No short name"})
    assert refusal(answer) == (400, "invalid")
    assert answer.json()["detail"] == "slug: This field is required."
    assert list(answer.json()["fields"]) == ["slug"]


def test_a_full_disk_is_told_wherever_it_is_met():
    answer = handle(OSError(errno.ENOSPC, "No space left on device"), {})
    assert answer is not None and answer.status_code == 507 and answer.data["code"] == "disk_full"


def test_a_file_that_no_reader_can_decode_is_refused_and_our_own_fault_is_not():
    answer = handle(raised_in_a_reader("b'\\xff'.decode()"), {})
    assert answer is not None and (answer.status_code, answer.data["code"]) == (400, "invalid")
    assert "cannot be read (invalid start byte)" in answer.data["detail"]
    assert handle(raised_in_a_reader("{}['a']"), {}) is None
