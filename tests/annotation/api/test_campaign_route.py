"""What routes make of queries and bodies; who gets in: tests/site/permissions."""

import pytest
from rest_framework.exceptions import ValidationError
from rest_framework.test import APIRequestFactory

from annotation.campaigns.serializers import ItemFilterIn
from annotation.http.routes import Route

ASKED = APIRequestFactory()


def route(path="/", **options):
    made = Route(**options)
    made.setup(ASKED.get(path))
    made.request = made.initialize_request(made.request)
    return made


def test_absent_and_empty_filters_are_left_out():
    asked = route("/?text=&system=S0&unknown=1", filter_serializer=ItemFilterIn)
    assert asked.filters() == {"system": "S0"}
    with pytest.raises(ValidationError):
        route("/?role=unheard", filter_serializer=ItemFilterIn).filters()
    with pytest.raises(TypeError, match="declares no filters"):
        route().filters()
