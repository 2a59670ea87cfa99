"""Counting stops who tries too often, and nobody else."""

import pytest
from django.test import RequestFactory

from annotation.accounts import login
from annotation.accounts.login import count, sender_of
from annotation.errors import TooManyFailures


def test_beyond_the_most_it_is_refused_until_the_window_ends(
    monkeypatch,
):
    monkeypatch.setattr(login.time, "time", lambda: 1000.0)
    for _ in range(2):
        count("knocks", "a", most=2, seconds=60)
    with pytest.raises(TooManyFailures):
        count("knocks", "a", most=2, seconds=60)
    count("knocks", "b", most=2, seconds=60)
    monkeypatch.setattr(login.time, "time", lambda: 1080.0)
    count("knocks", "a", most=2, seconds=60)


def test_the_sender_is_no_header_that_anybody_may_write():
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1", HTTP_X_FORWARDED_FOR="192.0.2.9")
    assert sender_of(request) == "192.0.2.1"
