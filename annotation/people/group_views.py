"""Groups, quotas, and inviting many people at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import Rights, campaign_get, get_in
from annotation.accounts.confirm_views import ask_first
from annotation.campaigns.services import campaign_update
from annotation.collecting.sql import list_order, work_lists
from annotation.errors import DomainError, Invalid, NotFound
from annotation.http.markdown import as_html
from annotation.http.pages import campaign_page
from annotation.importers.gold import people_read
from annotation.importing.gold import lists_import
from annotation.importing.report import ImportReport
from annotation.models import Campaign, Membership, WorkList
from annotation.people.annotators import (
    consent_versions,
    question_get,
    questions_with_answers,
    reminder_rule_of,
    work_groups,
    work_lines,
    work_rule_of,
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
from annotation.people.lists import (
    group_join,
    list_drop,
    list_hand_on,
    lists_set,
    work_group_set,
    work_rule_set,
)
from annotation.people.membership import Invited, invite_many, remind
from paraanno.http.errors import full_address

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
            request.POST if act == "rule" else None,
            auto_id="rule_%s",
            initial={name: getattr(rule, name) for name in WorkRuleForm.base_fields},
        ),
        "group": WorkGroupForm(request.POST if act == "group" else None, auto_id="group_%s"),
        "join": GroupOfForm(
            request.POST if act == "join" else None, campaign=campaign, auto_id="join_%s"
        ),
    }
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
        request,
        "annotation/groups.html",
        campaign=campaign,
        rights=rights,
        forms=forms,
        groups=work_groups(campaign=campaign),
        lines=work_lines(campaign=campaign),
        status=422 if form is not None and form.errors else 200,
    )


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
        people, errors = people_read(data["text"], name=data["source"], roles=ROLE_NAMES)
        problems = list(errors)
        if any(one.role != Membership.Role.ANNOTATOR for one in people):
            # The text of a file is carried along as if it had been typed.
            lines = {
                "people": data["text"],
                "days": str(data["days"]),
                "by_mail": "on" if data["by_mail"] else "",
            }
            if (prompt := ask_first(request, lines)) is not None:
                return prompt
        if not problems:
            try:
                invited = invite_many(
                    campaign=campaign,
                    people=people,
                    valid_for=timedelta(days=data["days"]),
                    by_mail=data["by_mail"],
                    link_of=_link(request),
                    actor=request.user,
                )
            except Invalid as refusal:
                form.add_error(None, refusal.message)
            else:
                return _invited(request, campaign, rights, invited)
    wrong = bool(form.errors or problems)
    return campaign_page(
        request,
        "annotation/invite_many.html",
        campaign=campaign,
        rights=rights,
        form=form,
        problems=problems,
        reminders=_reminders(campaign),
        status=422 if wrong else 200,
    )


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
        request,
        "annotation/invite_many.html",
        campaign=campaign,
        rights=rights,
        form=InviteManyForm(),
        reminders=_reminders(campaign),
        invited=invited,
        by_mail=sum(one.by_mail for one in invited),
    )


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


# Fixed lists: who judges what.


SHOWN = 100


@never_cache
@require_http_methods(["GET", "POST"])
def lists(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the lists; a POST chooses between pool and lists, or imports a file of lists."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    act = request.POST.get("act", "")
    where = ListsForm(
        request.POST if act == "where" else None,
        initial={"lists": list_order(campaign_id=campaign.pk)},
    )
    form = ListsFileForm(*((request.POST, request.FILES) if act == "file" else ()))
    report: ImportReport | None = None
    if act == "where" and where.is_valid():
        try:
            lists_set(campaign=campaign, lists=where.cleaned_data["lists"], actor=request.user)
        except DomainError as refusal:
            where.add_error("lists", refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("lists", slug)
    if act == "file" and form.is_valid():
        report = _imported(campaign, form, request)
        if report.ok:
            message = ngettext("%(n)s line read.", "%(n)s lines read.", report.rows)
            messages.success(request, message % {"n": report.rows})
            return redirect("lists", slug)
    return _page(request, campaign, rights, where, form, report)


def _imported(campaign: Campaign, form: ListsFileForm, request: HttpRequest) -> ImportReport:
    file, text = form.cleaned_data["file"], form.cleaned_data["text"]
    stream = file.file if file else BytesIO(text.encode())
    format = None if file else ("tsv" if "\t" in text.partition("\n")[0] else "csv")
    return lists_import(
        campaign=campaign,
        stream=stream,
        name=file.name if file else "lists",
        format=format,
        actor=request.user,
    )


def _page(
    request: HttpRequest,
    campaign: Campaign,
    rights: Rights,
    where: ListsForm,
    form: ListsFileForm,
    report: ImportReport | None,
) -> HttpResponse:
    problems = report.problems if report else ()
    return campaign_page(
        request,
        "annotation/lists.html",
        campaign=campaign,
        rights=rights,
        where=where,
        form=form,
        problems=problems[:SHOWN],
        more=max(0, len(problems) - SHOWN),
        order=list_order(campaign_id=campaign.pk),
        rows=work_lists(campaign_id=campaign.pk),
        hand=HandOnForm(campaign=campaign),
        status=422 if where.errors or form.errors or problems else 200,
    )


@require_POST
def list_act(request: HttpRequest, slug: str, key: UUID) -> HttpResponse:
    """Hand what is left of a list on, or take it off."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    work_list = get_in(campaign, WorkList, key, "annotator", "campaign")
    form = HandOnForm(request.POST, campaign=campaign)
    try:
        if request.POST.get("act") == "drop":
            n = list_drop(work_list=work_list, actor=request.user)
            message = ngettext("%(n)s item taken off.", "%(n)s items taken off.", n)
        elif form.is_valid():
            n = list_hand_on(work_list=work_list, to=form.cleaned_data["to"], actor=request.user)
            message = ngettext("%(n)s item handed on.", "%(n)s items handed on.", n)
        else:
            raise Invalid(_("Choose another annotator of this campaign."))
    except DomainError as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, message % {"n": n})
    return redirect("lists", slug)


