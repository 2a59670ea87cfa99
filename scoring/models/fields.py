"""Model fields used only by scoring."""

from __future__ import annotations

from typing import Any

from django.db import models

from paraanno.plain.sentence import revived, sentence_json


class OrderedJSONField(models.JSONField):
    """JSON whose keys keep their order.

    PostgreSQL's `jsonb` sorts keys, but the order of scales and systems in a report is meaningful;
    `json` keeps it.
    """

    def db_type(self, connection: Any) -> str | None:
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        # psycopg parses `json` itself; Django disables that only for `jsonb`.
        if not isinstance(value, str):
            return value
        return super().from_db_value(value, expression, connection)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """Cast to `json`: Django's cast to `jsonb` would lose the order."""
        if connection.vendor != "postgresql" or not isinstance(value, dict | list):
            return super().get_db_prep_value(value, connection, prepared)
        from psycopg.types.json import Json

        return Json(value)


class SentencesJSONField(OrderedJSONField):
    """The same, and sentences in it stay translatable: see `paraanno.plain.sentence`."""

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Migrations see an OrderedJSONField, because the columns are the same."""
        name, _, args, options = super().deconstruct()
        path = f"{OrderedJSONField.__module__}.{OrderedJSONField.__qualname__}"
        return name, path, args, options

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return revived(super().from_db_value(value, expression, connection))

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        return super().get_db_prep_value(sentence_json(value), connection, prepared)
