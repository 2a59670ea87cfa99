"""Accounts of the site, for administrators."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.errors import DomainError, Invalid
from annotation.forms.accounts import NewUsersForm, UserEmailForm, UsersFilterForm
from annotation.importers.people import InvitedPerson, people_read
from annotation.selectors.accounts.factors import outside_logins
from annotation.selectors.accounts.users import administrator, user_get, users_found
from annotation.selectors.letters import letters_of_account, undelivered
from annotation.services.accounts import users as services
from annotation.services.accounts.addresses import email_set
from annotation.services.accounts.outside import outside_disconnect
from annotation.services.accounts.second_factor import factor_end
from annotation.services.people.inviting import invite_many
from annotation.views.accounts.confirm import confirm_always, confirm_first
from annotation.views.accounts.own import site_of
from paraanno.answers.site_address import full_address

PER_PAGE = 50
ROLES = ("annotator", "researcher", "viewer")


@never_cache
@require_GET
def users(request: HttpRequest) -> HttpResponse:
    """Find accounts."""
    administrator(user=request.user)
    form = UsersFilterForm(request.GET)
    wanted = form.cleaned_data if form.is_valid() else {"q": "", "state": "", "right": ""}
    found = users_found(query=wanted["q"].strip(), state=wanted["state"], right=wanted["right"])
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "accounts/users.html", {
        "form": form, "page": page, "found": undelivered(campaign=None),
    })  # fmt: skip


@never_cache
@require_http_methods(["GET", "POST"])
@confirm_always
def users_new(request: HttpRequest) -> HttpResponse:
    """Make accounts, or invitations to a campaign; the links are shown once."""
    administrator(user=request.user)
    form = NewUsersForm(request.POST or None, request.FILES or None)
    problems: list[object] = []
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        people, found = people_read(data["text"], name=data["source"], roles=ROLES)
        problems = list(found)
        if not problems:
            try:
                lines = _invited(request, people, data) if data["campaign"] else _made(
                    request, people, data
                )  # fmt: skip
            except Invalid as refusal:
                form.add_error(None, refusal.message)
            else:
                context = {"lines": lines, "by_mail": sum(line["by_mail"] for line in lines)}
                return render(
                    request, "accounts/users_new.html", {**context, "form": NewUsersForm()}
                )
    wrong = bool(form.errors or problems)
    return render(
        request, "accounts/users_new.html", {"form": form, "problems": problems},
        status=422 if wrong else 200,
    )  # fmt: skip


def _made(
    request: HttpRequest, people: list[InvitedPerson], data: dict[str, Any]
) -> list[dict[str, Any]]:
    made = services.users_create(
        people=people, creates=data["creates"], by_mail=data["by_mail"],
        link_of=services.link_maker(site_of(request)), actor=request.user,
    )  # fmt: skip
    return [
        {
            "name": one.user.username,
            "email": one.user.email,
            "link": one.link,
            "by_mail": one.by_mail,
        }
        for one in made
    ]


def _invited(
    request: HttpRequest, people: list[InvitedPerson], data: dict[str, Any]
) -> list[dict[str, Any]]:
    invited = invite_many(
        campaign=data["campaign"], people=people, valid_for=timedelta(days=data["days"]),
        by_mail=data["by_mail"], actor=request.user,
        link_of=lambda token: full_address(request, reverse("join", args=[token])),
    )  # fmt: skip
    return [
        {
            "name": one.invitation.note,
            "email": one.invitation.email,
            "link": one.link,
            "by_mail": one.by_mail,
        }
        for one in invited
    ]


@never_cache
@require_GET
def user_page(request: HttpRequest, user: int) -> HttpResponse:
    """Show one account and what can be done with it."""
    administrator(user=request.user)
    return _page(request, user)


def _page(request: HttpRequest, pk: int, *, link: str = "", status: int = 200) -> HttpResponse:
    one = user_get(pk=pk)
    context = {
        "one": one, "link": link, "form": UserEmailForm(initial={"email": one.email}),
        "letters": letters_of_account(user=one)[:3],
        "logins": outside_logins(user=one),
    }  # fmt: skip
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
            link = services.reset_by_admin(
                user=one, by_mail=act == "letter", actor=request.user,
                link_of=services.link_maker(site_of(request)),
            )  # fmt: skip
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
        services.user_enable(user=one, active=active, actor=request.user)
        return _("The account is enabled.") if active else _("The account is disabled.")

    return act


def _create(on: bool) -> Callable[[HttpRequest, User], str]:
    def act(request: HttpRequest, one: User) -> str:
        services.creation_set(user=one, on=on, actor=request.user)
        return _("Saved.")

    return act


def _admin(on: bool) -> Callable[[HttpRequest, User], str]:
    def act(request: HttpRequest, one: User) -> str:
        services.administrator_set(user=one, on=on, actor=request.user)
        if one.pk == request.user.pk:
            request.user.is_superuser = on
        return _("Saved.")

    return act


def _close(request: HttpRequest, one: User) -> str:
    sessions, tokens = services.doors_close(user=one, actor=request.user)
    said = [
        ngettext("%(n)s session ended.", "%(n)s sessions ended.", sessions) % {"n": sessions},
        ngettext("%(n)s token ended.", "%(n)s tokens ended.", tokens) % {"n": tokens},
    ]
    if logins := outside_logins(user=one).count():
        stay = ngettext("%(n)s connected login stays.", "%(n)s connected logins stay.", logins)
        said.append(stay % {"n": logins})
    return " ".join(said)


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
    "disable": _enable(False), "enable": _enable(True), "creates": _create(True),
    "creates-not": _create(False), "admin": _admin(True), "admin-not": _admin(False),
    "close": _close, "no-factor": _no_factor, "email": _email, "disconnect": _disconnect,
}  # fmt: skip
