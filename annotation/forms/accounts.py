"""Forms of logins and accounts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotation.forms.people import InviteManyForm
from annotation.models import Campaign

WRONG = {
    "password": _("The password is not right."),
    "mailed": _("The code is not right, or it is older than ten minutes."),
    "code": _("The code is not right, or was used before."),
}


class CodeForm(forms.Form):
    """A code of the second factor."""

    code = forms.CharField(
        label=pgettext_lazy("second factor", "Code"), max_length=40,
        help_text=_("The six digits that your app shows now, or a recovery code."),
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )  # fmt: skip


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
        label=_("Code from the e-mail"), max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )  # fmt: skip
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
        label=pgettext_lazy("second factor", "Code"), max_length=12,
        help_text=_("The six digits that the app shows now."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )  # fmt: skip


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
        label=_("State"), required=False,
        choices=[
            ("", _("all")), ("active", _("active")), ("disabled", _("disabled")),
            ("never", _("never logged in")), ("crowd", _("of crowd platforms")),
        ],
    )  # fmt: skip
    right = forms.ChoiceField(
        label=_("Rights"), required=False,
        choices=[
            ("", _("all")), ("admin", _("administrators")), ("create", _("may create campaigns")),
            ("factor", _("with a second factor")),
        ],
    )  # fmt: skip


class NewUsersForm(InviteManyForm):
    """People who get an account, or an invitation to a campaign."""

    campaign: forms.ModelChoiceField[Campaign] = forms.ModelChoiceField(
        queryset=None, label=_("Campaign"), to_field_name="slug", required=False,
        empty_label=_("(none: only an account)"),
        help_text=_(
            "With a campaign, everybody gets an invitation to it and chooses a name; without "
            "one, everybody gets an account with this name and a link to set its password."
        ),
    )  # fmt: skip
    creates = forms.BooleanField(label=_("May create campaigns (accounts only)"), required=False)
    field_order = ["people", "file", "campaign", "creates", "days", "by_mail"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["campaign"].queryset = Campaign.objects.order_by("name")
        fields["days"].help_text = _(
            "For an invitation to a campaign. The link of an account is valid for %(n)s hours."
        ) % {"n": settings.PASSWORD_RESET_TIMEOUT // 3600}
