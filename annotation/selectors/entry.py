"""What stands between an annotator and their first sheet, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import Annotator
from annotation.selectors import quick
from annotation.selectors.consent import PEOPLE
from annotation.selectors.practice import practice_wanted


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do before sheets are handed out.

    `code` is what a refused claim answers and the name in `quick.Waiting`, `route` the page (its
    only argument is the campaign's slug).
    """

    code: str
    route: str
    message: Any  # a lazy text

    def url(self, *, slug: str) -> str:
        """The address of the step's page."""
        return reverse(self.route, args=[slug])


# In this order. A step is taken once; one that comes back (a new consent text) stops only the
# next claim, never work under way.
STEPS = (
    Step(
        "consent",
        "rate-consent",
        _("Please read what you take part in, and say whether you agree."),
    ),
    Step(
        "background",
        "rate-background",
        _("Please answer the questions about yourself first."),
    ),
    Step(
        "practice",
        "rate-practice",
        _("Please practise first; then the campaign opens for you."),
    ),
    Step(
        "paused",
        "rate-notice",
        _("Your work is paused. Everything that you gave is kept."),
    ),
    Step(
        "warned",
        "rate-notice",
        _("There is something to read before the next sheet."),
    ),
)


def next_step(*, annotator: Annotator, waiting: quick.Waiting | None = None) -> Step | None:
    """The first step that the annotator has yet to take; None where the way is free.

    One query, none where `waiting` is known; more only for one who has not passed practice.
    """
    if annotator.origin not in PEOPLE:
        return None
    waiting = waiting or quick.waiting(annotator)
    for step in STEPS:
        if getattr(waiting, step.code) and (
            step.code != "practice" or practice_wanted(annotator=annotator)
        ):
            return step
    return None
