"""The steps that an annotator completes before sheets are handed out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy

from annotation.models import Annotator
from annotation.people.annotators import PEOPLE
from annotation.quality.overview import practice_wanted
from annotation.sheets import sql


@dataclass(frozen=True, slots=True)
class Step:
    """A step before the next sheet.

    `code` is the code of a refused claim and the field name in `sql.Waiting`. `route` is the page's
    URL name; its only argument is the campaign's slug.
    """

    code: str
    route: str
    message: Any

    def url(self, *, slug: str) -> str:
        """Return the address of the step's page."""
        return reverse(self.route, args=[slug])


# In this order. Each step is completed once. A step that recurs (a new consent text) blocks only
# the next claim, never work in progress.
STEPS = (
    Step(
        "consent",
        "rate-consent",
        gettext_lazy("Please read what you are taking part in, and say whether you agree."),
    ),
    Step(
        "background",
        "rate-background",
        gettext_lazy("Please answer the questions about yourself first."),
    ),
    Step(
        "practice",
        "rate-practice",
        gettext_lazy("Please practise first; then the campaign opens for you."),
    ),
    Step(
        "paused",
        "rate-notice",
        gettext_lazy("Your work is paused. All your answers are kept."),
    ),
    Step(
        "warned",
        "rate-notice",
        gettext_lazy("There is a message to read before the next sheet."),
    ),
)


def next_step(*, annotator: Annotator, waiting: sql.Waiting | None = None) -> Step | None:
    """Return the first step the annotator has not completed; None if there is none.

    One query, or none if `waiting` is given; more only for an annotator who has not passed
    practice.
    """
    if annotator.origin not in PEOPLE:
        return None
    waiting = waiting or sql.waiting(annotator)
    for step in STEPS:
        if getattr(waiting, step.code) and (
            step.code != "practice" or practice_wanted(annotator=annotator)
        ):
            return step
    return None
