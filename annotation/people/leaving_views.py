"""Withdrawal from a campaign, and what is stored of a person: to look at, take along, delete."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotation.access import logged_in
from annotation.accounts.confirm_views import confirm_first
from annotation.errors import Conflict, Invalid, NotAllowed
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.models import Withdrawal
from annotation.people.annotators import annotator_of, withdrawal_of
from annotation.people.exclusions import annotator_withdraw
from annotation.people.forms import DeleteAccountForm
from annotation.people.stored_data import account_erase, account_get, erasure_plan, person_zip
from annotation.sheets.progress import own_progress

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
