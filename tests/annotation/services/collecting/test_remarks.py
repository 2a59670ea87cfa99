"""Flags and comments: rows are only added, and the newest on a place stands."""

from __future__ import annotations

from uuid import uuid4

import pytest

from annotation.errors import Invalid, NotFound
from annotation.models import Remark
from tests.annotation.services.collecting.said import say
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db


def test_the_same_request_is_kept_once(place) -> None:
    bob, sheet = place
    request = uuid4()
    assert say(bob, sheet, "odd", request=request) == say(bob, sheet, "odd", request=request)
    assert Remark.objects.count() == 1


def test_only_on_ones_own_sheet_and_not_without_end(place) -> None:
    bob, sheet = place
    stranger = make_annotator(bob.campaign, "ben")
    with pytest.raises(NotFound):
        say(stranger, sheet, "hello")
    with pytest.raises(NotFound):
        say(bob, sheet, "hello", about=uuid4())
    with pytest.raises(Invalid):
        say(bob, sheet, "x" * 5001)
    assert not Remark.objects.exists()
