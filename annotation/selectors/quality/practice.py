"""Practice as its annotator sees it: texts, correct answers after each answer, and the annotator's
standing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Prefetch, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import (
    Annotator,
    Campaign,
    Expected,
    PracticeAnswer,
    PracticeAttempt,
    PracticeGrant,
    PracticeRule,
    PracticeText,
    Scale,
    Substitution,
)
from annotation.models.quality.practice import Part
from annotation.selectors.people.consent import PEOPLE

Kind = PracticeGrant.Kind


def rule_of(campaign: Campaign) -> PracticeRule:
    """Return the campaign's practice rule; an unsaved one that requires nothing if there is
    none.
    """
    return PracticeRule.objects.filter(campaign=campaign).first() or PracticeRule(campaign=campaign)


def tolerances(campaign: Campaign) -> dict[int, float]:
    """Return the tolerance of an answer by scale id; 0 by default."""
    rows = Scale.objects.filter(campaign=campaign)
    return {pk: t or 0.0 for pk, t in rows.values_list("pk", "practice_tolerance__tolerance")}


def practice_texts(*, campaign: Campaign, part: str | None = None) -> QuerySet[PracticeText]:
    """Return the texts with expected values, in order, with those values."""
    expected = Prefetch(
        "substitution__expected",
        Expected.objects.select_related("scale")
        .prefetch_related("scale__points")
        .order_by("scale__position"),
    )
    rows = PracticeText.objects.filter(
        Exists(Expected.objects.filter(substitution=OuterRef("substitution"))), campaign=campaign
    )
    if part is not None:
        rows = rows.filter(part=part)
    return rows.select_related("substitution__item__phrase").prefetch_related(expected)


def practice_listed(*, campaign: Campaign) -> QuerySet[PracticeText]:
    """Return all practice texts for researchers, including those without expected values."""
    rows = PracticeText.objects.filter(campaign=campaign)
    return rows.select_related("substitution__item__phrase").prefetch_related(
        "substitution__expected__scale"
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """An annotator's progress in practice and test. `asked` holds the parts that have texts."""

    rule: PracticeRule
    asked: frozenset[str]
    attempts: tuple[PracticeAttempt, ...]
    grants: tuple[str, ...]

    def of(self, part: str) -> list[PracticeAttempt]:
        return [one for one in self.attempts if one.part == part]

    def open(self, part: str) -> PracticeAttempt | None:
        """Return the attempt in progress."""
        return next((one for one in self.of(part) if one.finished_at is None), None)

    @property
    def practice_open(self) -> PracticeAttempt | None:
        return self.open(Part.PRACTICE)

    @property
    def test_open(self) -> PracticeAttempt | None:
        return self.open(Part.TEST)

    @property
    def tests_done(self) -> list[PracticeAttempt]:
        return [one for one in self.of(Part.TEST) if one.finished_at is not None]

    @property
    def practised(self) -> bool:
        """Whether practice was completed, or there is none."""
        done = any(one.finished_at for one in self.of(Part.PRACTICE))
        return done or Part.PRACTICE not in self.asked

    @property
    def passed(self) -> bool:
        """Whether the test was passed, or there is none and practice is done, or a researcher
        granted a pass.
        """
        if Kind.PASS in self.grants or any(one.passed for one in self.of(Part.TEST)):
            return True
        return Part.TEST not in self.asked and self.practised

    @property
    def tries_left(self) -> int:
        """Number of tests that may still be started, without the one in progress."""
        return max(0, self.rule.tries + self.grants.count(Kind.TRY) - len(self.of(Part.TEST)))

    @property
    def may_test(self) -> bool:
        """Whether the test can be started or continued."""
        ready = Part.TEST in self.asked and self.practised and not self.passed
        return ready and (self.open(Part.TEST) is not None or self.tries_left > 0)

    @property
    def stuck(self) -> bool:
        """Whether no try is left, so that a researcher has to help."""
        return not self.passed and Part.TEST in self.asked and self.practised and not self.may_test

    @property
    def explains_test(self) -> bool:
        """Whether to show the correct answers of the test: only once nothing can be gained by
        them.
        """
        return self.passed or self.stuck


