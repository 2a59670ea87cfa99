"""Groups, quotas, and inviting many people at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from io import BytesIO
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.accounts.views import ask_first
from annotation.errors import Invalid, NotFound
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.http.markdown import as_html
from annotation.importers.gold import people_read
from annotation.importing.report import ImportReport
from annotation.models import Campaign, Membership, WorkList
from annotation.people.annotators import (
    consent_versions,
    question_get,
    questions_with_answers,
    reminder_rule_of,
)
from annotation.people.background import (
    consent_text_add,
    invitation_of_mail,
    mail_stop,
    question_add,
    question_change,
    question_hide,
    question_move_up,
    question_remove,
    reminders_set,
)
from annotation.people.forms import (
    NAME_ONLY,
    ConsentTextForm,
    GroupOfForm,
    HandOnForm,
    InviteManyForm,
    ListsFileForm,
    ListsForm,
    QuestionForm,
    RemindersForm,
    WithdrawalForm,
    WorkGroupForm,
    WorkRuleForm,
)
from annotation.people.lists import list_drop, list_hand_on, lists_import, lists_set
from annotation.people.membership import Invited, invite_many, join_link, remind
from annotation.people.quotas import (
    group_join,
    work_group_set,
    work_groups,
    work_lines,
    work_rule_of,
    work_rule_set,
)
from annotation.sheets.sql import list_order, work_lists
from paraanno.http.errors import full_address

ROLES = (Membership.Role.ANNOTATOR, Membership.Role.RESEARCHER, Membership.Role.VIEWER)
ROLE_NAMES = tuple(role.value for role in ROLES)


@never_cache
@require_http_methods(["GET", "POST"])
@campaign_view("research")
def groups(page: CampaignPage) -> HttpResponse:
    """Show groups and quotas; a POST sets the campaign's, a group's, or somebody's group."""
    act = page.post.get("act", "")
    rule = work_rule_of(campaign=page.campaign)
    forms = {
        "rule": WorkRuleForm(
            page.post if act == "rule" else None,
            auto_id="rule_%s",
            initial={name: getattr(rule, name) for name in WorkRuleForm.base_fields},
        ),
        "group": WorkGroupForm(page.post if act == "group" else None, auto_id="group_%s"),
        "join": GroupOfForm(
            page.post if act == "join" else None, campaign=page.campaign, auto_id="join_%s"
        ),
    }
    form = forms.get(act)
    if page.sent and form is None:
        raise Invalid(_("Choose what to set."))
    if form is not None and page.saves(form, lambda: _set(page, act, form.cleaned_data)):
        return page.done(_("Saved."), "groups")
    return page.render(
        "annotation/groups.html",
        forms=forms,
        groups=work_groups(campaign=page.campaign),
        lines=work_lines(campaign=page.campaign),
    )


def _set(page: CampaignPage, act: str, data: dict[str, object]) -> None:
    given: dict[str, object] = {**data, "actor": page.user}
    if act == "join":
        group_join(**given)  # type: ignore[arg-type]
    else:
        set_it: Callable[..., object] = work_rule_set if act == "rule" else work_group_set
        set_it(campaign=page.campaign, **given)


@never_cache
@require_http_methods(["GET", "POST"])
@campaign_view("research")
def invite_people(page: CampaignPage) -> HttpResponse:
    """Invite many at once; the links are shown once."""
    form = InviteManyForm(page.posted, page.request.FILES or None)
    problems: list[object] = []
    if page.sent and form.is_valid():
        data = form.cleaned_data
        people, errors = people_read(data["text"], name=data["source"], roles=ROLE_NAMES)
        problems = list(errors)
        if any(one.role != Membership.Role.ANNOTATOR for one in people):
            # The text of a file is carried along as if it had been typed.
            lines = {
                "people": data["text"],
                "days": str(data["days"]),
                "entry": data["entry"],
                "by_mail": "on" if data["by_mail"] else "",
            }
            if (prompt := ask_first(page.request, lines)) is not None:
                return prompt
        if not problems:
            invited = page.saved(
                form,
                lambda: invite_many(
                    campaign=page.campaign,
                    people=people,
                    valid_for=timedelta(days=data["days"]),
                    by_mail=data["by_mail"],
                    link_of=partial(join_link, page.request),
                    actor=page.user,
                    name_only=data["entry"] == NAME_ONLY,
                ),
            )
            if invited is not None:
                return _invited(page, invited)
    return page.render(
        "annotation/invite_many.html",
        form=form,
        problems=problems,
        reminders=_reminders(page.campaign),
        status=422 if problems else None,
    )