# The page on consent, background questions and withdrawal, for researchers.


@require_http_methods(["GET", "POST"])
def consent(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page; a POST publishes a consent text."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    versions = list(consent_versions(campaign=campaign))
    newest = versions[0] if versions else None
    form = ConsentTextForm(request.POST or None, initial={"text": newest.text if newest else ""})
    if request.method == "POST" and form.is_valid():
        text = form.cleaned_data["text"]
        added = consent_text_add(campaign=campaign, text=text, actor=request.user)
        messages.success(request, _published(added is not None))
        return redirect("consent", slug)
    shown = newest
    version = request.GET.get("version", "")
    if version.isdecimal():
        shown = next((one for one in versions if one.version == int(version)), None)
        if shown is None:
            raise NotFound(_("There is no such version."))
    return campaign_page(
        request,
        "annotation/consent.html",
        campaign=campaign,
        rights=rights,
        form=form,
        shown=shown,
        older=shown != newest,
        text=as_html(shown.text) if shown else "",
        versions=versions,
        questions=questions_with_answers(campaign=campaign),
        withdrawal=WithdrawalForm(instance=campaign),
    )


def _published(changed: bool) -> str:
    if changed:
        return _("Published: everybody is asked again before their next sheet.")
    return _("The text is unchanged.")


@require_http_methods(["GET", "POST"])
def question_new(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = QuestionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            question_add(campaign=campaign, question=form.as_question(), actor=request.user)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("The question was added."))
            return redirect("consent", slug)
    return campaign_page(
        request,
        "annotation/question.html",
        campaign=campaign,
        rights=rights,
        form=form,
        status=422 if form.errors else 200,
    )


@require_http_methods(["GET", "POST"])
def question(request: HttpRequest, slug: str, question: UUID) -> HttpResponse:
    """Change a question without answers."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    row = question_get(campaign=campaign, key=question)
    form = QuestionForm(request.POST) if request.method == "POST" else QuestionForm.showing(row)
    if request.method == "POST" and form.is_valid():
        try:
            question_change(row=row, question=form.as_question(), actor=request.user)
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("consent", slug)
    return campaign_page(
        request,
        "annotation/question.html",
        campaign=campaign,
        rights=rights,
        form=form,
        question=row,
        status=422 if form.errors else 200,
    )


@require_POST
def question_act(request: HttpRequest, slug: str, question: UUID) -> HttpResponse:
    """Move the question up, hide it, show it again, or remove it."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    row, act = question_get(campaign=campaign, key=question), request.POST.get("act")
    try:
        if act == "up":
            question_move_up(row=row, actor=request.user)
        elif act in ("hide", "show"):
            question_hide(row=row, hidden=act == "hide", actor=request.user)
        elif act == "remove":
            question_remove(row=row, actor=request.user)
        else:
            raise Invalid(_("Choose what to do with the question."))
    except Invalid as refusal:
        messages.error(request, refusal.message)
    return redirect("consent", slug)


@require_POST
def withdrawal_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the choices of an annotator who withdraws."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    form = WithdrawalForm(request.POST)
    form.is_valid()  # two checkboxes: every form is valid
    campaign_update(campaign=campaign, actor=request.user, changes=form.cleaned_data)
    messages.success(request, _("Saved."))
    return redirect("consent", slug)
