"""Groups, quotas, and inviting many people at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import Invalid
from annotation.forms.people import (
    GroupOfForm,
    InviteManyForm,
    RemindersForm,
    WorkGroupForm,
    WorkRuleForm,
)
from annotation.importers.people import people_read
from annotation.models import Campaign, Membership
from annotation.selectors.access import Rights, campaign_get
from annotation.selectors.people.quotas import work_groups, work_lines, work_rule_of
from annotation.selectors.people.reminders import reminder_rule_of
from annotation.services.people.inviting import Invited, invite_many, remind
from annotation.services.people.quotas import group_join, work_group_set, work_rule_set
from annotation.services.people.reminders import invitation_of_mail, mail_stop, reminders_set
from annotation.views.accounts.confirm import ask_first
from annotation.views.pages import campaign_page
from paraanno.answers.site_address import full_address

ROLES = (Membership.Role.ANNOTATOR, Membership.Role.RESEARCHER, Membership.Role.VIEWER)
ROLE_NAMES = tuple(role.value for role in ROLES)


@never_cache
@require_http_methods(["GET", "POST"])
def groups(request: HttpRequest, slug: str) -> HttpResponse:
    """Show groups and quotas; a POST sets the campaign's, a group's, or somebody's group."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    act = request.POST.get("act", "")
    rule = work_rule_of(campaign=campaign)
    forms = {
        "rule": WorkRuleForm(
            request.POST if act == "rule" else None, auto_id="rule_%s",
            initial={name: getattr(rule, name) for name in WorkRuleForm.base_fields},
        ),
        "group": WorkGroupForm(request.POST if act == "group" else None, auto_id="group_%s"),
        "join": GroupOfForm(
            request.POST if act == "join" else None, campaign=campaign, auto_id="join_%s"
        ),
    }  # fmt: skip
    form = forms.get(act)
    if request.method == "POST" and form is None:
        raise Invalid(_("Choose what to set."))
    if form is not None and form.is_valid():
        try:
            _set(campaign, act, form.cleaned_data, request)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("groups", slug)
    return campaign_page(
        request, "annotation/groups.html", campaign=campaign, rights=rights, forms=forms,
        groups=work_groups(campaign=campaign), lines=work_lines(campaign=campaign),
        status=422 if form is not None and form.errors else 200,
    )  # fmt: skip


def _set(campaign: Campaign, act: str, data: dict[str, object], request: HttpRequest) -> None:
    given: dict[str, object] = {**data, "actor": request.user}
    if act == "join":
        group_join(**given)  # type: ignore[arg-type]
    else:
        set_it: Callable[..., object] = work_rule_set if act == "rule" else work_group_set
        set_it(campaign=campaign, **given)


@never_cache
@require_http_methods(["GET", "POST"])
def invite_people(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite many at once; the links are shown once."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = InviteManyForm(request.POST or None, request.FILES or None)
    problems: list[object] = []
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        people, found = people_read(data["text"], name=data["source"], roles=ROLE_NAMES)
        problems = list(found)
        if any(one.role != Membership.Role.ANNOTATOR for one in people):
            # The text of a file is carried along as if it had been typed.
            lines = {
                "people": data["text"],
                "days": str(data["days"]),
                "by_mail": "on" if data["by_mail"] else "",
            }
            if (asked := ask_first(request, lines)) is not None:
                return asked
        if not problems:
            try:
                invited = invite_many(
                    campaign=campaign, people=people, valid_for=timedelta(days=data["days"]),
                    by_mail=data["by_mail"], link_of=_link(request), actor=request.user,
                )  # fmt: skip
            except Invalid as refusal:
                form.add_error(None, refusal.message)
            else:
                return _invited(request, campaign, rights, invited)
    wrong = bool(form.errors or problems)
    return campaign_page(
        request, "annotation/invite_many.html", campaign=campaign, rights=rights, form=form,
        problems=problems, reminders=_reminders(campaign), status=422 if wrong else 200,
    )  # fmt: skip


def _reminders(campaign: Campaign) -> RemindersForm:
    rule = reminder_rule_of(campaign=campaign)
    initial = {"days": rule.days, "at_most": rule.at_most} if rule else {"at_most": 2}
    return RemindersForm(initial=initial, auto_id="remind_%s")


def _link(request: HttpRequest) -> Callable[[str], str]:
    return lambda token: full_address(request, reverse("join", args=[token]))


def _invited(
    request: HttpRequest, campaign: Campaign, rights: Rights, invited: list[Invited]
) -> HttpResponse:
    return campaign_page(
        request, "annotation/invite_many.html", campaign=campaign, rights=rights,
        form=InviteManyForm(), reminders=_reminders(campaign), invited=invited,
        by_mail=sum(one.by_mail for one in invited),
    )  # fmt: skip


@require_POST
def set_reminders(request: HttpRequest, slug: str) -> HttpResponse:
    """Set after how many days workers remind people by themselves."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    form = RemindersForm(request.POST)
    if form.is_valid():
        site = full_address(request, "/")
        reminders_set(campaign=campaign, site=site, actor=request.user, **form.cleaned_data)
        messages.success(request, _("Saved."))
    else:
        messages.error(request, " ".join(str(one[0]) for one in form.errors.values()))
    return redirect("invite-many", slug)


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def no_mail(request: HttpRequest, key: str) -> HttpResponse:
    """Whoever follows the link in a reminder gets no more; they press a button, as mail programs
    open links by themselves."""
    invitation = invitation_of_mail(key=key)
    if request.method == "POST":
        mail_stop(invitation=invitation)
        return redirect("no-mail", key)
    return render(request, "annotation/no_mail.html", {"invitation": invitation})


@never_cache
@require_POST
def remind_people(request: HttpRequest, slug: str) -> HttpResponse:
    """Write again to who was invited by e-mail and has not come."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    invited = remind(campaign=campaign, link_of=_link(request), actor=request.user)
    if not invited:
        messages.success(request, _("Everybody who was invited by e-mail has come."))
        return redirect("invite-many", slug)
    return _invited(request, campaign, rights, invited)
