"""A route takes the fields that its schema names: any other is refused by name, before anything is
done.

A field that nobody reads is a slip, such as `annotator_per_sheet`, and what it meant would silently
not happen. What a route takes is read from the same declaration as the documentation of the API,
so that neither can forget what the other says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import wraps
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from drf_spectacular.plumbing import force_instance
from rest_framework import serializers
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

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
    found = schema.get_request_serializer()
    return next(iter(found.values())) if isinstance(found, dict) else found


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
            yield f"{place}{name}", [_said(str(name), names)]


def _said(name: str, names: Mapping[str, Any]) -> str:
    near = get_close_matches(name, names, n=1)
    if near:
        return _("There is no such field. Did you mean %(name)s?") % {"name": near[0]}
    return _("There is no such field.")
