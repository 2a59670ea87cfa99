"""The page that asks whether it is you, before what somebody at an open browser must not do.

It stands in place of the answer to a request that is not confirmed, and carries its fields along:
once confirmed, the same request does what it was sent for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from annotation.access import logged_in
from annotation.accounts import confirming
from annotation.accounts.audit_log import COLUMNS, check_site, site_log, site_log_rows
from annotation.accounts.forms import ConfirmForm, LogForm
from annotation.accounts.login import factor_check, factor_of, outside_logins_here
from annotation.errors import TooManyFailures
from annotation.exporters import row_chunks

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
    if not request.user.is_authenticated or confirming.is_confirmed(request):
        return None
    user, status = logged_in(request.user), 403
    try:
        if request.POST.get(ACT) == "mail" and mails(user):
            confirming.code_mail(request, user)
        checks = _checks(request, user)
        form = ConfirmForm(request.POST if request.POST.get(ACT) == "go" else None, checks=checks)
        if checks and form.is_valid():
            confirming.confirm(request, user)
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
        "mailed": confirming.code_mailed(request),
        "outside": outside_logins_here(user=user).exists() and settings.OIDC_NAME,
        "first": confirming.first_given(request),
    }
    return render(request, "accounts/confirm.html", context, status=status)


def _checks(request: HttpRequest, user: User) -> dict[str, Callable[[str], bool]]:
    """What is asked for, by the field: the first factor unless it was given, and the second."""
    checks: dict[str, Callable[[str], bool]] = {}
    if not confirming.first_given(request):
        if user.has_usable_password():
            checks["password"] = lambda text: confirming.password_right(user=user, password=text)
        elif mails(user) and confirming.code_mailed(request):
            checks["mailed"] = lambda text: confirming.code_right(request, user=user, code=text)
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
def confirm(request: HttpRequest) -> HttpResponse:
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
