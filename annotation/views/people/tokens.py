"""The API tokens of a user."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import Invalid
from annotation.models import ApiToken
from annotation.selectors.access import campaigns_for, known
from annotation.selectors.people.tokens import tokens_of
from annotation.services.accounts.tokens import token_make, token_revoke
from annotation.views.accounts.confirm import confirm_first

Scope = ApiToken.Scope
EVERYTHING = "everything"


class TokenForm(forms.Form):
    """The label of a token, what it may do and where, and how long it lasts."""

    label = forms.CharField(label=gettext_lazy("What it is for"), max_length=60)
    scope = forms.ChoiceField(
        label=gettext_lazy("What it may do"),
        choices=[
            (Scope.READ, gettext_lazy("Read: results, judgments, exports")),
            (Scope.JUDGE, gettext_lazy("Judge: fetch and save your own sheets")),
            (Scope.MANAGE, gettext_lazy("Manage: all that you may do in campaigns")),
            (EVERYTHING, gettext_lazy("Everything that you may do on this site")),
        ],
    )  # fmt: skip
    campaigns = forms.MultipleChoiceField(
        label=gettext_lazy("In which campaigns"), required=False,
        widget=forms.SelectMultiple(attrs={"size": 5}),
        help_text=gettext_lazy("None chosen: all of yours, also those to come."),
    )  # fmt: skip
    days = forms.IntegerField(
        label=gettext_lazy("Days that it lasts"), required=False, min_value=1,
        initial=lambda: settings.TOKEN_DAYS,
    )  # fmt: skip

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        named = campaigns_for(user=user).order_by("name").values_list("slug", "name")
        fields["campaigns"].choices = [(slug, f"{name} ({slug})") for slug, name in named]
        fields["days"].widget.attrs["max"] = settings.TOKEN_DAYS

    def clean_scope(self) -> str:
        scope = str(self.cleaned_data["scope"])
        return str(Scope.ALL) if scope == EVERYTHING else scope


@never_cache
@require_http_methods(["GET", "POST"])
@confirm_first
def tokens(request: HttpRequest) -> HttpResponse:
    """Show the user's tokens; a new token is shown only in the response that creates it."""
    user, text = known(request.user), ""
    form = TokenForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        try:
            text = token_make(user=user, **form.cleaned_data)[1]
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            form = TokenForm(user=user)
    context = {"form": form, "token": text, "tokens": tokens_of(user=user)}
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


@require_POST
def revoke(request: HttpRequest, key: UUID) -> HttpResponse:
    """Revoke the token immediately."""
    token_revoke(user=known(request.user), key=key)
    messages.success(request, _("The token no longer works."))
    return redirect("tokens")
