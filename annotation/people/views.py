"""Members, invitations and exclusions; many new people at once."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from annotation.access import administrator
from annotation.access import rights as rights_of
from annotation.accounts import users as accounts_users
from annotation.accounts.views import ask_first, confirm_always, confirm_first, site_of
from annotation.errors import DomainError, Invalid
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.importers.gold import InvitedPerson, people_read
from annotation.mail.emails import with_letter
from annotation.models import (
    Annotator,
    BackgroundQuestion,
    Exclusion,
    Guest,
    Invitation,
    Membership,
)
from annotation.people.annotators import (
    AnswerTally,
    annotators_with_answers,
    answer_tallies,
    exclusions_of_annotators,
    member_get,
    members,
    withdrawals,
)
from annotation.people.exclusions import exclusion_add, exclusion_lift
from annotation.people.forms import NAME_ONLY, ExcludeForm, InviteForm, NewUsersForm
from annotation.people.membership import (
    guest_end,
    guest_renew,
    guests_of,
    invitation_create,
    invitation_revoke,
    invite_many,
    join_link,
    membership_set,
)
from paraanno import clock


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
    link = join_link(page.request, token)
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
    link = join_link(page.request, token)
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


# New accounts of the site, or invitations to a campaign, for administrators.


ROLES = ("annotator", "researcher", "viewer")


@never_cache
@require_http_methods(["GET", "POST"])
@confirm_always
def users_new(request: HttpRequest) -> HttpResponse:
    """Make accounts, or invitations to a campaign; the links are shown once."""
    administrator(user=request.user)
    form = NewUsersForm(request.POST or None, request.FILES or None)
    problems: list[object] = []
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        people, errors = people_read(data["text"], name=data["source"], roles=ROLES)
        problems = list(errors)
        if not problems:
            try:
                lines = (
                    _invited(request, people, data)
                    if data["campaign"]
                    else _made(request, people, data)
                )
            except Invalid as refusal:
                form.add_error(None, refusal.message)
            else:
                context = {"lines": lines, "by_mail": sum(line["by_mail"] for line in lines)}
                return render(
                    request, "accounts/users_new.html", {**context, "form": NewUsersForm()}
                )
    wrong = bool(form.errors or problems)
    return render(
        request,
        "accounts/users_new.html",
        {"form": form, "problems": problems},
        status=422 if wrong else 200,
    )


def _made(
    request: HttpRequest, people: list[InvitedPerson], data: dict[str, Any]
) -> list[dict[str, Any]]:
    made = accounts_users.users_create(
        people=people,
        creates=data["creates"],
        by_mail=data["by_mail"],
        link_of=accounts_users.link_maker(site_of(request)),
        actor=request.user,
    )
    return [
        {
            "name": one.user.username,
            "email": one.user.email,
            "link": one.link,
            "by_mail": one.by_mail,
        }
        for one in made
    ]


def _invited(
    request: HttpRequest, people: list[InvitedPerson], data: dict[str, Any]
) -> list[dict[str, Any]]:
    invited = invite_many(
        campaign=data["campaign"],
        people=people,
        valid_for=timedelta(days=data["days"]),
        by_mail=data["by_mail"],
        actor=request.user,
        link_of=partial(join_link, request),
    )
    return [
        {
            "name": one.invitation.note,
            "email": one.invitation.email,
            "link": one.link,
            "by_mail": one.by_mail,
        }
        for one in invited
    ]
