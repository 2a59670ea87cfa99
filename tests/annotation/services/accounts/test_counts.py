"""Counting stops who tries too often, and nobody else."""

import pytest

from annotation.accounts import login
from annotation.accounts.login import count
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
