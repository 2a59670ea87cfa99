"""Practice and test for annotators, as plain forms; static/js/practice.js enhances them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import logged_in
from annotation.errors import Conflict, Invalid, NotFound
from annotation.http.campaign_page import CampaignPage, campaign_view
from annotation.models import Annotator, Campaign, PracticeAttempt, Substitution
from annotation.models.quality import Part
from annotation.people.annotators import annotator_of, part_of
from annotation.people.membership import annotator_for
from annotation.quality.expected import text_add
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
@campaign_view("annotate")
def practice(page: CampaignPage) -> HttpResponse:
    """Show the requirements and the annotator's standing; a POST starts or continues a part."""
    if page.sent:
        part = page.post.get("part", "")
        if part not in Part.values:
            raise Invalid(_("Choose practice or test."))
        annotator = annotator_for(campaign=page.campaign, user=logged_in(page.user))
        try:
            attempt = attempt_start(annotator=annotator, part=part)
        except Conflict as refusal:
            page.warns(refusal.message)
            return page.go("rate-practice")
        return page.go("rate-practice-try", attempt.key)
    begun = annotator_of(campaign=page.campaign, user=page.user)
    return page.bare(
        "annotation/practice.html",
        standing=standing(campaign=page.campaign, annotator=begun),
        part=part_of(annotator=begun) if begun else None,
    )


@never_cache
@require_http_methods(["GET", "POST"])
@campaign_view("annotate")
def attempt(page: CampaignPage, attempt: UUID) -> HttpResponse:
    """Show one text at a time; a POST answers one scale (practice) or the entire text (test)."""
    annotator = annotator_of(campaign=page.campaign, user=page.user)
    if annotator is None:
        raise NotFound(_("There is no such practice."))
    annotator.campaign = page.campaign
    row = attempt_get(annotator=annotator, key=attempt)
    row.campaign = page.campaign
    texts = attempt_texts(attempt=row)
    feedback = row.part == Part.PRACTICE and "text" in page.query
    if row.finished_at is not None and page.request.method == "GET" and not feedback:
        return _review(page.request, row, texts)
    text = _current(texts, page.post.get("text") or page.query.get("text", ""))
    if text is None:
        return page.go("rate-practice")
    error = ""
    if page.sent:
        try:
            given = _answered(page.request, row, text)
        except (Conflict, Invalid) as refusal:
            given, error = False, refusal.message
        if given:
            return _onwards(page.request, row, text)
        error = error or _("Choose a value first.")
    return _show(page.request, row, texts, text, error)


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
@campaign_view("research")
def practice_settings(page: CampaignPage) -> HttpResponse:
    """Show the page; a POST sets the rule."""
    if not page.sent:
        return _page(page)
    form = _rule_form(page.campaign, page.post)
    if page.saves(
        form, lambda: practice_set(campaign=page.campaign, actor=page.user, **form.as_rule())
    ):
        return page.done(_("Saved."), "practice")
    return _page(page, rule=form)


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


def _page(page: CampaignPage, **forms: Any) -> HttpResponse:
    context = {"rule": _rule_form(page.campaign), "text": _text_form(page.campaign), **forms}
    return page.render(
        "annotation/practice_settings.html",
        texts=practice_listed(campaign=page.campaign),
        lines=standings(campaign=page.campaign),
        **context,
    )


@require_POST
@campaign_view("research")
def text_new(page: CampaignPage) -> HttpResponse:
    form = _text_form(page.campaign, page.post)
    role = Substitution.Role.PRACTICE
    if page.saves(
        form,
        lambda: text_add(campaign=page.campaign, role=role, actor=page.user, **form.as_text()),
    ):
        return page.done(_("The text was added."), "practice")
    return _page(page, text=form)


@require_POST
@campaign_view("research")
def grant(page: CampaignPage, annotator: UUID) -> HttpResponse:
    """Give an annotator one more try, or let them in without the test."""
    row = page.row(Annotator, annotator)
    practice_grant(annotator=row, kind=page.post.get("kind", ""), actor=page.user)
    return page.done(_("Another try was given."), "quality-record", annotator)
