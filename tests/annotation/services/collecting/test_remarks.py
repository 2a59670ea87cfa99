"""Flags and comments: rows are only added, and the newest on a place stands."""

from uuid import uuid4

import pytest

from annotation.errors import Invalid, NotFound
from annotation.models import Remark
from tests.annotation.services.collecting.said import say


def test_the_same_request_is_kept_once(place):
    request = uuid4()
    assert say(*place, "odd", request=request) == say(*place, "odd", request=request)
    assert Remark.objects.count() == 1


def test_only_on_texts_of_the_sheet_and_not_without_end(place):
    with pytest.raises(NotFound):
        say(*place, "hello", about=uuid4())
    with pytest.raises(Invalid):
        say(*place, "x" * 5001)
    assert not Remark.objects.exists()
