"""One's own account: password, e-mail address, and where one is signed in; the page that asks
whether it is you, before what somebody at an open browser must not do; and the log of the site.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.access import logged_in
from annotation.accounts import tokens
from annotation.accounts.audit_log import COLUMNS, check_site, site_log, site_log_rows
from annotation.accounts.forms import ConfirmForm, EmailForm, FactorForm, LogForm, ResetAskForm
from annotation.accounts.login import (
    address_of,
    factor_add,
    factor_check,
    factor_end,
    factor_of,
    outside_logins,
    outside_logins_here,
    recovery_left,
    recovery_renew,
    secret_new,
    sender_of,
    session_end,
    session_seen,
    sessions_end,
    sessions_of,
    tokens_of,
)
from annotation.accounts.users import email_ask, email_confirm, reset_ask
from annotation.errors import DomainError, NotFound, TooManyFailures
from annotation.exporters.writers import row_chunks
from annotation.mail.emails import address_letter
from paraanno.http.errors import full_address
from paraanno.http.middleware import SECOND_FACTOR, needs_second_factor

View = Callable[..., HttpResponse]
ACT, ON_GET, BACK = "confirm-act", "confirm-get", "confirm-back"
READS = ("GET", "HEAD", "OPTIONS")


def confirm_first(view: View) -> View:
    """Let the view answer other requests than reading ones only when it was confirmed, within ten
    minutes, who uses the session."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        prompt = None if request.method in READS else ask_first(request)
        return prompt or view(request, *args, **kwargs)

    return answer


def confirm_always(view: View) -> View:
    """The same, and before the page is shown: for pages whose fields cannot be carried along."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return ask_first(request) or view(request, *args, **kwargs)

    return answer


def ask_first(
    request: HttpRequest, carried: Mapping[str, str] | None = None
) -> HttpResponse | None:
    """None if it is confirmed who uses the session, by an earlier answer or by this request; else
    the page that asks. `carried` are the fields to send again if not those of the request."""
    if not request.user.is_authenticated or tokens.is_confirmed(request):
        return None
    user, status = logged_in(request.user), 403
    try:
        if request.POST.get(ACT) == "mail" and mails(user):
            tokens.code_mail(request, user)
        checks = _checks(request, user)
        form = ConfirmForm(request.POST if request.POST.get(ACT) == "go" else None, checks=checks)
        if checks and form.is_valid():
            tokens.confirm(request, user)
            return redirect(request.get_full_path()) if ON_GET in request.POST else None
    except TooManyFailures as refusal:
        messages.error(request, refusal.message)
        form, status = ConfirmForm(checks=_checks(request, user)), 429
    fields = _fields(request) if carried is None else [*carried.items()]
    if request.method in READS:
        fields = [(ON_GET, "1")]
    answer = _page(request, user, form, fields, status)
    answer["Cache-Control"] = "no-store, private"
    return answer


def _page(
    request: HttpRequest,
    user: User,
    form: ConfirmForm,
    fields: list[tuple[str, str]],
    status: int,
) -> HttpResponse:
    context = {
        "form": form,
        "fields": fields,
        "back": _back(request),
        "mails": mails(user),
        "mailed": tokens.code_mailed(request),
        "outside": outside_logins_here(user=user).exists() and settings.OIDC_NAME,
        "first": tokens.first_given(request),
    }
    return render(request, "accounts/confirm.html", context, status=status)


def _checks(request: HttpRequest, user: User) -> dict[str, Callable[[str], bool]]:
    """What is asked for, by the field: the first factor unless it was given, and the second."""
    checks: dict[str, Callable[[str], bool]] = {}
    if not tokens.first_given(request):
        if user.has_usable_password():
            checks["password"] = lambda text: tokens.password_right(user=user, password=text)
        elif mails(user) and tokens.code_mailed(request):
            checks["mailed"] = lambda text: tokens.code_right(request, user=user, code=text)
        else:
            return {}
    if factor_of(user=user) is not None:
        checks["code"] = lambda text: factor_check(user=user, code=text, request=request)
    return checks


def mails(user: User) -> bool:
    """Whether a code goes to the account's address: in place of a password that is not there."""
    return bool(user.email) and not user.has_usable_password()


def _fields(request: HttpRequest) -> list[tuple[str, str]]:
    """The fields of the request, without those of the question, and without passwords."""
    return [
        (name, value)
        for name, values in request.POST.lists()
        if not name.startswith("confirm-")
        and name != "csrfmiddlewaretoken"
        and "password" not in name
        for value in values
    ]


