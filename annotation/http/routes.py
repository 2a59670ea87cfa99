"""Base classes of the API routes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import wraps
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from drf_spectacular.plumbing import force_instance
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework import serializers
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.throttling import AnonRateThrottle, BaseThrottle, UserRateThrottle
from rest_framework.views import APIView

from annotation.access import Rights, campaign_get
from annotation.models import Campaign

# What every route may refuse, in the OpenAPI schema.


NAME = "Refusal"
REFUSAL = {
    "type": "object",
    "description": "Why a request was refused; some refusals carry more, such as `fields`.",
    "properties": {
        "code": {"type": "string", "description": "For programs."},
        "detail": {"type": "string", "description": "For people, in their language."},
        "fields": {
            "type": "object",
            "additionalProperties": {},
            "description": "With the code `invalid`: what is wrong, by the name of the field.",
        },
    },
    "required": ["code", "detail"],
    "additionalProperties": {},
}
DESCRIPTIONS = {
    "400": "The request cannot be understood, or a value is out of bounds.",
    "401": "Not logged in, or the token is not valid (any more).",
    "403": "Logged in, but not allowed to do this.",
    "404": "It does not exist, or it is not for this user to see.",
    "406": "The route writes none of the accepted formats.",
    "409": "It contradicts what is stored.",
    "415": "The route does not read this format.",
    "429": "Too many requests: try again after `Retry-After` seconds.",
    "503": "The database is away: try again after `Retry-After` seconds.",
    "507": "The server has no room for the file.",
}
METHODS = ("get", "post", "put", "patch", "delete")


def add_refusals(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add to every operation the refusals that it may answer (a hook of drf-spectacular)."""
    result["components"]["schemas"][NAME] = REFUSAL
    for methods in result["paths"].values():
        for method in METHODS:
            if method in methods:
                responses = methods[method]["responses"]
                for status in _possible(method, methods[method]):
                    responses.setdefault(status, _response(status))
                    responses[status].setdefault("content", _content())
                methods[method]["responses"] = dict(sorted(responses.items()))
    return result


def _possible(method: str, operation: dict[str, Any]) -> list[str]:
    given = [one["in"] for one in operation.get("parameters", [])]
    body: dict[str, Any] = operation.get("requestBody", {}).get("content", {})
    codes = ["401", "403", "406", "429", "503"]
    if body or "query" in given:
        codes.append("400")
    if "path" in given or "query" in given:
        codes.append("404")
    if method != "get":
        # Every other method is parsed, whether or not the route reads a body.
        codes += ["400", "404", "409", "415"]
    if any(kind.startswith("multipart/") for kind in body):
        codes.append("507")
    return codes


def _response(status: str) -> dict[str, Any]:
    return {"description": DESCRIPTIONS[status]}


def _content() -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{NAME}"}}}


# A route takes the fields that its schema names: any other is refused by name, before anything is
# done.
#
# A field that nobody reads is a slip, such as `annotator_per_sheet`, and what it meant would
# silently not happen. What a route takes is read from the same declaration as the documentation of
# the API, so that neither can forget what the other says.


WRITING = ("post", "put", "patch", "delete")
OF_FORMS = "csrfmiddlewaretoken"  # Every form of a page has it.
SHOWN = 20  # unknown fields in one answer
# The names that a serializer takes, each with those below it; None: any.
Names = Mapping[str, Any] | None
Handler = Callable[..., Response]
_names: dict[tuple[type, str], Names] = {}


