"""Forms of logins and accounts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from annotation.accounts.audit_log import VERBS, WITH_PARTS, LogAsked, log_verb

WRONG = {
    "password": _("The password is not right."),
    "mailed": _("The code is not right, or it is older than ten minutes."),
    "code": _("The code is not right, or was used before."),
}


class CodeForm(forms.Form):
    """A code of the second factor."""

    code = forms.CharField(
        label=pgettext_lazy("second factor", "Code"),
        max_length=40,
        help_text=_("The six digits that your app shows now, or a recovery code."),
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )


class ConfirmForm(CodeForm):
    """Shows whose account it is. It has the fields of `checks`, which say whether a value is
    right, in this order."""

    prefix = "confirm"

    password = forms.CharField(
        label=_("Your password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        strip=False,
    )
    mailed = forms.CharField(
        label=_("Code from the e-mail"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )
    field_order = ["password", "mailed", "code"]

    def __init__(
        self,
        *args: Any,
        checks: Mapping[str, Callable[[str], bool]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.checks = checks
        for name in set(self.fields) - set(checks):
            del self.fields[name]
        for field in [*self.fields.values()][:1]:
            field.widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        """Ask for the codes of the second factor last: each try of one counts."""
        data = super().clean() or self.cleaned_data
        for name, check in self.checks.items():
            if self.errors:
                break
            if not check(str(data[name])):
                self.add_error(name, WRONG[name])
        return data


class FactorForm(forms.Form):
    """The first code of a new second factor."""

    code = forms.CharField(
        label=pgettext_lazy("second factor", "Code"),
        max_length=12,
        help_text=_("The six digits that the app shows now."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )


class EmailForm(forms.Form):
    """Another e-mail address of one's own."""

    email = forms.EmailField(label=_("New e-mail address"), max_length=254)


class ResetAskForm(forms.Form):
    """Whose password is forgotten."""

    email = forms.EmailField(
        label=_("E-mail"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class UserEmailForm(forms.Form):
    """Somebody's e-mail address, set by an administrator."""

    email = forms.EmailField(label=_("E-mail"), max_length=254, required=False)


class UsersFilterForm(forms.Form):
    """What the list of accounts shows."""

    q = forms.CharField(label=_("Name or e-mail"), required=False, max_length=100)
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[
            ("", _("all")),
            ("active", _("active")),
            ("disabled", _("disabled")),
            ("never", _("never logged in")),
            ("crowd", _("of crowd platforms")),
        ],
    )
    right = forms.ChoiceField(
        label=_("Rights"),
        required=False,
        choices=[
            ("", _("all")),
            ("admin", _("administrators")),
            ("create", _("may create campaigns")),
            ("factor", _("with a second factor")),
        ],
    )


# Looking through the log of the site.


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
        named = [("", gettext("everything")), *((verb, log_verb(verb)) for verb in verbs)]
        self.fields["verb"].choices = named  # type: ignore[attr-defined]

    def query(self) -> LogAsked:
        """What is looked for; a field with a fault asks for nothing."""
        data = {name: value for name, value in self.cleaned_data.items() if value}
        return LogAsked(**data)
