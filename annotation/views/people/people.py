"""Members, invitations and exclusions."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.errors import DomainError, Invalid
from annotation.forms.campaigns import ExcludeForm, InviteForm
from annotation.models import Campaign, Exclusion, Invitation, Membership
from annotation.selectors.access import Rights, campaign_get, get_in
from annotation.selectors.access import rights as rights_of
from annotation.selectors.letters import with_letter
from annotation.selectors.people.exclusions import exclusions_of_annotators
from annotation.selectors.people.members import member_get, members
from annotation.selectors.people.withdrawal import withdrawals
from annotation.services.people.exclusions import exclusion_add, exclusion_lift
from annotation.services.people.membership import (
    invitation_create,
    invitation_revoke,
    membership_set,
)
from annotation.views.accounts.confirm import ask_first, confirm_first
from annotation.views.pages import campaign_page
from paraanno import clock
from paraanno.answers.site_address import full_address


@never_cache
@require_GET
def people(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    chosen = ExcludeForm(
        campaign=campaign, auto_id="exclude_%s",
        initial={"annotator": request.GET.get("exclude", ""), "free_slots": True},
    )  # fmt: skip
    return _page(request, campaign, rights, exclude=chosen)


def _page(
    request: HttpRequest,
    campaign: Campaign,
    rights: Rights,
    *,
    invite: InviteForm | None = None,
    exclude: ExcludeForm | None = None,
    link: str = "",
) -> HttpResponse:
    return campaign_page(
        request, "annotation/people.html", campaign=campaign, rights=rights, link=link,
        page=Paginator(members(campaign=campaign), 100).get_page(request.GET.get("page")),
        roles=Membership.Role.choices,
        invitations=with_letter(campaign.invitations.select_related("created_by")), now=clock.now(),
        exclusions=exclusions_of_annotators(campaign=campaign),
        withdrawals=withdrawals(campaign=campaign),
        invite=invite or InviteForm(auto_id="invite_%s"),
        exclude=exclude or ExcludeForm(campaign=campaign, auto_id="exclude_%s"),
        status=422 if (invite and invite.errors) or (exclude and exclude.errors) else 200,
    )  # fmt: skip


@never_cache
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a link and show it once: only its hash is stored."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = InviteForm(request.POST, auto_id="invite_%s")
    if not form.is_valid():
        return _page(request, campaign, rights, invite=form)
    data = form.cleaned_data
    if data["role"] != Membership.Role.ANNOTATOR and (asked := ask_first(request)) is not None:
        return asked
    _invitation, token = invitation_create(
        campaign=campaign, actor=request.user, role=data["role"], note=data["note"],
        valid_for=timedelta(days=data["days"]), max_uses=data["max_uses"],
    )  # fmt: skip
    link = full_address(request, reverse("join", args=[token]))
    return _page(request, campaign, rights, link=link)


@require_POST
def revoke(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    invitation_revoke(invitation=get_in(campaign, Invitation, key), actor=request.user)
    messages.success(request, _("The link no longer works; members who joined by it stay."))
    return redirect("people", slug)


@never_cache
@require_POST
@confirm_first
def role(request: HttpRequest, slug: str, user: int) -> HttpResponse:
    """Set or remove a role; for owners."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="own")
    member = member_get(campaign=campaign, user=user)
    wanted = request.POST.get("role") or None
    if wanted is not None and wanted not in Membership.Role.values:
        raise Invalid(_("There is no such role."))
    try:
        membership_set(campaign=campaign, user=member, role=wanted, actor=request.user)
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("The role of %(name)s was set.") % {"name": member.username})
    left = rights_of(user=request.user, campaign=campaign)
    return redirect("people", slug) if left.research else redirect("home")


@require_POST
def exclude(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = ExcludeForm(request.POST, campaign=campaign, auto_id="exclude_%s")
    if not form.is_valid():
        return _page(request, campaign, rights, exclude=form)
    data = form.cleaned_data
    try:
        exclusion_add(
            target=data["annotator"], reason=data["reason"], actor=request.user,
            free_slots=data["free_slots"],
        )  # fmt: skip
    except Invalid as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("Left out from now on; nothing was deleted."))
    return redirect("people", slug)


@require_POST
def lift(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    exclusion_lift(exclusion=get_in(campaign, Exclusion, key), actor=request.user)
    messages.success(request, _("Lifted: the judgments count again where a place was free."))
    return redirect("people", slug)
