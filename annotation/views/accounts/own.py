"""One's own account: password, e-mail address, and where one is signed in."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.errors import NotFound, TooManyFailures
from annotation.forms.accounts import EmailForm, ResetAskForm
from annotation.presenters.browsers import browser_of
from annotation.selectors.access import known
from annotation.selectors.accounts.factors import factor_of, outside_logins
from annotation.selectors.accounts.sessions import sessions_of
from annotation.selectors.letters import address_letter
from annotation.selectors.people.tokens import tokens_of
from annotation.services.accounts.addresses import email_ask, email_confirm
from annotation.services.accounts.counts import sender_of
from annotation.services.accounts.forgotten import reset_ask
from annotation.services.accounts.sessions import session_end, sessions_end
from annotation.views.accounts.confirm import confirm_first
from paraanno.answers.site_address import full_address

METHODS = ["get", "head", "post"]


def site_of(request: HttpRequest) -> str:
    """The address that links in e-mails begin with."""
    return full_address(request).rstrip("/")


@never_cache
@require_GET
def account(request: HttpRequest) -> HttpResponse:
    """Show what belongs to the account."""
    user = known(request.user)
    context = {
        "sessions": [(one, browser_of(one.agent)) for one in sessions_of(user=user)],
        "current": request.session.session_key,
        "letter": address_letter(user=user), "factor": factor_of(user=user),
        "outside": settings.OIDC_ISSUER and settings.OIDC_NAME,
        "logins": outside_logins(user=user), "tokens": tokens_of(user=user).count(),
    }  # fmt: skip
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
    user, status = known(request.user), 200
    form = EmailForm(request.POST or None)
    try:
        if request.method == "POST" and form.is_valid():
            email_ask(
                user=user, email=form.cleaned_data["email"],
                link_of=lambda token: site_of(request) + reverse("email-confirm", args=[token]),
            )  # fmt: skip
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
            address = email_confirm(user=known(request.user), token=token)
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
    session_end(user=known(request.user), key=key)
    messages.success(request, _("That browser was logged out."))
    return redirect("account")


@require_POST
def end_sessions(request: HttpRequest) -> HttpResponse:
    """End all sessions of one's own but this one, and say what stays."""
    user = known(request.user)
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
