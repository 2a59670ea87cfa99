"""Background questions of a campaign, and the answers of its annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Prefetch, QuerySet, Subquery
from django.utils.translation import gettext as _

from annotation.errors import NotFound
from annotation.models import (
    Annotator,
    BackgroundAnswer,
    BackgroundQuestion,
    Campaign,
    Consent,
    Withdrawal,
)


def questions_asked(*, campaign: Campaign) -> QuerySet[BackgroundQuestion]:
    """Return the questions that are not hidden, in order."""
    return BackgroundQuestion.objects.filter(campaign=campaign, hidden_at=None)


def questions_left(*, annotator: Annotator) -> QuerySet[BackgroundQuestion]:
    """Return the questions that the annotator has not answered or declined yet."""
    asked = BackgroundQuestion.objects.filter(campaign=annotator.campaign_id, hidden_at=None)
    answers = BackgroundAnswer.objects.filter(question=OuterRef("pk"), annotator=annotator)
    return asked.filter(~Exists(answers))


def questions_with_answers(*, campaign: Campaign) -> QuerySet[BackgroundQuestion]:
    """Return all questions in order, including hidden ones, with the number `answered`; one
    query.
    """
    rows = campaign.background_questions.annotate(answered=Count("answers"))
    return rows.order_by("position", "pk")


def question_get(*, campaign: Campaign, key: UUID) -> BackgroundQuestion:
    """Return one question. Raises NotFound if the campaign has none with this key."""
    row = questions_with_answers(campaign=campaign).filter(key=key).first()
    if row is None:
        raise NotFound(_("There is no such question."))
    return row


def with_answers(annotators: QuerySet[Annotator]) -> QuerySet[Annotator]:
    """Add `consent_version`, `consented_at`, `withdrawn_at` and `erased`, and prefetch the answers
    in two more queries.
    """
    newest = Consent.objects.filter(annotator=OuterRef("pk")).order_by("-at", "-pk")
    left = Withdrawal.objects.filter(annotator=OuterRef("pk"), ended_at=None)
    answers = BackgroundAnswer.objects.select_related("question")
    return annotators.annotate(
        consent_version=Subquery(newest.values("text__version")[:1]),
        consented_at=Subquery(newest.values("at")[:1]),
        withdrawn_at=Subquery(left.values("at")[:1]),
        erased=Subquery(left.values("erased")[:1]),
    ).prefetch_related(Prefetch("background_answers", answers))


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each answer to a question was given.

    `counts` pairs answers with their numbers: options in their order (including those nobody
    chose), numbers ascending, texts by frequency. For "any of several" an annotator counts once for
    each chosen option. `declined` counts "I would rather not say", `empty` counts blank answers.
    """

    question: BackgroundQuestion
    answered: int
    counts: tuple[tuple[str, int], ...]
    declined: int
    empty: int


def answer_tallies(*, campaign: Campaign) -> list[Tally]:
    """Return the tally of each question in order, including hidden ones; two queries."""
    answers: dict[int, list[BackgroundAnswer]] = {}
    for answer in BackgroundAnswer.objects.filter(question__campaign=campaign):
        answers.setdefault(answer.question_id, []).append(answer)
    questions = campaign.background_questions.order_by("position", "pk")
    return [_tally(question, answers.get(question.pk, [])) for question in questions]


def _tally(question: BackgroundQuestion, answers: list[BackgroundAnswer]) -> Tally:
    kind = BackgroundQuestion.Kind
    given = [one.value for one in answers if one.value not in (None, [])]
    declined = sum(one.declined for one in answers)
    if question.kind in (kind.CHOICE, kind.CHOICES):
        chosen = Counter(part for value in given for part in _parts(value))
        counts = tuple((option, chosen[option]) for option in question.options)
    elif question.kind == kind.NUMBER:
        counts = tuple((f"{value:g}", n) for value, n in sorted(Counter(given).items()))
    else:
        texts = Counter(map(str, given))
        counts = tuple(sorted(texts.items(), key=lambda pair: (-pair[1], pair[0])))
    return Tally(question, len(given), counts, declined, len(answers) - len(given) - declined)


def _parts(value: object) -> Iterator[str]:
    yield from (str(one) for one in (value if isinstance(value, list) else [value]))


def annotators_with_answers(*, campaign: Campaign) -> QuerySet[Annotator]:
    """Return the annotators who answered or skipped a question, by code, with their answers."""
    answered = BackgroundAnswer.objects.filter(annotator=OuterRef("pk"))
    answers = BackgroundAnswer.objects.select_related("question")
    rows = Annotator.objects.filter(Exists(answered), campaign=campaign).order_by("code")
    return rows.prefetch_related(Prefetch("background_answers", answers))
