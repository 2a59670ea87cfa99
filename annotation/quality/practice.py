"""Practice and test: settings by researchers, attempts and answers by annotators; and the steps
that an annotator completes before sheets are handed out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict, Invalid
from annotation.models import (
    Annotator,
    Campaign,
    PracticeAnswer,
    PracticeAttempt,
    PracticeGrant,
    PracticeRule,
    PracticeTolerance,
    Scale,
)
from annotation.models.quality import Part
from annotation.people.annotators import PEOPLE
from annotation.quality.overview import (
    PracticeQuestion,
    PracticeTextView,
    attempt_texts,
    practice_wanted,
    rule_of,
    standing,
    tolerances,
)
from annotation.sheets import sql
from paraanno import clock

NEARLY = 1e-9


def practice_check(*, share: float, tries: int, tolerance: Iterable[tuple[Scale, float]]) -> None:
    """Raise Invalid if the requirements are out of bounds."""
    if not 0 < share <= 1:
        raise Invalid(_("The share to pass must be above 0 and at most 1."))
    if not 1 <= tries <= 100:
        raise Invalid(_("The number of tries must be from 1 to 100."))
    if any(not 0 <= one <= scale.maximum - scale.minimum for scale, one in tolerance):
        raise Invalid(_("A tolerance must be 0 or more, and not wider than its scale."))


def practice_set(
    *,
    campaign: Campaign,
    required: bool,
    share: float,
    tries: int,
    tolerance: Mapping[Scale, float],
    actor: Actor,
) -> PracticeRule:
    """Set the requirements of the test. Existing answers keep their verdict."""
    practice_check(share=share, tries=tries, tolerance=tolerance.items())
    with short_write():
        lock_row(Campaign, campaign.pk)
        rule = rule_of(campaign)
        rule.required, rule.share, rule.tries = required, share, tries
        rule.save()
        for scale, one in tolerance.items():
            PracticeTolerance.objects.update_or_create(scale=scale, defaults={"tolerance": one})
        audit(
            actor=actor,
            verb="set practice",
            about=campaign,
            campaign=campaign,
            required=required,
            share=share,
            tries=tries,
            tolerance={scale.name: one for scale, one in tolerance.items()},
        )
    return rule


def attempt_start(*, annotator: Annotator, part: str) -> PracticeAttempt:
    """Start a part, or continue the attempt in progress.

    Raises Conflict if there is nothing to do, practice comes before the test, the test is passed,
    or no try is left.
    """
    with short_write():
        lock_row(Annotator, annotator.pk)
        now = standing(campaign=annotator.campaign, annotator=annotator)
        under_way = now.open(part)
        if part not in now.required:
            raise Conflict(_("There is nothing to practise in this campaign."))
        if under_way is not None:
            texts = attempt_texts(attempt=under_way)
            if all(one.answered for one in texts):  # the remaining texts have since been removed
                _finish(under_way, texts, clock.now())
            return under_way
        if part == Part.TEST and not now.may_test:
            raise Conflict(_no_test(now.practised, now.passed))
        return PracticeAttempt.objects.create(
            campaign=annotator.campaign,
            annotator=annotator,
            part=part,
            number=len(now.of(part)) + 1,
            started_at=clock.now(),
        )


def _no_test(practised: bool, passed: bool) -> str:
    if passed:
        return _("You have passed the test.")
    return _("There is no try left.") if practised else _("The practice comes before the test.")


def practice_answer(
    *,
    attempt: PracticeAttempt,
    text: PracticeTextView,
    values: Mapping[int, float],
    now: datetime | None = None,
) -> list[PracticeQuestion]:
    """Store the answers to a text, by scale id; an existing answer is kept.

    The attempt ends with its last answer. Returns the text's questions with their answers. Raises
    Invalid for a value off its scale (and stores none), and Conflict if the attempt has ended.
    """
    for question in text.questions:
        value = values.get(question.scale.pk)
        if value is not None and not question.scale.holds(value):
            raise Invalid(
                _("%(value)s is not on the scale %(name)s.")
                % {"value": f"{value:g}", "name": question.scale.name}
            )
    allowed = tolerances(attempt.campaign)
    with short_write():
        attempt = lock_row(PracticeAttempt, attempt.pk)
        if attempt.finished_at is not None:
            raise Conflict(_("This is finished already."))
        for question in text.questions:
            value = values.get(question.scale.pk)
            if value is not None:
                PracticeAnswer.objects.get_or_create(
                    attempt=attempt,
                    substitution=text.substitution,
                    scale=question.scale,
                    defaults={
                        "value": value,
                        "right": is_right(question, value, allowed[question.scale.pk]),
                        "at": now or clock.now(),
                    },
                )
        texts = attempt_texts(attempt=attempt)
        if all(one.answered for one in texts):
            _finish(attempt, texts, now or clock.now())
    return [
        question
        for one in texts
        if one.substitution == text.substitution
        for question in one.questions
    ]


def is_right(question: PracticeQuestion, value: float, tolerance: float) -> bool:
    """Whether a value is inside the expected band, or outside by no more than the tolerance."""
    band = question.expected
    return band.low - tolerance - NEARLY <= value <= band.high + tolerance + NEARLY


def _finish(attempt: PracticeAttempt, texts: list[PracticeTextView], now: datetime) -> None:
    answers = [question.answer for text in texts for question in text.questions]
    attempt.asked = len(answers)
    attempt.right = sum(answer is not None and answer.right for answer in answers)
    share = attempt.right / attempt.asked if attempt.asked else 1
    rule = rule_of(attempt.campaign)
    attempt.passed = attempt.part == Part.PRACTICE or share >= rule.share - NEARLY
    attempt.finished_at = now
    attempt.save(update_fields=["asked", "right", "passed", "finished_at"])
    if attempt.part == Part.TEST:
        audit(
            actor=None,
            verb="pass test" if attempt.passed else "fail test",
            about=attempt,
            campaign=attempt.campaign,
            annotator=attempt.annotator.code,
            right=attempt.right,
            asked=attempt.asked,
        )


def practice_grant(*, annotator: Annotator, kind: str, actor: Actor) -> PracticeGrant:
    """Give the annotator one more try, or let them in without the test."""
    if kind not in PracticeGrant.Kind.values:
        raise Invalid(_("Choose one more try, or to let them in."))
    with short_write():
        grant = PracticeGrant.objects.create(
            annotator=annotator,
            kind=kind,
            given_by_id=actor.pk if actor else None,
            given_at=clock.now(),
        )
        audit(
            actor=actor,
            verb=f"practice: {kind}",
            about=annotator,
            campaign=annotator.campaign,
            annotator=annotator.code,
        )
    return grant


# The steps before the next sheet.


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
