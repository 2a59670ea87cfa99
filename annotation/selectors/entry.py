"""What stands between an annotator and their first sheet, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.models import Annotator
from annotation.selectors.background import background_wanted
from annotation.selectors.consent import consent_wanted
from annotation.selectors.practice import practice_wanted
from annotation.selectors.quality import paused, warned


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do before sheets are handed out.

    `code` is what a refused claim answers, `route` the page (its only argument is the campaign's
    slug), `wanted` says whether an annotator still has to go through it.
    """

    code: str
    route: str
    message: Any  # a lazy text
    wanted: Callable[..., bool]

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
        consent_wanted,
    ),
    Step(
        "background",
        "rate-background",
        _("Please answer the questions about yourself first."),
        background_wanted,
    ),
    Step(
        "practice",
        "rate-practice",
        _("Please practise first; then the campaign opens for you."),
        practice_wanted,
    ),
    Step(
        "paused",
        "rate-notice",
        _("Your work is paused. Everything that you gave is kept."),
        paused,
    ),
    Step(
        "warned",
        "rate-notice",
        _("There is something to read before the next sheet."),
        warned,
    ),
)


def next_step(*, annotator: Annotator) -> Step | None:
    """The first step that the annotator has yet to take; None where the way is free."""
    return next((step for step in STEPS if step.wanted(annotator=annotator)), None)
