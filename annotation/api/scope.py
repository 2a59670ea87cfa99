"""Whose something is and who may use it: fields of what people made."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

SCOPE = "Who may use it: mine (default), site, or campaign:SLUG."


def scope_in() -> serializers.CharField:
    """The field of a request that adds something."""
    return serializers.CharField(required=False, default="", max_length=100, help_text=SCOPE)


class ScopeIn(serializers.Serializer[Any]):
    """Who may use it."""

    scope = serializers.CharField(max_length=100, help_text=SCOPE)


class ScopeOut(serializers.Serializer[Any]):
    """`campaign` is its short name if that is the scope; what is `bound` came from texts of that
    campaign, and its scope never changes."""

    scope = serializers.CharField()
    campaign = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True, allow_null=True)
    bound = serializers.BooleanField()
    owner = serializers.CharField(
        source="created_by.username", default=None, allow_null=True, help_text="Their name."
    )


SCOPE_FIELDS = ["scope", "campaign", "bound", "owner"]
