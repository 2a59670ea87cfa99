"""Guests: taking part by a name alone, and coming back by a link."""

from __future__ import annotations

from datetime import timedelta

from django import forms
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.access import logged_in, takes_part
from annotation.accounts.login import count, sender_of
from annotation.errors import Invalid, NotFound, TooManyFailures
from annotation.http.qr import qr_drawn
from annotation.models import Guest, Invitation
from annotation.panels.services import entry_count
from annotation.people.guests import LONGEST, guest_join, guest_of, guest_renew, guest_stays
from annotation.people.membership import NameTaken
from paraanno.http.errors import full_address
from paraanno.http.login_required import BACKEND

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
