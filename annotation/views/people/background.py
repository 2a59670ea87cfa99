"""Annotators' answers to background questions, for researchers."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.models import Annotator, BackgroundQuestion
from annotation.selectors.access import campaign_get
from annotation.selectors.people.background import Tally, annotators_with_answers, answer_tallies
from annotation.views.pages import campaign_page

PER_PAGE = 100
MOST_VALUES = 30  # Per question: free-text answers may all differ.


@never_cache
@require_safe
def answers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a table of counts for each question, and each annotator's answers by code."""
    campaign, rights = campaign_get(user=request.user, slug=slug, right="research")
    tallies = answer_tallies(campaign=campaign)
    rows = Paginator(annotators_with_answers(campaign=campaign), PER_PAGE)
    page = rows.get_page(request.GET.get("page"))
    questions = [tally.question for tally in tallies]
    return campaign_page(
        request, "annotation/background_answers.html", campaign=campaign, rights=rights,
        parts=[_part(tally) for tally in tallies], questions=questions, page=page,
        lines=[(one, _cells(one, questions)) for one in page],
    )  # fmt: skip


def _part(tally: Tally) -> dict[str, object]:
    more = max(0, len(tally.counts) - MOST_VALUES)
    return {"tally": tally, "rows": tally.counts[:MOST_VALUES], "more": more}


def _cells(annotator: Annotator, questions: list[BackgroundQuestion]) -> list[dict[str, object]]:
    """Return the annotator's answer to each question: a text, or that there is none."""
    given = {one.question_id: one for one in annotator.background_answers.all()}
    found = [(question, given.get(question.pk)) for question in questions]
    return [
        {
            "question": question,
            "asked": answer is not None,
            "declined": answer is not None and answer.declined,
            "text": _shown(answer.value) if answer is not None else "",
        }
        for question, answer in found
    ]


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
