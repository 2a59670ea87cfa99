"""Forms of logins and accounts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotation.forms.people import InviteManyForm
from annotation.models import Campaign
from annotation.services.accounts.counts import count

TRIES, WINDOW = 10, 300  # of the own password, seconds


class CodeForm(forms.Form):
    """A code of the second factor."""

    code = forms.CharField(
        label=pgettext_lazy("second factor", "Code"), max_length=40,
        help_text=_("The six digits that your app shows now, or a recovery code."),
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )  # fmt: skip


class OwnPasswordForm(forms.Form):
    """Asks for the password again, if there is one: a browser left open changes no account."""

    password = forms.CharField(
        label=_("Your password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        strip=False,
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        """Count tries: this is a place to guess passwords, too."""
        password = str(self.cleaned_data["password"])
        count("own-password", str(self.user.pk), most=TRIES, seconds=WINDOW)
        if not self.user.check_password(password):
            raise forms.ValidationError(_("The password is not right."))
        return password


class FactorForm(OwnPasswordForm):
    """The first code of a new second factor."""

    code = forms.CharField(
        label=pgettext_lazy("second factor", "Code"), max_length=12,
        help_text=_("The six digits that the app shows now."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )  # fmt: skip
    field_order = ["code", "password"]


class FirstFactorForm(FactorForm):
    """The same for who has just given the password."""

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, user=user, **kwargs)
        self.fields.pop("password", None)


class EmailForm(OwnPasswordForm):
    """Another e-mail address of one's own."""

    email = forms.EmailField(label=_("New e-mail address"), max_length=254)
    field_order = ["email", "password"]


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
