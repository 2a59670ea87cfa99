"""Members, invitations and exclusions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from annotation.access import Rights, campaign_get, get_in, known
from annotation.access import rights as rights_of
from annotation.accounts.confirm_views import ask_first, confirm_first
from annotation.accounts.entering_views import next_page
from annotation.accounts.tokens import LoginStep, sign_in
from annotation.campaigns.forms import ExcludeForm, InviteForm, SignUpForm
from annotation.campaigns.progress import own_progress
from annotation.errors import DomainError, Invalid, NotAllowed, TooManyFailures
from annotation.http.pages import campaign_page
from annotation.mail.queries import with_letter
from annotation.models import (
    Annotator,
    BackgroundQuestion,
    Campaign,
    Exclusion,
    Invitation,
    Membership,
    Withdrawal,
)
from annotation.people.annotators import (
    AnswerTally,
    annotator_of,
    annotators_with_answers,
    answer_tallies,
    exclusions_of_annotators,
    invitation_get,
    member_get,
    members,
    withdrawal_of,
    withdrawals,
)
from annotation.people.exclusions import annotator_withdraw, exclusion_add, exclusion_lift
from annotation.people.membership import (
    NameTaken,
    invitation_accept,
    invitation_create,
    invitation_revoke,
    membership_set,
    sign_up,
)
from paraanno import clock
from paraanno.http.errors import full_address


@never_cache
@require_GET
def people(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    chosen = ExcludeForm(
        campaign=campaign,
        auto_id="exclude_%s",
        initial={"annotator": request.GET.get("exclude", ""), "free_slots": True},
    )
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
        request,
        "annotation/people.html",
        campaign=campaign,
        rights=rights,
        link=link,
        page=Paginator(members(campaign=campaign), 100).get_page(request.GET.get("page")),
        roles=Membership.Role.choices,
        invitations=with_letter(campaign.invitations.select_related("created_by")),
        now=clock.now(),
        exclusions=exclusions_of_annotators(campaign=campaign),
        withdrawals=withdrawals(campaign=campaign),
        invite=invite or InviteForm(auto_id="invite_%s"),
        exclude=exclude or ExcludeForm(campaign=campaign, auto_id="exclude_%s"),
        status=422 if (invite and invite.errors) or (exclude and exclude.errors) else 200,
    )


@never_cache
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a link and show it once: only its hash is stored."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = InviteForm(request.POST, auto_id="invite_%s")
    if not form.is_valid():
        return _page(request, campaign, rights, invite=form)
    data = form.cleaned_data
    if data["role"] != Membership.Role.ANNOTATOR and (prompt := ask_first(request)) is not None:
        return prompt
    _invitation, token = invitation_create(
        campaign=campaign,
        actor=request.user,
        role=data["role"],
        note=data["note"],
        valid_for=timedelta(days=data["days"]),
        max_uses=data["max_uses"],
    )
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
            target=data["annotator"],
            reason=data["reason"],
            actor=request.user,
            free_slots=data["free_slots"],
        )
    except Invalid as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("Left out from now on; nothing was deleted."))
    return redirect("people", slug)


@require_POST
def lift(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    exclusion_lift(exclusion=get_in(campaign, Exclusion, key), actor=request.user)
    messages.success(request, _("Lifted: the judgments count again where an assignment was free."))
    return redirect("people", slug)


# Login and joining a campaign.


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


# Annotators' answers to background questions, for researchers.


PER_PAGE = 100
MOST_VALUES = 30  # Per question: free-text answers may all differ.


@never_cache
@require_safe
def answers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a table of counts for each question, and each annotator's answers by code."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    tallies = answer_tallies(campaign=campaign)
    rows = Paginator(annotators_with_answers(campaign=campaign), PER_PAGE)
    page = rows.get_page(request.GET.get("page"))
    questions = [tally.question for tally in tallies]
    return campaign_page(
        request,
        "annotation/background_answers.html",
        campaign=campaign,
        rights=rights,
        parts=[_part(tally) for tally in tallies],
        questions=questions,
        page=page,
        lines=[(one, _cells(one, questions)) for one in page],
    )


def _part(tally: AnswerTally) -> dict[str, object]:
    more = max(0, len(tally.counts) - MOST_VALUES)
    return {"tally": tally, "rows": tally.counts[:MOST_VALUES], "more": more}


def _cells(annotator: Annotator, questions: list[BackgroundQuestion]) -> list[dict[str, object]]:
    """Return the annotator's answer to each question: a text, or that there is none."""
    given = {one.question_id: one for one in annotator.background_answers.all()}
    pairs = [(question, given.get(question.pk)) for question in questions]
    return [
        {
            "question": question,
            "asked": answer is not None,
            "declined": answer is not None and answer.declined,
            "text": _shown(answer.value) if answer is not None else "",
        }
        for question, answer in pairs
    ]


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


# Withdrawal from a campaign, with the choice about the judgments.


@never_cache
@require_http_methods(["GET", "POST"])
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the choices; a confirmed POST withdraws."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    annotator = annotator_of(campaign=campaign, user=request.user)
    unsure = False
    if request.method == "POST" and annotator is not None:
        unsure = "sure" not in request.POST
        if not unsure:
            try:
                annotator_withdraw(
                    annotator=annotator,
                    judgments=request.POST.get("judgments", Withdrawal.Judgments.KEEP),
                    erase="erase" in request.POST,
                )
            except NotAllowed as refusal:
                messages.error(request, refusal.message)
                return redirect("rate-withdraw", slug)
            messages.success(
                request, _("You no longer take part in %(name)s.") % {"name": campaign.name}
            )
            return redirect("home")
    context = {
        "campaign": campaign,
        "annotator": annotator,
        "left": withdrawal_of(campaign=campaign, user=request.user),
        "progress": own_progress(campaign=campaign, annotator=annotator),
        "unsure": unsure,
        "chosen": request.POST,
    }
    return render(request, "annotation/rate_withdraw.html", context, status=422 if unsure else 200)