def _back(request: HttpRequest) -> str:
    """The page that the request came from."""
    came = request.POST.get(BACK) or request.headers.get("Referer", "")
    if _is_here(request, came):
        return urlsplit(came)._replace(scheme="", netloc="").geturl()
    return reverse("account")


def onward(request: HttpRequest) -> str:
    """Where the person wanted to go, if that is on this site."""
    wanted = request.POST.get("next", request.GET.get("next", ""))
    return wanted if _is_here(request, wanted) else resolve_url(settings.LOGIN_REDIRECT_URL)


def _is_here(request: HttpRequest, address: str) -> bool:
    return url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def confirm_page(request: HttpRequest) -> HttpResponse:
    """Ask for what is missing after a login at the provider, then go on to the page before it."""
    prompt = ask_first(request)
    if prompt is None:
        messages.success(request, _("Confirmed for ten minutes: do it once more."))
        return redirect(onward(request))
    return prompt


class ConfirmedAdminSite(AdminSite):
    """Django's administration, which changes nothing unless it was confirmed who is there."""

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        asks = view if view == self.logout else confirm_first(view)
        return super().admin_view(asks, cacheable)


# The audit log of the whole site.


PER_PAGE = 50


@require_GET
def site_audit(request: HttpRequest) -> HttpResponse:
    """The log with its filters, for administrators; an address keeps them."""
    check_site(request.user)
    form = LogForm(request.GET)
    fine = form.is_valid()
    page = Paginator(site_log(query=form.query()), PER_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "asked": request.GET.urlencode()}
    return render(request, "accounts/log.html", context, status=200 if fine else 422)


@require_GET
def site_audit_file(request: HttpRequest) -> StreamingHttpResponse:
    """The same entries as CSV, streamed."""
    check_site(request.user)
    form = LogForm(request.GET)
    form.is_valid()
    rows = site_log_rows(query=form.query())
    answer = StreamingHttpResponse(
        row_chunks(rows, COLUMNS, format="csv"), content_type="text/csv; charset=utf-8"
    )
    answer["Content-Disposition"] = 'attachment; filename="log.csv"'
    return answer


# The second factor of one's own account.


SECRET = "factor-secret"  # noqa: S105  In a session, until a code confirms it.


def secret_of(request: HttpRequest) -> str:
    """The secret that is being set up in this browser."""
    if SECRET not in request.session:
        request.session[SECRET] = secret_new()
    return str(request.session[SECRET])


def picture_of(secret: str, user: User) -> dict[str, object]:
    """A QR code of the secret, drawn here, and the secret in groups for typing."""
    import segno

    drawn = segno.make(address_of(secret=secret, user=user), error="m").svg_inline(
        scale=5, border=4, light="#fff", svgclass="qr", lineclass=None, omitsize=False
    )
    groups = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
    return {"picture": mark_safe(drawn), "secret": groups}  # noqa: S308  Numbers alone.


@never_cache
@require_http_methods(["GET", "POST"])
@confirm_first
def second_factor(request: HttpRequest) -> HttpResponse:
    """Show the account's second factor, or set one up."""
    user = logged_in(request.user)
    factor = factor_of(user=user)
    if factor is not None:
        context = {
            "factor": factor,
            "left": recovery_left(user=user),
            "required": needs_second_factor(user),
        }
        return render(request, "accounts/second_factor.html", context)
    form, secret = FactorForm(request.POST or None), secret_of(request)
    if request.method == "POST" and form.is_valid():
        try:
            codes = factor_add(
                user=user,
                secret=secret,
                code=form.cleaned_data["code"],
                but=request.session.session_key,
            )
        except DomainError as refusal:
            form.add_error("code", refusal.message)
        else:
            request.session.pop(SECRET, None)
            request.session[SECOND_FACTOR] = True
            return render(request, "accounts/recovery_codes.html", {"codes": codes})
    context = {"form": form, **picture_of(secret, user)}
    status = 422 if form.errors else 200
    return render(request, "accounts/second_factor.html", context, status=status)


@never_cache
@require_POST
@confirm_first
def second_factor_act(request: HttpRequest) -> HttpResponse:
    """End the factor, or make new recovery codes."""
    user = logged_in(request.user)
    if factor_of(user=user) is None:
        return redirect("second-factor")
    if request.POST.get("act") == "renew":
        codes = recovery_renew(user=user)
        return render(request, "accounts/recovery_codes.html", {"codes": codes})
    if request.POST.get("act") == "end":
        factor_end(user=user, actor=user)
        messages.success(request, _("Your login has no second factor any more."))
    return redirect("second-factor")


# When people were last here.


