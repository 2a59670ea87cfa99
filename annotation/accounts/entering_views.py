"""Logging in, the second step of a login, and single sign-on."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import logged_in
from annotation.accounts import tokens
from annotation.accounts.external_accounts import (
    LASTS,
    OutsideRefused,
    arrive,
    depart,
    outside_account,
    outside_connect,
    outside_disconnect,
    outside_fresh,
    outside_label,
    refused,
)
from annotation.accounts.forms import CodeForm, FactorForm
from annotation.accounts.login import count, factor_add, factor_check, factor_of, sender_of
from annotation.accounts.tokens import LoginStep, finish_half, half_in, sign_in
from annotation.accounts.views import ask_first, confirm_first, onward, picture_of, secret_of
from annotation.errors import Conflict, DomainError, NotFound, TooManyFailures
from paraanno.http.errors import full_address

JOURNEY, PENDING = "outside-trip", "outside-pending"
DEPARTURES, WINDOW = 60, 300  # of one address, seconds
PAGES = {LoginStep.CODE: "login-code", LoginStep.SET_UP: "login-set-up"}


class Purpose(StrEnum):
    """What somebody leaves for the provider for."""

    LOG_IN = "log in"
    CONNECT = "connect"
    CONFIRM = "confirm"


def next_page(step: LoginStep, onto: str) -> str:
    """The address after the first factor."""
    if step == LoginStep.IN:
        return onto
    return f"{reverse(PAGES[step])}?{urlencode({'next': onto})}"


class Login(LoginView):
    """Log in: the only page for it, to which the Django admin leads too."""

    template_name = "accounts/login.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        outside = settings.OIDC_ISSUER and settings.OIDC_NAME
        return super().get_context_data(outside=outside, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        step = sign_in(self.request, logged_in(form.get_user()), fresh=True)
        return redirect(next_page(step, self.get_success_url()))

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().post(request, *args, **kwargs)
        except TooManyFailures as refusal:
            messages.error(request, refusal.message)
        form = AuthenticationForm(request)
        return self.render_to_response(self.get_context_data(form=form), status=429)


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Ask for a code of who gave the first factor in this browser."""
    user = half_in(request, LoginStep.CODE)
    if user is None:
        return _again(request)
    form, status = CodeForm(request.POST or None), 200
    if request.method == "POST" and form.is_valid():
        try:
            typed = form.cleaned_data["code"]
            if factor_check(user=user, code=typed, request=request):
                finish_half(request, user)
                return redirect(onward(request))
            form.add_error("code", _("The code is not right, or was used before."))
        except TooManyFailures as refusal:
            form.add_error("code", refusal.message)
            status = 429
    context = {"form": form, "next": onward(request)}
    return render(request, "accounts/login_code.html", context, status=status)


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def set_up(request: HttpRequest) -> HttpResponse:
    """Set up the second factor without which this account may not log in."""
    user = half_in(request, LoginStep.SET_UP)
    if user is None:
        return _again(request)
    form, onto = FactorForm(request.POST or None), onward(request)
    secret = secret_of(request)
    if request.method == "POST" and form.is_valid():
        try:
            codes = factor_add(user=user, secret=secret, code=form.cleaned_data["code"])
        except DomainError as refusal:
            form.add_error("code", refusal.message)
        else:
            finish_half(request, user)
            return render(request, "accounts/recovery_codes.html", {"codes": codes, "onto": onto})
    context = {"form": form, "next": onto, **picture_of(secret, user)}
    return render(request, "accounts/login_set_up.html", context)


