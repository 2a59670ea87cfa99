"""The pages before the first sheet: consent and questions about the annotator."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, BackgroundQuestion, Campaign
from annotation.presenters.markdown import as_html
from annotation.selectors.access import campaign_get, known
from annotation.selectors.collecting.steps import next_step
from annotation.selectors.people.annotators import annotator_of
from annotation.selectors.people.background import questions_asked, questions_left
from annotation.selectors.people.consent import consent_newest, consent_of
from annotation.selectors.people.parts import last_page, part_of
from annotation.services.people.background import TEXT_LENGTH, Given, background_answer
from annotation.services.people.consent import TextChanged, consent_give
from annotation.services.people.membership import annotator_for


@never_cache
@require_http_methods(["GET", "POST"])
def consent(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the text to agree to, or the consent given; a POST agrees to the version it names."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    if request.method == "POST":
        annotator = annotator_for(campaign=campaign, user=known(request.user))
        version = request.POST.get("version", "")
        try:
            consent_give(annotator=annotator, version=int(version) if version.isdecimal() else 0)
        except TextChanged as refusal:
            messages.error(request, refusal.message)
            return redirect("rate-consent", slug)
        return _onwards(campaign, annotator)
    begun = annotator_of(campaign=campaign, user=request.user)
    newest = consent_newest(campaign=campaign)
    given = consent_of(annotator=begun) if begun else None
    context = {
        "campaign": campaign,
        "newest": newest,
        "text": as_html(newest.text) if newest else "",
        "given": given if given and newest and given.text == newest else None,
        "before": given,
        "part": part_of(annotator=begun) if begun else None,
    }
    return render(request, "annotation/rate_consent.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
def background(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the remaining questions; a POST answers all of them or none."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    errors: dict[str, str] = {}
    if request.method == "POST":
        annotator = annotator_for(campaign=campaign, user=known(request.user))
        answers = {
            question.key: _given(request, question)
            for question in questions_left(annotator=annotator)
        }
        try:
            background_answer(annotator=annotator, answers=answers)
        except Invalid as refusal:
            errors = refusal.data["fields"]
        except Conflict as refusal:
            messages.error(request, refusal.message)
            return redirect("rate-background", slug)
        else:
            return _onwards(campaign, annotator)
    begun = annotator_of(campaign=campaign, user=request.user)
    left = list(questions_left(annotator=begun) if begun else questions_asked(campaign=campaign))
    context = {
        "campaign": campaign,
        "questions": [(one, _given(request, one), errors.get(str(one.key), "")) for one in left],
        "errors": errors,
        "first_wrong": next((one.key for one in left if str(one.key) in errors), None),
        "longest": TEXT_LENGTH,
    }
    status = 422 if errors else 200
    return render(request, "annotation/rate_background.html", context, status=status)


def _given(request: HttpRequest, question: BackgroundQuestion) -> Given:
    texts = request.POST.getlist(f"answer.{question.key}")
    # For "one of several", declining is one more option, without a text.
    silent = question.kind == BackgroundQuestion.Kind.CHOICE and texts == [""]
    return Given(texts, silent or f"declined.{question.key}" in request.POST)


def _onwards(campaign: Campaign, annotator: Annotator) -> HttpResponse:
    part = part_of(annotator=annotator)
    if part is not None and annotator.ineligible_since is not None:
        return redirect(last_page(part))
    step = next_step(annotator=annotator)
    if step is None:
        return redirect("rate", campaign.slug)
    return redirect(step.url(slug=campaign.slug))
