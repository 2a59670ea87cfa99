"""The question who may use what somebody adds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.selectors.scope import ScopeChoice


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
