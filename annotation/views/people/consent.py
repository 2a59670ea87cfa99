"""The page on consent, background questions and withdrawal, for researchers."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import Invalid, NotFound
from annotation.forms.consent import ConsentTextForm, QuestionForm, WithdrawalForm
from annotation.presenters.markdown import as_html
from annotation.selectors.access import campaign_get
from annotation.selectors.people.background import question_get, questions_with_answers
from annotation.selectors.people.consent import consent_versions
from annotation.services.campaigns.campaigns import campaign_update
from annotation.services.people.background import (
    question_add,
    question_change,
    question_hide,
    question_move_up,
    question_remove,
)
from annotation.services.people.consent import consent_text_add
from annotation.views.pages import campaign_page


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
    asked = request.GET.get("version", "")
    if asked.isdecimal():
        shown = next((one for one in versions if one.version == int(asked)), None)
        if shown is None:
            raise NotFound(_("There is no such version."))
    return campaign_page(
        request, "annotation/consent.html", campaign=campaign, rights=rights, form=form,
        shown=shown, older=shown != newest, text=as_html(shown.text) if shown else "",
        versions=versions, questions=questions_with_answers(campaign=campaign),
        withdrawal=WithdrawalForm(instance=campaign),
    )  # fmt: skip


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
        request, "annotation/question.html", campaign=campaign, rights=rights, form=form,
        status=422 if form.errors else 200,
    )  # fmt: skip


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
        request, "annotation/question.html", campaign=campaign, rights=rights, form=form,
        question=row, status=422 if form.errors else 200,
    )  # fmt: skip


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