def _reminders(campaign: Campaign) -> RemindersForm:
    rule = reminder_rule_of(campaign=campaign)
    initial = {"days": rule.days, "at_most": rule.at_most} if rule else {"at_most": 2}
    return RemindersForm(initial=initial, auto_id="remind_%s")


def _invited(page: CampaignPage, invited: list[Invited]) -> HttpResponse:
    return page.render(
        "annotation/invite_many.html",
        form=InviteManyForm(),
        reminders=_reminders(page.campaign),
        invited=invited,
        by_mail=sum(one.by_mail for one in invited),
    )


@require_POST
@campaign_view("research")
def set_reminders(page: CampaignPage) -> HttpResponse:
    """Set after how many days workers remind people by themselves."""
    form = RemindersForm(page.post)
    if form.is_valid():
        site = full_address(page.request, "/")
        reminders_set(campaign=page.campaign, site=site, actor=page.user, **form.cleaned_data)
        page.says(_("Saved."))
    else:
        page.warns(" ".join(str(one[0]) for one in form.errors.values()))
    return page.go("invite-many")


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
@campaign_view("research")
def remind_people(page: CampaignPage) -> HttpResponse:
    """Write again to who was invited by e-mail and has not come."""
    invited = remind(
        campaign=page.campaign, link_of=partial(join_link, page.request), actor=page.user
    )
    if not invited:
        return page.done(_("Everybody who was invited by e-mail has come."), "invite-many")
    return _invited(page, invited)


# Fixed lists: who judges what.


SHOWN = 100


@never_cache
@require_http_methods(["GET", "POST"])
@campaign_view("research")
def lists(page: CampaignPage) -> HttpResponse:
    """Show the lists; a POST chooses between pool and lists, or imports a file of lists."""
    act = page.post.get("act", "")
    where = ListsForm(
        page.post if act == "where" else None,
        initial={"lists": list_order(campaign_id=page.campaign.pk)},
    )
    form = ListsFileForm(*((page.post, page.request.FILES) if act == "file" else ()))
    report: ImportReport | None = None
    if page.saves(
        where,
        lambda: lists_set(
            campaign=page.campaign, lists=where.cleaned_data["lists"], actor=page.user
        ),
        "lists",
    ):
        return page.done(_("Saved."), "lists")
    if act == "file" and form.is_valid():
        report = _imported(page, form)
        if report.ok:
            message = ngettext("%(n)s line read.", "%(n)s lines read.", report.rows)
            return page.done(message % {"n": report.rows}, "lists")
    return _page(page, where, form, report)


def _imported(page: CampaignPage, form: ListsFileForm) -> ImportReport:
    file, text = form.cleaned_data["file"], form.cleaned_data["text"]
    stream = file.file if file else BytesIO(text.encode())
    format = None if file else ("tsv" if "\t" in text.partition("\n")[0] else "csv")
    return lists_import(
        campaign=page.campaign,
        stream=stream,
        name=file.name if file else "lists",
        format=format,
        actor=page.user,
    )


