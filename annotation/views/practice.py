"""Practice and test, for annotators: plain forms, which static/js/practice.js makes faster."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.models import PracticeAttempt
from annotation.models.practice import Part
from annotation.selectors.access import campaign_get, known
from annotation.selectors.practice import TextView, attempt_get, attempt_texts, standing
from annotation.selectors.voices import voice_of
from annotation.services.errors import Conflict, Invalid, NotFound
from annotation.services.people import annotator_for
from annotation.services.practice import attempt_start, practice_answer


@never_cache
@require_http_methods(["GET", "POST"])
def practice(request: HttpRequest, slug: str) -> HttpResponse:
    """What is asked, how far one is; a POST begins a part or goes on with it."""
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
    voice = voice_of(campaign=campaign, user=request.user)
    context = {"campaign": campaign, "standing": standing(campaign=campaign, annotator=voice)}
    return render(request, "annotation/practice.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
def attempt(request: HttpRequest, slug: str, attempt: UUID) -> HttpResponse:
    """One text at a time; a POST answers one scale (practice) or all of a text (test)."""
    campaign, _rights = campaign_get(user=request.user, slug=slug, right="annotate")
    voice = voice_of(campaign=campaign, user=request.user)
    if voice is None:
        raise NotFound(_("There is no such practice."))
    voice.campaign = campaign
    found = attempt_get(annotator=voice, key=attempt)
    found.campaign = campaign
    texts = attempt_texts(attempt=found)
    feedback = found.part == Part.PRACTICE and "text" in request.GET
    if found.finished_at is not None and request.method == "GET" and not feedback:
        return _review(request, found, texts)
    text = _current(texts, request.POST.get("text") or request.GET.get("text", ""))
    if text is None:
        return redirect("rate-practice", slug)
    error = ""
    if request.method == "POST":
        try:
            given = _answered(request, found, text)
        except (Conflict, Invalid) as refusal:
            given, error = False, refusal.message
        if given:
            return _onwards(request, found, text)
        error = error or _("Choose a value first.")
    return _show(request, found, texts, text, error)


def _current(texts: list[TextView], key: str) -> TextView | None:
    """The text that is asked for, else the first one with something to answer."""
    asked = next((one for one in texts if str(one.substitution.key) == key), None)
    return asked or next((one for one in texts if not one.answered), None)


def _answered(request: HttpRequest, attempt: PracticeAttempt, text: TextView) -> bool:
    """Take the form's values. A test takes a text only with all of its answers."""
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


def _onwards(request: HttpRequest, attempt: PracticeAttempt, text: TextView) -> HttpResponse:
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
    texts: list[TextView],
    text: TextView,
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


def _review(request: HttpRequest, attempt: PracticeAttempt, texts: list[TextView]) -> HttpResponse:
    """What was given and what is right; of a test only when nothing can be gained by it."""
    now = standing(campaign=attempt.campaign, annotator=attempt.annotator)
    if attempt.part == Part.TEST and not now.explains_test:
        return redirect("rate-practice", attempt.campaign.slug)
    context = {"campaign": attempt.campaign, "attempt": attempt, "texts": texts, "standing": now}
    return render(request, "annotation/practice_review.html", context)
