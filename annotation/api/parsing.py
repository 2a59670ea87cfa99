"""Bodies of requests."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import parsers
from rest_framework.exceptions import ParseError


class JSONParser(parsers.JSONParser):
    """Django REST framework's, which takes JSON that is nested too deep for a fault of ours."""

    def parse(self, *args: Any, **options: Any) -> Any:
        try:
            return super().parse(*args, **options)
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deep: make it flatter.")) from error
