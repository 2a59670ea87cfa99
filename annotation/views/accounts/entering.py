"""The second step of a login, and single sign-on."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotation.errors import DomainError, NotFound, TooManyFailures
from annotation.forms.accounts import CodeForm, FirstFactorForm
from annotation.selectors.access import known
from annotation.services.accounts.counts import count, sender_of
from annotation.services.accounts.oidc import OutsideRefused, arrive, depart
from annotation.services.accounts.outside import outside_account, outside_connect
from annotation.services.accounts.second_factor import factor_add, factor_check
from annotation.services.accounts.signing_in import LoginStep, finish, half_in, sign_in
from annotation.views.accounts.second_factor import picture_of, secret_of
from paraanno.answers.site_address import full_address

JOURNEY = "outside-journey"
DEPARTURES, WINDOW = 60, 300  # of one address, seconds
PAGES = {LoginStep.CODE: "login-code", LoginStep.SET_UP: "login-set-up"}


def onward(request: HttpRequest) -> str:
    """Where the person wanted to go, if that is on this site."""
    wanted = request.POST.get("next", request.GET.get("next", ""))
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if safe else resolve_url(settings.LOGIN_REDIRECT_URL)


def next_page(step: LoginStep, onto: str) -> str:
    """The address after the first factor."""
    if step == LoginStep.IN:
        return onto
    return f"{reverse(PAGES[step])}?{urlencode({'next': onto})}"


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
            if factor_check(user=user, code=form.cleaned_data["code"]):
                finish(request, user, second=True)
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
    form, onto = FirstFactorForm(request.POST or None, user=user), onward(request)
    secret = secret_of(request)
    if request.method == "POST" and form.is_valid():
        try:
            codes = factor_add(user=user, secret=secret, code=form.cleaned_data["code"])
        except DomainError as refusal:
            form.add_error("code", refusal.message)
        else:
            finish(request, user, second=True)
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
@require_GET
def outside(request: HttpRequest) -> HttpResponse:
    """Leave for the provider of single sign-on."""
    if not settings.OIDC_ISSUER:
        raise NotFound(_("There is no such page."))
    count("outside-from", sender_of(request), most=DEPARTURES, seconds=WINDOW)
    try:
        journey, address = depart(back=_back(request))
    except OutsideRefused as refusal:
        return _refused(request, refusal)
    user = request.user.pk if request.user.is_authenticated else None
    request.session[JOURNEY] = {**journey.stored(), "next": onward(request), "user": user}
    return redirect(address)


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
        if journey["user"] is not None:
            return _connected(request, journey["user"], claims)
        user = outside_account(claims=claims)
    except OutsideRefused as refusal:
        return _refused(request, refusal)
    return redirect(next_page(sign_in(request, user), journey["next"]))


def _connected(request: HttpRequest, number: int, claims: dict[str, object]) -> HttpResponse:
    if request.user.pk != number:
        raise OutsideRefused(_("Begin again with your name and password."))
    user: User = known(request.user)
    outside_connect(user=user, claims=claims)
    messages.success(request, _("From now on you can log in by single sign-on too."))
    return redirect("account")


def _back(request: HttpRequest) -> str:
    return full_address(request, reverse("outside-back"))


def _refused(request: HttpRequest, refusal: OutsideRefused) -> HttpResponse:
    messages.error(request, refusal.message)
    return redirect("account" if request.user.is_authenticated else "login")
