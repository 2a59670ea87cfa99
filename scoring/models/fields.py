"""Columns that scoring alone needs."""

from __future__ import annotations

from typing import Any

from django.db import models


class OrderedJSONField(models.JSONField):
    """JSON whose keys keep their order.

    PostgreSQL's `jsonb` sorts keys, and a report lists scales and systems in the order that its
    readers expect; `json` keeps the text as it is.
    """

    def db_type(self, connection: Any) -> str | None:
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        # psycopg parses `json` by itself; Django takes that away from it for `jsonb` only.
        if not isinstance(value, str):
            return value
        return super().from_db_value(value, expression, connection)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """As `json`: by way of `jsonb`, which Django takes, the order would be lost again."""
        if connection.vendor != "postgresql" or not isinstance(value, dict | list):
            return super().get_db_prep_value(value, connection, prepared)
        from psycopg.types.json import Json

        return Json(value)
