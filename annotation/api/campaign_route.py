"""Base classes of the API routes."""

from __future__ import annotations

from typing import Any

from rest_framework.generics import GenericAPIView
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from annotation.api.known_fields import KnownFieldsView
from annotation.models import Campaign
from annotation.selectors.access import Rights, campaign_get
from annotation.services.accounts.confirming import confirmed_or_refused


class Route(KnownFieldsView, GenericAPIView[Any]):
    """Any route of the API. `of_campaigns`: tokens with a scope may use it, because it asks
    selectors/access.py which campaign and which right."""

    of_campaigns = False
    throttle_classes = [AnonRateThrottle, UserRateThrottle]
    filter_serializer: type[Serializer[Any]] | None = None

    def filters(self) -> dict[str, Any]:
        """Return the validated query parameters that the route declares, without absent ones."""
        if self.filter_serializer is None:
            raise TypeError(f"{type(self).__name__} declares no filters")
        serializer = self.filter_serializer(data=self.request.query_params)
        serializer.is_valid(raise_exception=True)
        return {name: value for name, value in serializer.validated_data.items() if value != ""}

    def confirmed(self) -> None:
        """Raise ConfirmFirst for a browser's session without a recent login; a token was made by
        somebody who confirmed who they are."""
        if self.request.auth is None:
            confirmed_or_refused(self.request._request)

    def checked(self, serializer: type[Serializer[Any]], **options: Any) -> dict[str, Any]:
        """Return the validated request body."""
        form = serializer(data=self.request.data, **options)
        form.is_valid(raise_exception=True)
        return dict(form.validated_data)


class CampaignRoute(Route):
    """A route of one campaign: 404 for non-members, 403 for members without the right.

    Reading needs `read_right` and everything else `write_right` (see selectors/access.py).
    """

    of_campaigns = True
    read_right = "read"
    write_right = "research"
    campaign: Campaign
    rights: Rights

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        right = self.read_right if request.method in SAFE_METHODS else self.write_right
        self.campaign, self.rights = campaign_get(
            user=request.user, slug=kwargs["slug"], right=right
        )