def _again(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect(onward(request))
    messages.error(request, _("Begin again with your name and password."))
    return redirect("login")


@never_cache
@login_not_required
@require_POST
def outside(request: HttpRequest) -> HttpResponse:
    """Leave for the provider of single sign-on: to log in, or for who is logged in to connect a
    login there, or to confirm by it who they are.

    The answer is a page that goes there, not a redirect: browsers would apply `form-action` to it
    and to the provider's own redirects.
    """
    if not settings.OIDC_ISSUER:
        raise NotFound(_("There is no such page."))
    purpose = Purpose.LOG_IN
    if request.user.is_authenticated:
        purpose = Purpose.CONFIRM if request.POST.get("confirm") else Purpose.CONNECT
        if purpose == Purpose.CONNECT and (prompt := ask_first(request)) is not None:
            return prompt
    count("outside-from", sender_of(request), most=DEPARTURES, seconds=WINDOW)
    try:
        journey, address = depart(back=_back(request), anew=purpose != Purpose.LOG_IN)
    except OutsideRefused as refusal:
        return _refused(request, refusal)
    request.session[JOURNEY] = {
        **journey.stored(),
        "next": onward(request),
        "user": request.user.pk,
        "purpose": purpose,
    }
    return render(request, "accounts/leaving.html", {"address": address})


@never_cache
@login_not_required
@require_GET
def outside_back(request: HttpRequest) -> HttpResponse:
    """Handle the return from the provider; a journey is used once, whatever its result."""
    if not settings.OIDC_ISSUER:
        raise NotFound(_("There is no such page."))
    journey = request.session.pop(JOURNEY, None)
    state, given = request.GET.get("state", ""), request.GET.get("code", "")
    try:
        claims = arrive(journey=journey, state=state, code=given, back=_back(request))
        if request.user.pk != journey["user"]:
            raise refused("somebody else is logged in by now")
        if journey["purpose"] == Purpose.CONNECT:
            pending = [str(claims["sub"]), outside_label(claims), int(time.time())]
            request.session[PENDING] = pending
            return redirect("outside-connect")
        if journey["purpose"] == Purpose.CONFIRM:
            return _confirmed(request, logged_in(request.user), claims, journey)
        user = outside_account(claims=claims)
    except OutsideRefused as refusal:
        return _refused(request, refusal)
    return redirect(next_page(sign_in(request, user, fresh=False), journey["next"]))


def _confirmed(
    request: HttpRequest, user: User, claims: dict[str, object], journey: dict[str, Any]
) -> HttpResponse:
    """The first factor was given anew; the page that asks has the rest, or leads on."""
    outside_fresh(user=user, claims=claims, since=journey["at"])
    if factor_of(user=user) is None:
        tokens.confirm(request, user)
    else:
        tokens.first_give(request, user)
    return redirect(f"{reverse('confirm')}?{urlencode({'next': journey['next']})}")


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
@confirm_first
def outside_link(request: HttpRequest) -> HttpResponse:
    """Show whose login it is that came back from the provider, and connect it: whoever left the
    provider logged in as themselves in this browser is seen here."""
    subject, label, at = request.session.get(PENDING) or ("", "", 0)
    if not settings.OIDC_ISSUER or not subject or time.time() - at > LASTS:
        raise NotFound(_("There is no such page."))
    if request.method == "GET":
        return render(request, "accounts/connect.html", {"label": label})
    del request.session[PENDING]
    try:
        outside_connect(user=logged_in(request.user), subject=subject, label=label)
    except Conflict as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(
            request, _("From now on you can log in with %(label)s, too.") % {"label": label}
        )
    return redirect("account")


@never_cache
@require_POST
@confirm_first
def outside_end(request: HttpRequest, key: UUID) -> HttpResponse:
    """Disconnect one of one's own logins at a provider."""
    user, current = logged_in(request.user), request.session.session_key
    try:
        login = outside_disconnect(user=user, key=key, actor=user, but=current)
    except Conflict as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(
            request,
            _("%(label)s was disconnected, and every other browser logged out.") % {"label": login},
        )
    return redirect("account")


def _back(request: HttpRequest) -> str:
    return full_address(request, reverse("outside-back"))


def _refused(request: HttpRequest, refusal: OutsideRefused) -> HttpResponse:
    messages.error(request, refusal.message)
    return redirect("account" if request.user.is_authenticated else "login")
