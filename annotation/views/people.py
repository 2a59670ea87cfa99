"""Members, invitations and voices."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.forms import ExcludeForm, InviteForm
from annotation.models import Campaign, Exclusion, Invitation, Membership
from annotation.selectors.access import Rights, campaign_get
from annotation.selectors.access import rights as rights_of
from annotation.selectors.people import members
from annotation.selectors.withdrawal import withdrawals
from annotation.services.errors import DomainError, Invalid, NotFound
from annotation.services.exclusions import exclusion_add, exclusion_lift
from annotation.services.people import invitation_create, invitation_revoke, membership_set
from annotation.views.pages import campaign_page


@never_cache
@require_GET
def people(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    return _page(request, campaign, rights)


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
        invitations=campaign.invitations.select_related("created_by"), now=timezone.now(),
        exclusions=Exclusion.objects.filter(campaign=campaign, annotator__isnull=False)
        .select_related("annotator", "created_by", "lifted_by"),
        withdrawals=withdrawals(campaign=campaign),
        invite=invite or InviteForm(auto_id="invite_%s"),
        exclude=exclude or ExcludeForm(campaign=campaign, auto_id="exclude_%s"),
        status=422 if (invite and invite.errors) or (exclude and exclude.errors) else 200,
    )  # fmt: skip


@never_cache
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a link and show it, once: only its hash is kept."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = InviteForm(request.POST, auto_id="invite_%s")
    if not form.is_valid():
        return _page(request, campaign, rights, invite=form)
    data = form.cleaned_data
    _invitation, token = invitation_create(
        campaign=campaign, actor=request.user, role=data["role"], note=data["note"],
        valid_for=timedelta(days=data["days"]), max_uses=data["max_uses"],
    )  # fmt: skip
    link = request.build_absolute_uri(reverse("join", args=[token]))
    return _page(request, campaign, rights, link=link)


@require_POST
def revoke(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    invitation = Invitation.objects.filter(campaign=campaign, key=key).first()
    if invitation is None:
        raise NotFound(_("There is no such invitation."))
    invitation_revoke(invitation=invitation, actor=request.user)
    messages.success(request, _("The link no longer works; who came by it stays."))
    return redirect("people", slug)


@require_POST
def role(request: HttpRequest, slug: str, user: int) -> HttpResponse:
    """Owners name roles and take them away."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="own")
    member = User.objects.filter(pk=user, memberships__campaign=campaign).first()
    wanted = request.POST.get("role") or None
    if member is None:
        raise NotFound(_("There is no such member."))
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
def lift(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    exclusion = Exclusion.objects.filter(campaign=campaign, key=key).first()
    if exclusion is None:
        raise NotFound(_("There is no such exclusion."))
    exclusion_lift(exclusion=exclusion, actor=request.user)
    messages.success(request, _("Lifted: the judgments count again where a place was free."))
    return redirect("people", slug)
