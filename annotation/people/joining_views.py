"""Joining a campaign by an invitation: with a login, with a new one, or by a name alone as a guest,
who comes back by a link."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import authenticate, login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotation.access import logged_in, refuse_participant, takes_part
from annotation.accounts.entering_views import next_page
from annotation.accounts.login import count, entry_count, sender_of
from annotation.accounts.tokens import LoginStep, sign_in
from annotation.errors import Invalid, NotFound, TooManyFailures
from annotation.http.qr import qr_drawn
from annotation.models import Guest, Invitation, Membership
from annotation.people.annotators import invitation_get, withdrawal_of
from annotation.people.forms import SignUpForm
from annotation.people.guests import (
    LONGEST,
    guest_join,
    guest_of,
    guest_renew,
    guest_stays,
    guest_with,
)
from annotation.people.membership import NameTaken, invitation_accept, sign_up
from paraanno.http.errors import full_address
from paraanno.http.middleware import BACKEND

STAYS = timedelta(days=180)  # How long a browser remembers a guest.
TAKEN, WINDOW = 30, 300  # names that were taken, of one address; seconds


class NameForm(forms.Form):
    """The name, which is all that is asked for."""

    name = forms.CharField(
        label=gettext_lazy("Your name"),
        max_length=LONGEST,
        help_text=gettext_lazy(
            "Whoever runs this sees it; results show a code instead. Any name that you will know "
            "again is fine."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "autofocus": True}),
    )


def has_account(request: HttpRequest) -> bool:
    """Whether somebody with an account of their own is logged in."""
    return request.user.is_authenticated and not takes_part(user=request.user)


def join_by_name(request: HttpRequest, token: str, invitation: Invitation) -> HttpResponse:
    """Ask for a name; with it the person is in, and gets the link that brings them back."""
    form, status = NameForm(request.POST or None), 200
    if request.method == "POST":
        sender = sender_of(request)
        entry_count(address=sender)
        try:
            if form.is_valid():
                return _joined(request, *guest_join(token=token, name=form.cleaned_data["name"]))
        except NameTaken as refusal:
            form.add_error("name", refusal.message)
            try:
                count("guest-names", sender, most=TAKEN, seconds=WINDOW)
            except TooManyFailures as too_many:
                form, status = NameForm(), 429
                form.errors["name"] = form.error_class([too_many.message])
        except Invalid as refusal:
            form.add_error("name", refusal.message)
        status = 422 if status == 200 else status
    context = {"invitation": invitation, "form": form, "guest": guest_of(user=request.user)}
    return render(request, "annotation/guest_join.html", context, status=status)


def _joined(request: HttpRequest, guest: Guest, back: str) -> HttpResponse:
    guest_log_in(request, guest)
    if not back:
        return redirect("rate", guest.campaign.slug)
    return _link_page(request, guest, back, new=True)


def guest_log_in(request: HttpRequest, guest: Guest) -> None:
    login(request, logged_in(guest.annotator.user), backend=BACKEND)  # type: ignore[arg-type]
    request.session.set_expiry(STAYS)


def _link_page(request: HttpRequest, guest: Guest, back: str, *, new: bool) -> HttpResponse:
    link = full_address(request, reverse("join", args=[back]))
    context = {"guest": guest, "link": link, "picture": qr_drawn(link), "new": new}
    return render(request, "annotation/guest_link.html", context)


def come_back(request: HttpRequest, guest: Guest) -> HttpResponse:
    """Log the guest in who opened their link; a button is pressed first, so that no page elsewhere
    and no preview of a message does it."""
    if request.user == guest.annotator.user:
        return redirect("guest")
    if request.method == "POST" and not has_account(request):
        entry_count(address=sender_of(request))
        guest_log_in(request, guest)
        return redirect("guest")
    context = {"guest": guest, "account": has_account(request)}
    return render(request, "annotation/guest_back.html", context)


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def guest(request: HttpRequest) -> HttpResponse:
    """Lead the guest to their work, or say that it has ended; a POST makes a new link back."""
    row = guest_of(user=request.user)
    if row is None:
        raise NotFound(_("Open the link that you got when you began: it knows you."))
    if request.method == "POST":
        return _link_page(request, row, guest_renew(guest=row, actor=request.user), new=False)
    if guest_stays(guest=row):
        return redirect("rate", row.campaign.slug)
    return render(request, "annotation/guest_left.html", {"guest": row})


@never_cache
@login_not_required
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation with the current login, with a new one or by a name alone; guests come
    back here."""
    guest = guest_with(token=token)
    if guest is not None:
        return come_back(request, guest)
    invitation = invitation_get(token=token)
    if invitation.name_only and not has_account(request):
        return join_by_name(request, token, invitation)
    refuse_participant(user=request.user)
    if request.user.is_authenticated:
        if request.method == "POST":
            member = invitation_accept(token=token, user=logged_in(request.user))
            return _welcome(request, member)
        left = withdrawal_of(campaign=invitation.campaign, user=request.user)
        context = {"invitation": invitation, "left": left}
        return render(request, "accounts/join.html", context)
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        joined = _join_as(request, token, form.cleaned_data)
        if joined is not None:
            return joined
        form.add_error(
            None,
            _(
                "This name and password do not match: choose another name, or give your own "
                "password if you have a login here."
            ),
        )
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
        step = sign_in(request, logged_in(user), fresh=True)
        if step != LoginStep.IN:
            return redirect(next_page(step, request.path))
        member = invitation_accept(token=token, user=logged_in(user))
    else:
        sign_in(request, member.user, fresh=True)
    return _welcome(request, member)


def _welcome(request: HttpRequest, member: Membership) -> HttpResponse:
    messages.success(request, _("Welcome to %(name)s.") % {"name": member.campaign.name})
    if member.role == Membership.Role.ANNOTATOR:
        return redirect("rate", member.campaign.slug)
    return redirect("campaign", member.campaign.slug)
