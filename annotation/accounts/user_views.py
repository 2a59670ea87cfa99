"""Accounts of the site, for administrators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import administrator, campaigns_for, logged_in
from annotation.accounts import users as accounts_users
from annotation.accounts.external_accounts import outside_disconnect
from annotation.accounts.forms import UserEmailForm, UsersFilterForm
from annotation.accounts.login import factor_end, outside_logins, tokens_of
from annotation.accounts.tokens import token_make, token_revoke
from annotation.accounts.users import email_set, user_get, users_found
from annotation.accounts.views import confirm_first, site_of
from annotation.errors import DomainError, Invalid
from annotation.http.campaign_page import Page
from annotation.mail.emails import letters_of_account, undelivered
from annotation.models import ApiToken

PER_PAGE = 50


@never_cache
@require_GET
def users(request: HttpRequest) -> HttpResponse:
    """Find accounts."""
    administrator(user=request.user)
    form = UsersFilterForm(request.GET)
    wanted = form.cleaned_data if form.is_valid() else {"q": "", "state": "", "right": ""}
    accounts = users_found(query=wanted["q"].strip(), state=wanted["state"], right=wanted["right"])
    page = Paginator(accounts, PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "accounts/users.html",
        {
            "form": form,
            "page": page,
            "found": undelivered(),
        },
    )


@never_cache
@require_GET
def user_page(request: HttpRequest, user: int) -> HttpResponse:
    """Show one account and what can be done with it."""
    administrator(user=request.user)
    return _page(request, user)


def _page(request: HttpRequest, pk: int, *, link: str = "", status: int = 200) -> HttpResponse:
    one = user_get(pk=pk)
    context = {
        "one": one,
        "link": link,
        "form": UserEmailForm(initial={"email": one.email}),
        "letters": letters_of_account(user=one)[:3],
        "logins": outside_logins(user=one),
    }
    return render(request, "accounts/user.html", context, status=status)


@never_cache
@require_POST
@confirm_first
def user_act(request: HttpRequest, user: int) -> HttpResponse:
    """Do one thing with the account; a refusal is a message on its page."""
    administrator(user=request.user)
    one, act = user_get(pk=user), request.POST.get("act", "")
    try:
        if act in ("link", "letter"):
            link = accounts_users.reset_by_admin(
                user=one,
                by_mail=act == "letter",
                actor=request.user,
                link_of=accounts_users.link_maker(site_of(request)),
            )
            if act == "link":
                return _page(request, user, link=link)
            messages.success(
                request, _("The link is on its way to %(email)s.") % {"email": one.email}
            )
            return redirect("user", user)
        if act not in ACTS:
            raise Invalid(_("Choose what to do."))
        messages.success(request, ACTS[act](request, one))
    except DomainError as refusal:
        messages.error(request, refusal.message)
        return _page(request, user, status=409)
    return redirect("user", user) if request.user.is_superuser else redirect("home")


def _enable(active: bool) -> Callable[[HttpRequest, User], str]:
    def act(request: HttpRequest, one: User) -> str:
        accounts_users.user_enable(user=one, active=active, actor=request.user)
        return _("The account is enabled.") if active else _("The account is disabled.")

    return act


def _create(on: bool) -> Callable[[HttpRequest, User], str]:
    def act(request: HttpRequest, one: User) -> str:
        accounts_users.creation_set(user=one, on=on, actor=request.user)
        return _("Saved.")

    return act


def _admin(on: bool) -> Callable[[HttpRequest, User], str]:
    def act(request: HttpRequest, one: User) -> str:
        accounts_users.administrator_set(user=one, on=on, actor=request.user)
        if one.pk == request.user.pk:
            request.user.is_superuser = on
        return _("Saved.")

    return act


def _close(request: HttpRequest, one: User) -> str:
    sessions, tokens = accounts_users.doors_close(user=one, actor=request.user)
    sentences = [
        ngettext("%(n)s session ended.", "%(n)s sessions ended.", sessions) % {"n": sessions},
        ngettext("%(n)s token ended.", "%(n)s tokens ended.", tokens) % {"n": tokens},
    ]
    if logins := outside_logins(user=one).count():
        stay = ngettext("%(n)s connected login stays.", "%(n)s connected logins stay.", logins)
        sentences.append(stay % {"n": logins})
    return " ".join(sentences)


def _disconnect(request: HttpRequest, one: User) -> str:
    try:
        key = UUID(request.POST.get("login", ""))
    except ValueError as error:
        raise Invalid(_("Choose what to do.")) from error
    login = outside_disconnect(user=one, key=key, actor=request.user)
    return _("%(label)s was disconnected, and every session ended.") % {"label": login}


def _no_factor(request: HttpRequest, one: User) -> str:
    factor_end(user=one, actor=request.user)
    return _("The second factor was removed.")


def _email(request: HttpRequest, one: User) -> str:
    form = UserEmailForm(request.POST)
    if not form.is_valid():
        raise Invalid(" ".join(str(error) for error in form.errors["email"]))
    email_set(user=one, email=form.cleaned_data["email"], actor=request.user)
    return _("Saved.")


ACTS: dict[str, Callable[[HttpRequest, User], str]] = {
    "disable": _enable(False),
    "enable": _enable(True),
    "creates": _create(True),
    "creates-not": _create(False),
    "admin": _admin(True),
    "admin-not": _admin(False),
    "close": _close,
    "no-factor": _no_factor,
    "email": _email,
    "disconnect": _disconnect,
}


# The API tokens of a user.


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
    )
    campaigns = forms.MultipleChoiceField(
        label=gettext_lazy("In which campaigns"),
        required=False,
        widget=forms.SelectMultiple(attrs={"size": 5}),
        help_text=gettext_lazy("None chosen: all of yours, also those to come."),
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days that it lasts"),
        required=False,
        min_value=1,
        initial=lambda: settings.TOKEN_DAYS,
    )

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
    user, text = logged_in(request.user), ""
    page = Page(request)
    form = TokenForm(page.posted, user=user)
    made = page.saved(form, lambda: token_make(user=user, **form.cleaned_data))
    if made is not None:
        form, text = TokenForm(user=user), made[1]
    return page.render("accounts/tokens.html", form=form, token=text, tokens=tokens_of(user=user))


@require_POST
def revoke(request: HttpRequest, key: UUID) -> HttpResponse:
    """Revoke the token immediately."""
    token_revoke(user=logged_in(request.user), key=key)
    messages.success(request, _("The token no longer works."))
    return redirect("tokens")
