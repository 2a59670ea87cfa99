"""Forms about accounts: deleting one, and looking through the log of the site."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.presenters.log import VERBS, WITH_PARTS, log_verb
from annotation.selectors.accounts.log import LogAsked


class DeleteAccountForm(forms.Form):
    """The name as it is typed."""

    typed = forms.CharField(
        label=gettext_lazy("Name of the account"), max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user = user

    def clean_typed(self) -> str:
        typed = str(self.cleaned_data["typed"]).strip()
        if typed != self.user.username:
            raise forms.ValidationError(
                _("Type the name %(name)s to delete the account.") % {"name": self.user.username}
            )
        return typed


class LogForm(forms.Form):
    """Which entries of the log are shown; empty fields leave all."""

    who = forms.CharField(label=gettext_lazy("Login"), max_length=150, required=False)
    verb = forms.ChoiceField(label=gettext_lazy("What was done"), required=False)
    campaign = forms.SlugField(
        label=gettext_lazy("Short name of the campaign"), max_length=60, required=False
    )
    first = forms.DateField(
        label=gettext_lazy("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    last = forms.DateField(
        label=gettext_lazy("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        verbs = sorted({str(verb) for verb in (*VERBS, *WITH_PARTS)})
        named = [("", _("everything")), *((verb, log_verb(verb)) for verb in verbs)]
        self.fields["verb"].choices = named  # type: ignore[attr-defined]

    def asked(self) -> LogAsked:
        """What is looked for; a field with a fault asks for nothing."""
        data = {name: value for name, value in self.cleaned_data.items() if value}
        return LogAsked(**data)
