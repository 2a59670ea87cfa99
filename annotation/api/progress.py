"""How far work is, in the answers of the routes that wait for workers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class ProgressOut(serializers.Serializer[Any]):
    """What the rows of all kinds of work say while a worker is at it."""

    progress = serializers.FloatField(
        source="completed", read_only=True, allow_null=True,
        help_text="The share that is done, from 0 to 1; null: not known.",
    )  # fmt: skip
    seconds_left = serializers.IntegerField(
        read_only=True, allow_null=True,
        help_text="If the rest goes on as it did so far; null: not known.",
    )  # fmt: skip
