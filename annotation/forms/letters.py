"""Forms of the page of letters."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Letter


class LetterTestForm(forms.Form):
    """Where a test e-mail goes."""

    to = forms.EmailField(label=_("Send a test e-mail to"), max_length=254)


class LettersFilterForm(forms.Form):
    """Which letters are listed."""

    status = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("all")), *Letter.Status.choices]
    )
