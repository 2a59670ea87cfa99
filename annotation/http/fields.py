"""Fields and forms that areas share; fields of routes that say who may use something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from annotation.access import ScopeChoice


def plain(value: float | None) -> str:
    """Format 5.0 as 5; None as an empty string."""
    return "" if value is None else f"{value:g}"


class FoldedForm(forms.Form):
    """A form whose first fields are asked; the others have answers that mostly stay, and are folded
    away."""

    FIRST = 2

    @property
    def first(self) -> list[forms.BoundField]:
        return self.visible_fields()[: self.FIRST]

    @property
    def others(self) -> list[forms.BoundField]:
        return self.visible_fields()[self.FIRST :]

    @property
    def others_wrong(self) -> bool:
        return any(field.errors for field in self.others)


# The question who may use what somebody adds.


class ScopeField(forms.ChoiceField):
    """The field; `scope_offer` fills in its choices. The first is meant where nothing is sent."""

    meant = ""

    def __init__(self) -> None:
        super().__init__(
            label=_("Who may use it"),
            help_text=_(
                "It can be changed later. What is made of a campaign’s texts stays with it."
            ),
        )

    def clean(self, value: Any) -> Any:
        return super().clean(value or self.meant)


def scope_offer(form: forms.Form, choices: Sequence[ScopeChoice]) -> None:
    """Offer these; the first is the default."""
    field = form.fields["scope"]
    assert isinstance(field, ScopeField)  # noqa: S101
    field.choices = [(one.value, one.label) for one in choices]
    field.meant = choices[0].value


# Whose something is and who may use it: fields of what people made.


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
