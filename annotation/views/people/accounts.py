"""Login and joining a campaign."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotation.errors import TooManyFailures
from annotation.forms.campaigns import SignUpForm
from annotation.models import Membership
from annotation.selectors.access import known
from annotation.selectors.people.members import invitation_get
from annotation.selectors.people.withdrawal import withdrawal_of
from annotation.services.accounts.signing_in import LoginStep, sign_in
from annotation.services.people.membership import NameTaken, invitation_accept, sign_up
from annotation.views.accounts.entering import next_page


class Login(LoginView):
    """Log in: the only page for it, to which the Django admin leads too."""

    template_name = "accounts/login.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        outside = settings.OIDC_ISSUER and settings.OIDC_NAME
        return super().get_context_data(outside=outside, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        step = sign_in(self.request, known(form.get_user()), fresh=True)
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
        joined = _join_as(request, token, form.cleaned_data)
        if joined is not None:
            return joined
        form.add_error(None, _(
            "This name and password do not match: choose another name, or give your own password "
            "if you have a login here."
        ))  # fmt: skip
    return render(request, "accounts/join.html", {"invitation": invitation, "form": form})


def _join_as(request: HttpRequest, token: str, given: dict[str, Any]) -> HttpResponse | None:
    """Welcome the new member; None if that does not work. A name that somebody has is taken for a
    login: its own password joins (after the second factor, if there is one), another one counts as
    a failure, so that nobody can go through names here."""
    name, password = given["username"], given["password1"]
    try:
        member = sign_up(token=token, username=name, password=password)
    except NameTaken:
        user = authenticate(request, username=name, password=password)
        if user is None:
            return None
        step = sign_in(request, known(user), fresh=True)
        if step != LoginStep.IN:
            return redirect(next_page(step, request.path))
        member = invitation_accept(token=token, user=known(user))
    else:
        sign_in(request, member.user, fresh=True)
    return _welcome(request, member)


def _welcome(request: HttpRequest, member: Membership) -> HttpResponse:
    messages.success(request, _("Welcome to %(name)s.") % {"name": member.campaign.name})
    if member.role == Membership.Role.ANNOTATOR:
        return redirect("rate", member.campaign.slug)
    return redirect("campaign", member.campaign.slug)
