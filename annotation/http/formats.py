"""Bodies of requests."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import parsers
from rest_framework.exceptions import ParseError
from rest_framework.metadata import SimpleMetadata
from rest_framework.pagination import CursorPagination, PageNumberPagination
from rest_framework.request import Request


class JSONParser(parsers.JSONParser):
    """Django REST framework's, which takes JSON that is nested too deep for a fault of ours."""

    def parse(self, *args: Any, **options: Any) -> Any:
        try:
            return super().parse(*args, **options)
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deep: make it flatter.")) from error


# The answer to OPTIONS.


class Described(SimpleMetadata):
    """What the route is and which formats it reads and writes.

    The fields of its bodies are in the OpenAPI schema: Django REST framework would list those of a
    route's one serializer, and most routes here have several, or none.
    """

    def determine_metadata(self, request: Request, view: Any) -> dict[str, Any]:
        return {
            "name": view.get_view_name(),
            "description": view.get_view_description(),
            "renders": [renderer.media_type for renderer in view.renderer_classes],
            "parses": [parser.media_type for parser in view.parser_classes],
        }


# Pagination of lists.


class Pages(PageNumberPagination):
    """`?page=2&page_size=500`; at most 1,000 rows a page."""

    page_size_query_param = "page_size"
    max_page_size = 1000


class Stream(CursorPagination):
    """Cursor pagination for lists of any length: follow `next`. Every page costs the same, and
    rows added in the meantime cause no duplicates or gaps.
    """

    ordering = "pk"
    page_size = 500
    page_size_query_param = "page_size"
    max_page_size = 5000
