"""The API tokens of a user."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.selectors.access import known
from annotation.selectors.people.tokens import tokens_of
from annotation.services.people.tokens import MOST_DAYS, token_make, token_revoke


class TokenForm(forms.Form):
    """The label of a token, and how long it lasts."""

    label = forms.CharField(label=gettext_lazy("What it is for"), max_length=60)
    days = forms.IntegerField(
        label=gettext_lazy("Days that it lasts"), required=False, min_value=1, max_value=MOST_DAYS,
        initial=lambda: settings.TOKEN_DAYS,
    )  # fmt: skip


@never_cache
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """Show the user's tokens; a new token is shown only in the response that creates it."""
    form, text = TokenForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        text = token_make(user=known(request.user), **form.cleaned_data)[1]
        form = TokenForm()
    context = {"form": form, "token": text, "tokens": tokens_of(user=request.user)}
    return render(request, "accounts/tokens.html", context)


@require_POST
def revoke(request: HttpRequest, key: UUID) -> HttpResponse:
    """Revoke the token immediately."""
    token_revoke(user=known(request.user), key=key)
    messages.success(request, _("The token no longer works."))
    return redirect("tokens")