class KnownFieldsView(APIView):
    """A view whose writing methods refuse fields that they do not declare."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in WRITING:
            if name in cls.__dict__:
                setattr(cls, name, _refusing(cls.__dict__[name]))

    def checked(self, serializer: type[Serializer[Any]], **options: Any) -> dict[str, Any]:
        """Return the validated request body."""
        form = serializer(data=self.request.data, **options)
        form.is_valid(raise_exception=True)
        return dict(form.validated_data)


def _refusing(handler: Handler) -> Handler:
    @wraps(handler)
    def refusing(self: APIView, request: Request, *args: Any, **kwargs: Any) -> Response:
        try:
            data = request.data
        except UnsupportedMediaType:  # The handler says so, after whom it refuses.
            return handler(self, request, *args, **kwargs)
        unknown = list(unknown_fields(names_taken(self, str(request.method)), data))
        if unknown:
            raise serializers.ValidationError(dict(unknown[:SHOWN]))
        return handler(self, request, *args, **kwargs)

    return refusing


def names_taken(view: APIView, method: str) -> Names:
    """Return the names of the body that the method declares; none for one without a body."""
    place = (type(view), method)
    if place not in _names:
        _names[place] = _names_of(request_serializer(view, method))
    return _names[place]


def request_serializer(view: APIView, method: str) -> Any:
    """Return the serializer that the method declares for its body; None if it takes none."""
    if method == "DELETE":
        return None
    schema = getattr(type(view), method.lower()).kwargs["schema"]()
    schema.view, schema.method = view, method
    serializer = schema.get_request_serializer()
    return next(iter(serializer.values())) if isinstance(serializer, dict) else serializer


def _names_of(field: Any) -> Names:
    field = force_instance(field)
    if field is None:
        return {}
    if isinstance(field, (serializers.ListSerializer, serializers.ListField)):
        return _names_of(field.child)
    if isinstance(field, serializers.Serializer):
        taken = {name: one for name, one in field.fields.items() if not one.read_only}
        return {name: _names_of(one) for name, one in taken.items()}
    return None


def unknown_fields(names: Names, data: Any, place: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield the place of each field that is not known, with a sentence: `scales.0.nane`."""
    if names is None or isinstance(data, str):
        return
    if isinstance(data, list):
        for number, one in enumerate(data):
            yield from unknown_fields(names, one, f"{place}{number}.")
        return
    if not isinstance(data, Mapping):
        return
    form = isinstance(data, QueryDict)
    for name in data:
        if name in names:
            if not form:
                yield from unknown_fields(names[name], data[name], f"{place}{name}.")
        elif not (form and name == OF_FORMS):
            yield f"{place}{name}", [_unknown_field(str(name), names)]


def _unknown_field(name: str, names: Mapping[str, Any]) -> str:
    near = get_close_matches(name, names, n=1)
    if near:
        return _("There is no such field. Did you mean %(name)s?") % {"name": near[0]}
    return _("There is no such field.")


class Route(KnownFieldsView, GenericAPIView[Any]):
    """Any route of the API. `of_campaigns`: tokens with a scope may use it, because it asks
    annotation/access.py which campaign and which right."""

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


class CampaignRoute(Route):
    """A route of one campaign: 404 for non-members, 403 for members without the right.

    Reading needs `read_right` and everything else `write_right` (see annotation/access.py).
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


# API documentation: the OpenAPI schema, and a page that displays it.


schema = SpectacularAPIView.as_view()

# Swagger uses inline styles; its scripts are served by us, like all others.
docs = login_required(
    csp_update({"style-src": ["'unsafe-inline'"]})(
        SpectacularSwaggerSplitView.as_view(url_name="api-schema")
    )
)


# Rate limit of the sheet routes, per user.


WINDOW = 60  # seconds


def admitted(request: HttpRequest, user_pk: int) -> bool:
    """Count the request, once however often this is called, and say whether it is within the
    limit."""
    within_limit: bool | None = getattr(request, "within_limit", None)
    if within_limit is None:
        within_limit = _count(user_pk) <= settings.SHEET_REQUESTS_PER_MINUTE
        request.within_limit = within_limit  # type: ignore[attr-defined]
    return within_limit


def _count(user_pk: int) -> int:
    key = f"sheets-{user_pk}-{int(time.time()) // WINDOW}"
    cache.add(key, 0, timeout=2 * WINDOW)
    try:
        return cache.incr(key)
    except ValueError:
        return 0  # The cache was full and evicted the counter between the two calls.


class SheetThrottle(BaseThrottle):
    """Limit a user's requests per minute with one counter.

    It stops runaway programs, not people: an expert sends about a hundred requests a minute, and a
    browser that was offline about a hundred at once. A refused save stays in the browser's queue.
    """

    def allow_request(self, request: Request, view: APIView) -> bool:
        if request.user.pk is None:
            return True  # The permission class refuses the request.
        return admitted(request._request, request.user.pk)

    def wait(self) -> float:
        return WINDOW - time.time() % WINDOW


class AtWorkOut(serializers.Serializer[Any]):
    """What the rows of all kinds of work say while a worker is at it."""

    progress = serializers.FloatField(
        source="completed",
        read_only=True,
        allow_null=True,
        help_text="The share that is done, from 0 to 1; null: not known.",
    )
    seconds_left = serializers.IntegerField(
        read_only=True,
        allow_null=True,
        help_text="If the rest goes on as it did so far; null: not known.",
    )
