"""Practice and test for annotators, as plain forms; static/js/practice.js enhances them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import Rights, campaign_get, get_in, known
from annotation.errors import Conflict, Invalid, NotFound
from annotation.http.pages import campaign_page
from annotation.importing.take_back import text_add
from annotation.models import Annotator, Campaign, PracticeAttempt, Substitution
from annotation.models.quality import Part
from annotation.panels.queries import part_of
from annotation.people.annotators import annotator_of
from annotation.people.membership import annotator_for
from annotation.quality.forms import PracticeRuleForm, PracticeTextForm
from annotation.quality.overview import (
    PracticeTextView,
    attempt_get,
    attempt_texts,
    practice_listed,
    rule_of,
    standing,
    standings,
    tolerances,
)
from annotation.quality.practice import attempt_start, practice_answer, practice_grant, practice_set


@never_cache
@require_http_methods(["GET", "POST"])
def practice(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the requirements and the annotator's standing; a POST starts or continues a part."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    if request.method == "POST":
        part = request.POST.get("part", "")
        if part not in Part.values:
            raise Invalid(_("Choose practice or test."))
        annotator = annotator_for(campaign=campaign, user=known(request.user))
        try:
            attempt = attempt_start(annotator=annotator, part=part)
        except Conflict as refusal:
            messages.error(request, refusal.message)
            return redirect("rate-practice", slug)
        return redirect("rate-practice-try", slug, attempt.key)
    begun = annotator_of(campaign=campaign, user=request.user)
    context = {
        "campaign": campaign,
        "standing": standing(campaign=campaign, annotator=begun),
        "part": part_of(annotator=begun) if begun else None,
    }
    return render(request, "annotation/practice.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
def attempt(request: HttpRequest, slug: str, attempt: UUID) -> HttpResponse:
    """Show one text at a time; a POST answers one scale (practice) or the entire text (test)."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    annotator = annotator_of(campaign=campaign, user=request.user)
    if annotator is None:
        raise NotFound(_("There is no such practice."))
    annotator.campaign = campaign
    row = attempt_get(annotator=annotator, key=attempt)
    row.campaign = campaign
    texts = attempt_texts(attempt=row)
    feedback = row.part == Part.PRACTICE and "text" in request.GET
    if row.finished_at is not None and request.method == "GET" and not feedback:
        return _review(request, row, texts)
    text = _current(texts, request.POST.get("text") or request.GET.get("text", ""))
    if text is None:
        return redirect("rate-practice", slug)
    error = ""
    if request.method == "POST":
        try:
            given = _answered(request, row, text)
        except (Conflict, Invalid) as refusal:
            given, error = False, refusal.message
        if given:
            return _onwards(request, row, text)
        error = error or _("Choose a value first.")
    return _show(request, row, texts, text, error)


def _current(texts: list[PracticeTextView], key: str) -> PracticeTextView | None:
    """Return the requested text, else the first one with an unanswered question."""
    requested = next((one for one in texts if str(one.substitution.key) == key), None)
    return requested or next((one for one in texts if not one.answered), None)


def _answered(request: HttpRequest, attempt: PracticeAttempt, text: PracticeTextView) -> bool:
    """Store the form's values. In a test a text needs all of its answers."""
    values = {}
    for question in text.questions:
        typed = request.POST.get(f"value.{question.scale.key}", "").strip()
        if typed:
            try:
                values[question.scale.pk] = float(typed)
            except ValueError:
                values[question.scale.pk] = float("nan")
    open_questions = [one for one in text.questions if one.answer is None]
    missing = [one for one in open_questions if one.scale.pk not in values]
    if not values or (attempt.part == Part.TEST and missing):
        return False
    practice_answer(attempt=attempt, text=text, values=values)
    return True


def _onwards(
    request: HttpRequest, attempt: PracticeAttempt, text: PracticeTextView
) -> HttpResponse:
    address = reverse("rate-practice-try", args=[attempt.campaign.slug, attempt.key])
    if attempt.part == Part.PRACTICE:
        return redirect(f"{address}?text={text.substitution.key}#feedback")
    attempt.refresh_from_db()
    if attempt.finished_at is not None:
        return redirect("rate-practice", attempt.campaign.slug)
    return redirect(address)


def _show(
    request: HttpRequest,
    attempt: PracticeAttempt,
    texts: list[PracticeTextView],
    text: PracticeTextView,
    error: str,
) -> HttpResponse:
    context = {
        "campaign": attempt.campaign,
        "attempt": attempt,
        "text": text,
        "all": len(texts),
        "test": attempt.part == Part.TEST,
        "error": error,
        "scales": [question.scale for question in text.questions],
    }
    status = 409 if error else 200
    return render(request, "annotation/practice_try.html", context, status=status)


def _review(
    request: HttpRequest, attempt: PracticeAttempt, texts: list[PracticeTextView]
) -> HttpResponse:
    """Show given and correct answers; for a test only once nothing can be gained by them."""
    now = standing(campaign=attempt.campaign, annotator=attempt.annotator)
    if attempt.part == Part.TEST and not now.explains_test:
        return redirect("rate-practice", attempt.campaign.slug)
    context = {"campaign": attempt.campaign, "attempt": attempt, "texts": texts, "standing": now}
    return render(request, "annotation/practice_review.html", context)


# Practice and test for researchers: texts, requirements, and the annotators' standing.


@require_http_methods(["GET", "POST"])
def practice_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page; a POST sets the rule."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    if request.method != "POST":
        return _page(request, campaign, rights)
    form = _rule_form(campaign, request.POST)
    if form.is_valid():
        try:
            practice_set(campaign=campaign, actor=request.user, **form.as_rule())
        except Invalid as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("practice", slug)
    return _page(request, campaign, rights, rule=form)


def _rule_form(campaign: Campaign, data: Any = None) -> PracticeRuleForm:
    rule = rule_of(campaign)
    initial = {"required": rule.required, "percent": f"{100 * rule.share:g}", "tries": rule.tries}
    return PracticeRuleForm(
        data,
        scales=campaign.scales.all(),
        tolerances=tolerances(campaign),
        initial=initial,
        auto_id="rule_%s",
    )


def _text_form(campaign: Campaign, data: Any = None) -> PracticeTextForm:
    return PracticeTextForm(data, scales=campaign.scales.all(), explain=True, auto_id="text_%s")


def _page(request: HttpRequest, campaign: Campaign, rights: Rights, **forms: Any) -> HttpResponse:
    context = {"rule": _rule_form(campaign), "text": _text_form(campaign), **forms}
    return campaign_page(
        request,
        "annotation/practice_settings.html",
        campaign=campaign,
        rights=rights,
        texts=practice_listed(campaign=campaign),
        lines=standings(campaign=campaign),
        status=422 if forms else 200,
        **context,
    )


@require_POST
def text_new(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    form = _text_form(campaign, request.POST)
    if form.is_valid():
        role = Substitution.Role.PRACTICE
        try:
            text_add(campaign=campaign, role=role, actor=request.user, **form.as_text())
        except (Invalid, Conflict) as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("The text was added."))
            return redirect("practice", slug)
    return _page(request, campaign, rights, text=form)


@require_POST
def grant(request: HttpRequest, slug: str, annotator: UUID) -> HttpResponse:
    """Give an annotator one more try, or let them in without the test."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="research")
    row = get_in(campaign, Annotator, annotator)
    practice_grant(annotator=row, kind=request.POST.get("kind", ""), actor=request.user)
    messages.success(request, _("Another try was given."))
    return redirect("quality-record", slug, annotator)
