"""Every route of a campaign: who gets in, and what it makes of queries and bodies."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from rest_framework.exceptions import ValidationError
from rest_framework.test import APIRequestFactory

from annotation.api.campaign_route import CampaignRoute, Route
from annotation.api.serializers import ItemFilterIn, ThresholdIn
from annotation.errors import NotAllowed, NotFound
from tests.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db
ASKED = APIRequestFactory()


def route(path: str = "/", **options: object) -> Route:
    made = Route(**options)
    made.setup(ASKED.get(path))
    made.request = made.initialize_request(made.request)
    return made


def test_absent_and_empty_filters_are_left_out() -> None:
    asked = route("/?text=&system=S0&unknown=1", filter_serializer=ItemFilterIn)
    assert asked.filters() == {"system": "S0"}
    with pytest.raises(ValidationError):
        route("/?role=unheard", filter_serializer=ItemFilterIn).filters()
    with pytest.raises(TypeError, match="declares no filters"):
        route().filters()


def test_a_body_is_checked() -> None:
    def checked(body: dict[str, str]) -> dict[str, Any]:
        asked = route()
        asked.request = asked.initialize_request(ASKED.put("/", body, format="json"))
        return asked.checked(ThresholdIn)

    assert checked({"threshold": "2.5"}) == {"threshold": 2.5}
    with pytest.raises(ValidationError):
        checked({})


def begin(name: str, method: str, slug: str = "camp") -> CampaignRoute:
    """As far as the check of rights; throttles have tests of their own."""
    made = CampaignRoute(throttle_classes=[], permission_classes=[])
    request = ASKED.generic(method, "/")
    made.setup(request, slug=slug)
    asked = made.initialize_request(request)
    asked.user = make_user(name) if name else AnonymousUser()
    made.initial(asked, slug=slug)
    return made


def test_reading_and_writing_need_rights_of_their_own() -> None:
    campaign = make_campaign(items=1)
    for method in ("GET", "HEAD", "OPTIONS"):
        assert begin("vera", method).campaign == campaign
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert begin("dora", method).rights.research
        with pytest.raises(NotAllowed):
            begin("vera", method)
    with pytest.raises(NotAllowed):
        begin("bob", "GET")
    for name, slug in (("charlie", "camp"), ("", "camp"), ("vera", "nowhere")):
        with pytest.raises(NotFound):
            begin(name, "GET", slug)
