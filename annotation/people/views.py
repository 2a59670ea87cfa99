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

from annotation.access import logged_in, refuse_participant
from annotation.access import rights as rights_of
from annotation.accounts.confirm_views import ask_first, confirm_first
from annotation.accounts.entering_views import next_page
from annotation.accounts.tokens import LoginStep, sign_in
from annotation.errors import DomainError, Invalid, NotAllowed, TooManyFailures
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.mail.queries import with_letter
from annotation.models import (
    Annotator,
    BackgroundQuestion,
    Exclusion,
    Guest,
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
from annotation.people.forms import NAME_ONLY, ExcludeForm, InviteForm, SignUpForm
from annotation.people.guest_views import come_back, has_account, join_by_name
from annotation.people.guests import guest_end, guest_renew, guest_with, guests_of
from annotation.people.membership import (
    NameTaken,
    invitation_accept,
    invitation_create,
    invitation_revoke,
    membership_set,
    sign_up,
)
from annotation.sheets.progress import own_progress
from paraanno import clock
from paraanno.http.errors import full_address


@never_cache
@require_GET
@campaign_view("research")
def people(page: CampaignPage) -> HttpResponse:
    chosen = ExcludeForm(
        campaign=page.campaign,
        auto_id="exclude_%s",
        initial={"annotator": page.query.get("exclude", ""), "free_slots": True},
    )
    return _page(page, exclude=chosen)


def _page(
    page: CampaignPage,
    *,
    invite: InviteForm | None = None,
    exclude: ExcludeForm | None = None,
    link: str = "",
    link_of: Guest | None = None,
) -> HttpResponse:
    people = page.paged(members(campaign=page.campaign), 100)
    guests = guests_of(campaign=page.campaign)
    return page.render(
        "annotation/people.html",
        link=link,
        link_of=link_of,
        rows=[(member, guests.get(member.user_id)) for member in people],
        page=people,
        roles=Membership.Role.choices,
        invitations=with_letter(page.campaign.invitations.select_related("created_by")),
        now=clock.now(),
        exclusions=exclusions_of_annotators(campaign=page.campaign),
        withdrawals=withdrawals(campaign=page.campaign),
        invite=invite or InviteForm(auto_id="invite_%s"),
        exclude=exclude or ExcludeForm(campaign=page.campaign, auto_id="exclude_%s"),
    )


@never_cache
@require_POST
@campaign_view("research")
def invite(page: CampaignPage) -> HttpResponse:
    """Create a link and show it once: only its hash is stored."""
    form = InviteForm(page.post, auto_id="invite_%s")
    if not form.is_valid():
        return _page(page, invite=form)
    data = form.cleaned_data
    if (
        data["role"] != Membership.Role.ANNOTATOR
        and (prompt := ask_first(page.request)) is not None
    ):
        return prompt
    _invitation, token = invitation_create(
        campaign=page.campaign,
        actor=page.user,
        role=data["role"],
        note=data["note"],
        valid_for=timedelta(days=data["days"]),
        max_uses=data["max_uses"],
        name_only=data["entry"] == NAME_ONLY,
    )
    link = full_address(page.request, reverse("join", args=[token]))
    return _page(page, link=link)


@require_POST
@campaign_view("research")
def revoke(page: CampaignPage, key: UUID) -> HttpResponse:
    invitation_revoke(invitation=page.row(Invitation, key), actor=page.user)
    return page.done(_("The link no longer works; members who joined by it stay."), "people")


@never_cache
@require_POST
@campaign_view("research")
def guest_link(page: CampaignPage, key: UUID) -> HttpResponse:
    """Make a guest a new link back, shown once, or end the one they have."""
    guest = page.row(Guest, key, "annotator__user", "campaign")
    if page.post.get("act") == "end":
        guest_end(guest=guest, actor=page.user)
        return page.done(
            _("The link of %(name)s no longer works.") % {"name": guest.name}, "people"
        )
    token = guest_renew(guest=guest, actor=page.user)
    link = full_address(page.request, reverse("join", args=[token]))
    return _page(page, link=link, link_of=guest)


@never_cache
@require_POST
@confirm_first
@campaign_view("own")
def role(page: CampaignPage, user: int) -> HttpResponse:
    """Set or remove a role; for owners."""
    member = member_get(campaign=page.campaign, user=user)
    wanted = page.post.get("role") or None
    if wanted is not None and wanted not in Membership.Role.values:
        raise Invalid(_("There is no such role."))
    try:
        membership_set(campaign=page.campaign, user=member, role=wanted, actor=page.user)
    except DomainError as refusal:
        page.warns(refusal.message)
    else:
        page.says(_("The role of %(name)s was set.") % {"name": member.username})
    left = rights_of(user=page.user, campaign=page.campaign)
    return page.go("people") if left.research else redirect("home")


@require_POST
@campaign_view("research")
def exclude(page: CampaignPage) -> HttpResponse:
    form = ExcludeForm(page.post, campaign=page.campaign, auto_id="exclude_%s")
    if not form.is_valid():
        return _page(page, exclude=form)
    data = form.cleaned_data
    return page.act(
        "people",
        do=lambda: exclusion_add(
            target=data["annotator"],
            reason=data["reason"],
            actor=page.user,
            free_slots=data["free_slots"],
        ),
        done=_("Left out from now on; nothing was deleted."),
    )


@require_POST
@campaign_view("research")
def lift(page: CampaignPage, key: UUID) -> HttpResponse:
    exclusion_lift(exclusion=page.row(Exclusion, key), actor=page.user)
    return page.done(_("Lifted: the judgments count again where an assignment was free."), "people")


# Login and joining a campaign.


class Login(LoginView):
    """Log in: the only page for it, to which the Django admin leads too."""

    template_name = "accounts/login.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        outside = settings.OIDC_ISSUER and settings.OIDC_NAME
        return super().get_context_data(outside=outside, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        step = sign_in(self.request, logged_in(form.get_user()), fresh=True)
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


# Annotators' answers to background questions, for researchers.


PER_PAGE = 100
MOST_VALUES = 30  # Per question: free-text answers may all differ.


@never_cache
@require_safe
@campaign_view("research")
def answers(page: CampaignPage) -> HttpResponse:
    """Show a table of counts for each question, and each annotator's answers by code."""
    tallies = answer_tallies(campaign=page.campaign)
    rows = page.paged(annotators_with_answers(campaign=page.campaign), PER_PAGE)
    questions = [tally.question for tally in tallies]
    return page.render(
        "annotation/background_answers.html",
        parts=[_part(tally) for tally in tallies],
        questions=questions,
        page=rows,
        lines=[(one, _cells(one, questions)) for one in rows],
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
