"""Login and joining a campaign."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from rest_framework.throttling import BaseThrottle

from annotation.errors import Invalid
from annotation.forms.campaigns import SignUpForm
from annotation.models import Membership
from annotation.models.fields import text_digest
from annotation.selectors.access import known
from annotation.selectors.people.members import invitation_get
from annotation.selectors.people.withdrawal import withdrawal_of
from annotation.services.people.membership import invitation_accept, sign_up

FAILURES = 20
WAIT = 60  # seconds since the last failure


class Login(LoginView):
    """Log in. After too many failures an address has to wait, which prevents guessing of
    passwords.

    Only failures count, so that an entire class can log in through one router.
    """

    template_name = "accounts/login.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if cache.get(self._key(), 0) < FAILURES:
            return super().post(request, *args, **kwargs)
        form = AuthenticationForm(request)
        messages.error(request, _("Too many failed logins: wait a minute, then try again."))
        return self.render_to_response(self.get_context_data(form=form), status=429)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        cache.set(self._key(), cache.get(self._key(), 0) + 1, timeout=WAIT)
        return super().form_invalid(form)

    def _key(self) -> str:
        address = BaseThrottle().get_ident(cast(Any, self.request))
        return f"failed-logins-{text_digest(address)}"


@never_cache
@login_not_required
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation with the current login or with a new one."""
    invitation = invitation_get(token=token)
    if request.user.is_authenticated:
        if request.method == "POST":
            member = invitation_accept(token=token, user=known(request.user))
            return _welcome(request, member)
        left = withdrawal_of(campaign=invitation.campaign, user=request.user)
        context = {"invitation": invitation, "left": left}
        return render(request, "accounts/join.html", context)
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name, password = form.cleaned_data["username"], form.cleaned_data["password1"]
        try:
            member = sign_up(token=token, username=name, password=password)
        except Invalid as refusal:
            form.add_error("username", refusal.message)
        else:
            login(request, member.user, backend="django.contrib.auth.backends.ModelBackend")
            return _welcome(request, member)
    return render(request, "accounts/join.html", {"invitation": invitation, "form": form})


def _welcome(request: HttpRequest, member: Membership) -> HttpResponse:
    messages.success(request, _("Welcome to %(name)s.") % {"name": member.campaign.name})
    if member.role == Membership.Role.ANNOTATOR:
        return redirect("rate", member.campaign.slug)
    return redirect("campaign", member.campaign.slug)
