"""Joining a campaign by an invitation, with a login, with a new one, or by a name alone as a guest;
withdrawal from it, and what is stored of a person: to look at, take along, delete.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import IO, Any

from django import forms
from django.contrib import messages
from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from annotation.access import logged_in, refuse_participant, takes_part
from annotation.accounts.entering_views import next_page
from annotation.accounts.login import count, entry_count, sender_of
from annotation.accounts.tokens import LoginStep, sign_in
from annotation.accounts.views import confirm_first
from annotation.errors import Conflict, Invalid, NotAllowed, NotFound, TooManyFailures
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.charts import qr_drawn
from annotation.models import Guest, Invitation, Membership, Withdrawal
from annotation.people.annotators import annotator_of, invitation_get, withdrawal_of
from annotation.people.exclusions import annotator_withdraw
from annotation.people.forms import DeleteAccountForm, SignUpForm
from annotation.people.membership import (
    LONGEST,
    NameTaken,
    guest_join,
    guest_of,
    guest_renew,
    guest_stays,
    guest_with,
    invitation_accept,
    join_link,
    sign_up,
)
from annotation.people.stored_data import account_erase, account_get, erasure_plan, person_zip
from annotation.sheets.progress import own_progress
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
    link = join_link(request, back)
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


# What is stored about a person: to look at, to take along, to delete. By the person, or by an
# administrator.


CHUNK = 2**16


@never_cache
@require_GET
def own(request: HttpRequest) -> HttpResponse:
    """One's own data."""
    return _page(request, logged_in(request.user))


@never_cache
@require_GET
def other(request: HttpRequest, user: int) -> HttpResponse:
    """Somebody's data, for administrators."""
    return _page(request, account_get(actor=request.user, pk=user))


def _page(request: HttpRequest, user: User) -> HttpResponse:
    return render(request, "accounts/data.html", _context(request, user))


def _context(request: HttpRequest, user: User) -> dict[str, object]:
    is_own = user.pk == request.user.pk
    names = ("account-data-file", "account-delete", "account-data")
    others = ("site-person-file", "site-person-delete", "site-person")
    urls = map(reverse, names) if is_own else (reverse(one, args=[user.pk]) for one in others)
    file, delete, page = urls
    plan = erasure_plan(user=user)
    return {
        "person": user,
        "own": is_own,
        "plan": plan,
        "file_url": file,
        "delete_url": delete,
        "page_url": page,
    }


@never_cache
@require_GET
def own_file(request: HttpRequest) -> StreamingHttpResponse:
    """The zip of one's own data."""
    return _file(logged_in(request.user))


@never_cache
@require_GET
def other_file(request: HttpRequest, user: int) -> StreamingHttpResponse:
    """The zip of somebody's data, for administrators."""
    return _file(account_get(actor=request.user, pk=user))


def _file(user: User) -> StreamingHttpResponse:
    answer = StreamingHttpResponse(_chunks(person_zip(user=user)), content_type="application/zip")
    answer["Content-Disposition"] = 'attachment; filename="data.zip"'
    return answer


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    with stream:
        while chunk := stream.read(CHUNK):
            yield chunk


@never_cache
@require_http_methods(["GET", "POST"])
@confirm_first
def own_delete(request: HttpRequest) -> HttpResponse:
    """What will happen; a POST with the name deletes."""
    return _delete(request, logged_in(request.user))


@never_cache
@require_http_methods(["GET", "POST"])
@confirm_first
def other_delete(request: HttpRequest, user: int) -> HttpResponse:
    """The same of somebody, for administrators: the name is typed."""
    return _delete(request, account_get(actor=request.user, pk=user))


def _delete(request: HttpRequest, user: User) -> HttpResponse:
    is_own = user.pk == request.user.pk
    form = DeleteAccountForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        try:
            erased = account_erase(
                user=user, typed=form.cleaned_data["typed"], actor=logged_in(request.user)
            )
        except (Conflict, Invalid) as refusal:
            form.add_error(None, refusal.message)
        else:
            if is_own:
                logout(request)
            messages.success(
                request,
                _(
                    "The account was deleted. %(kept)s judgments keep their code, %(removed)s "
                    "were deleted. Archives, backups and files that were downloaded before still "
                    "have what was in them."
                )
                % {"kept": erased.remaining, "removed": erased.removed},
            )
            return redirect("login" if is_own else "site-audit")
    context = {**_context(request, user), "form": form}
    return render(request, "accounts/delete.html", context, status=422 if form.errors else 200)


# Withdrawal from a campaign, with the choice about the judgments.


@never_cache
@require_http_methods(["GET", "POST"])
@campaign_view("annotate")
def withdraw(page: CampaignPage) -> HttpResponse:
    """Show the choices; a confirmed POST withdraws."""
    annotator = annotator_of(campaign=page.campaign, user=page.user)
    unsure = False
    if page.sent and annotator is not None:
        unsure = "sure" not in page.post
        if not unsure:
            try:
                annotator_withdraw(
                    annotator=annotator,
                    judgments=page.post.get("judgments", Withdrawal.Judgments.KEEP),
                    erase="erase" in page.post,
                )
            except NotAllowed as refusal:
                page.warns(refusal.message)
                return page.go("rate-withdraw")
            page.says(_("You no longer take part in %(name)s.") % {"name": page.campaign.name})
            return redirect("home")
    return page.bare(
        "annotation/rate_withdraw.html",
        annotator=annotator,
        left=withdrawal_of(campaign=page.campaign, user=page.user),
        progress=own_progress(campaign=page.campaign, annotator=annotator),
        unsure=unsure,
        chosen=page.post,
        status=422 if unsure else 200,
    )
