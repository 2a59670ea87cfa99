"""The answer to OPTIONS."""

from __future__ import annotations

from typing import Any

from rest_framework.metadata import SimpleMetadata
from rest_framework.request import Request


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