def _page(
    page: CampaignPage, where: ListsForm, form: ListsFileForm, report: ImportReport | None
) -> HttpResponse:
    problems = report.problems if report else ()
    return page.render(
        "annotation/lists.html",
        where=where,
        form=form,
        problems=problems[:SHOWN],
        more=max(0, len(problems) - SHOWN),
        order=list_order(campaign_id=page.campaign.pk),
        rows=work_lists(campaign_id=page.campaign.pk),
        hand=HandOnForm(campaign=page.campaign),
        status=422 if problems else None,
    )


@require_POST
@campaign_view("research")
def list_act(page: CampaignPage, key: UUID) -> HttpResponse:
    """Hand what is left of a list on, or take it off."""
    work_list = page.row(WorkList, key, "annotator", "campaign")
    form = HandOnForm(page.post, campaign=page.campaign)

    def change() -> str:
        if page.post.get("act") == "drop":
            n = list_drop(work_list=work_list, actor=page.user)
            return ngettext("%(n)s item taken off.", "%(n)s items taken off.", n) % {"n": n}
        if form.is_valid():
            n = list_hand_on(work_list=work_list, to=form.cleaned_data["to"], actor=page.user)
            return ngettext("%(n)s item handed on.", "%(n)s items handed on.", n) % {"n": n}
        raise Invalid(_("Choose another annotator of this campaign."))

    return page.act("lists", do=change)


# The page on consent, background questions and withdrawal, for researchers.


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def consent(page: CampaignPage) -> HttpResponse:
    """Show the page; a POST publishes a consent text."""
    versions = list(consent_versions(campaign=page.campaign))
    newest = versions[0] if versions else None
    form = ConsentTextForm(page.posted, initial={"text": newest.text if newest else ""})
    if page.sent and form.is_valid():
        text = form.cleaned_data["text"]
        added = consent_text_add(campaign=page.campaign, text=text, actor=page.user)
        return page.done(_published(added is not None), "consent")
    shown = newest
    version = page.query.get("version", "")
    if version.isdecimal():
        shown = next((one for one in versions if one.version == int(version)), None)
        if shown is None:
            raise NotFound(_("There is no such version."))
    return page.render(
        "annotation/consent.html",
        form=form,
        shown=shown,
        older=shown != newest,
        text=as_html(shown.text) if shown else "",
        versions=versions,
        questions=questions_with_answers(campaign=page.campaign),
        withdrawal=WithdrawalForm(instance=page.campaign),
    )


def _published(changed: bool) -> str:
    if changed:
        return _("Published: everybody is asked again before their next sheet.")
    return _("The text is unchanged.")


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def question_new(page: CampaignPage) -> HttpResponse:
    form = QuestionForm(page.posted)
    if page.saves(
        form,
        lambda: question_add(campaign=page.campaign, question=form.as_question(), actor=page.user),
    ):
        return page.done(_("The question was added."), "consent")
    return page.render("annotation/question.html", form=form)


@require_http_methods(["GET", "POST"])
@campaign_view("research")
def question(page: CampaignPage, question: UUID) -> HttpResponse:
    """Change a question without answers."""
    row = question_get(campaign=page.campaign, key=question)
    form = QuestionForm(page.post) if page.sent else QuestionForm.showing(row)
    if page.saves(
        form, lambda: question_change(row=row, question=form.as_question(), actor=page.user)
    ):
        return page.done(_("Saved."), "consent")
    return page.render("annotation/question.html", form=form, question=row)


@require_POST
@campaign_view("research")
def question_act(page: CampaignPage, question: UUID) -> HttpResponse:
    """Move the question up, hide it, show it again, or remove it."""
    row, act = question_get(campaign=page.campaign, key=question), page.post.get("act")
    try:
        if act == "up":
            question_move_up(row=row, actor=page.user)
        elif act in ("hide", "show"):
            question_hide(row=row, hidden=act == "hide", actor=page.user)
        elif act == "remove":
            question_remove(row=row, actor=page.user)
        else:
            raise Invalid(_("Choose what to do with the question."))
    except Invalid as refusal:
        page.warns(refusal.message)
    return page.go("consent")