def standing(*, campaign: Campaign, annotator: Annotator | None) -> Standing:
    """Return the standing of an annotator, or of a user who has none yet; four queries."""
    asked = frozenset(practice_texts(campaign=campaign).values_list("part", flat=True))
    if annotator is None:
        return Standing(rule_of(campaign), asked, (), ())
    grants = PracticeGrant.objects.filter(annotator=annotator)
    return Standing(
        rule=rule_of(campaign),
        asked=asked,
        attempts=tuple(PracticeAttempt.objects.filter(annotator=annotator)),
        grants=tuple(grants.values_list("kind", flat=True)),
    )


def practice_wanted(*, annotator: Annotator) -> bool:
    """Whether practice blocks the annotator's next sheet; one query if the campaign requires
    none.
    """
    required = PracticeRule.objects.filter(campaign=annotator.campaign_id, required=True)
    if annotator.origin not in PEOPLE or not required.exists():
        return False
    return not standing(campaign=annotator.campaign, annotator=annotator).passed


def attempt_get(*, annotator: Annotator, key: UUID) -> PracticeAttempt:
    """Return one of the annotator's own attempts. Raises NotFound for any other."""
    attempt = PracticeAttempt.objects.filter(annotator=annotator, key=key).first()
    if attempt is None:
        raise NotFound(_("There is no such practice."))
    return attempt


@dataclass(frozen=True, slots=True)
class PracticeQuestion:
    """One scale of a practice text, its correct answer, and the answer given."""

    scale: Scale
    expected: Expected
    answer: PracticeAnswer | None


@dataclass(frozen=True, slots=True)
class PracticeTextView:
    """A practice text as displayed on the rating screen."""

    place: int
    substitution: Substitution
    before: str
    after: str
    questions: tuple[PracticeQuestion, ...]

    @property
    def answered(self) -> bool:
        return all(question.answer is not None for question in self.questions)


def attempt_texts(*, attempt: PracticeAttempt) -> list[PracticeTextView]:
    """Return the texts of the attempt's part with its answers, in order; four queries."""
    answers = {(one.substitution_id, one.scale_id): one for one in attempt.answers.all()}
    rows = practice_texts(campaign=attempt.campaign, part=attempt.part)
    return [
        PracticeTextView(
            place, row.substitution, *row.substitution.context(), _questions(row, answers)
        )
        for place, row in enumerate(rows, 1)
    ]


def _questions(
    row: PracticeText, answers: dict[tuple[int, int], PracticeAnswer]
) -> tuple[PracticeQuestion, ...]:
    return tuple(
        PracticeQuestion(one.scale, one, answers.get((one.substitution_id, one.scale_id)))
        for one in row.substitution.expected.all()
    )


@dataclass(frozen=True, slots=True)
class PracticeLine:
    """One annotator on the researchers' page."""

    annotator: Annotator
    standing: Standing


def standings(*, campaign: Campaign) -> Iterator[PracticeLine]:
    """Yield every annotator who has started practice or was granted something; a constant number of
    queries.
    """
    rule, asked = (
        rule_of(campaign),
        frozenset(practice_texts(campaign=campaign).values_list("part", flat=True)),
    )
    rows = (
        Annotator.objects.filter(campaign=campaign)
        .annotate(tried=Count("practice_attempts"), helped=Count("practice_grants"))
        .exclude(tried=0, helped=0)
        .prefetch_related("practice_attempts", "practice_grants")
        .order_by("code")
    )
    for one in rows:
        grants = tuple(grant.kind for grant in one.practice_grants.all())
        yield PracticeLine(one, Standing(rule, asked, tuple(one.practice_attempts.all()), grants))