class SeenMiddleware:
    """Note, at most once an hour, that a session is used. A request that did not ask whose it is
    asks nothing here either."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        user = getattr(request, "_cached_user", None)  # Set once request.user was asked for.
        if user is not None and user.is_authenticated and request.user.pk == user.pk:
            session_seen(request, user.pk)
        return answer


# What a browser is called by people.


# The first that is named counts: most call themselves by the names of others, too.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Whale/", "Whale"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def browser_of(agent: str) -> str:
    """Return a short name such as "Firefox, Linux"; what is not known stays as it is."""
    parts = [
        next((name for mark, name in names if mark in agent), "") for names in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(name for name in parts if name) or agent[:60] or "–"


METHODS = ["get", "head", "post"]


def site_of(request: HttpRequest) -> str:
    """The address that links in e-mails begin with."""
    return full_address(request).rstrip("/")


@never_cache
@require_GET
def account(request: HttpRequest) -> HttpResponse:
    """Show what belongs to the account."""
    user = logged_in(request.user)
    context = {
        "sessions": [(one, browser_of(one.agent)) for one in sessions_of(user=user)],
        "current": request.session.session_key,
        "letter": address_letter(user=user),
        "factor": factor_of(user=user),
        "outside": settings.OIDC_ISSUER and settings.OIDC_NAME,
        "logins": outside_logins(user=user),
        "tokens": tokens_of(user=user).count(),
    }
    return render(request, "accounts/account.html", context)


class ChangePassword(auth.PasswordChangeView):
    """A new password; every other browser is logged out, and API tokens end."""

    http_method_names = METHODS
    template_name = "accounts/password.html"
    success_url = "/accounts/password/?changed=1"


@never_cache
@require_http_methods(["GET", "POST"])
@confirm_first
def email(request: HttpRequest) -> HttpResponse:
    """Ask for a link to another address."""
    user, status = logged_in(request.user), 200
    form = EmailForm(request.POST or None)
    try:
        if request.method == "POST" and form.is_valid():
            email_ask(
                user=user,
                email=form.cleaned_data["email"],
                link_of=lambda token: site_of(request) + reverse("email-confirm", args=[token]),
            )
            messages.success(request, _("A link is on its way to the new address. Open it here."))
            return redirect("account")
    except TooManyFailures as refusal:
        messages.error(request, refusal.message)
        form, status = EmailForm(), 429
    return render(
        request, "accounts/email.html", {"form": form}, status=422 if form.errors else status
    )


@never_cache
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm the address by a button: programs that scan e-mails open links."""
    if request.method == "POST":
        try:
            address = email_confirm(user=logged_in(request.user), token=token)
        except NotFound as refusal:
            messages.error(request, refusal.message)
            return render(request, "accounts/email_confirm.html", status=400)
        messages.success(request, _("Your address is now %(email)s.") % {"email": address})
        return redirect("account")
    return render(request, "accounts/email_confirm.html")


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def reset(request: HttpRequest) -> HttpResponse:
    """Ask for a link to set a new password. The answer is the same whoever asks."""
    form = ResetAskForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data["email"]
        try:
            reset_ask(email=given, site=site_of(request), address=sender_of(request))
        except TooManyFailures as refusal:
            messages.error(request, refusal.message)
            return render(request, "accounts/reset.html", {"form": form}, status=429)
        return render(request, "accounts/reset.html", {"asked": True, "email": given})
    return render(
        request, "accounts/reset.html", {"form": form}, status=422 if form.errors else 200
    )


@method_decorator([login_not_required, require_http_methods(["GET", "HEAD", "POST"])], "dispatch")
class ResetConfirm(auth.PasswordResetConfirmView):
    """Set a password by a link; nobody is logged in by it. A link that is over answers before
    Django's view looks at the method."""

    template_name = "accounts/reset_confirm.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        messages.success(self.request, _("The password is set. Log in with it."))
        return answer


@require_POST
def end_session(request: HttpRequest, key: UUID) -> HttpResponse:
    """End one session of one's own."""
    session_end(user=logged_in(request.user), key=key)
    messages.success(request, _("That browser was logged out."))
    return redirect("account")


@require_POST
def end_sessions(request: HttpRequest) -> HttpResponse:
    """End all sessions of one's own but this one, and say what stays."""
    user = logged_in(request.user)
    sessions_end(user=user, actor=user, but=request.session.session_key)
    messages.success(request, _("Logged out everywhere else."))
    tokens, logins = tokens_of(user=user).count(), outside_logins(user=user).count()
    if tokens or logins:
        messages.warning(
            request,
            _(
                "API tokens (%(tokens)s) and connected logins (%(logins)s) still work: revoke or "
                "disconnect those that you do not know."
            )
            % {"tokens": tokens, "logins": logins},
        )
    return redirect("account")
