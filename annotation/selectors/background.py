"""What a campaign asks about its annotators, and what they answered."""

from __future__ import annotations

from django.db.models import Count, Exists, OuterRef, Prefetch, QuerySet, Subquery

from annotation.models import (
    Annotator,
    BackgroundAnswer,
    BackgroundQuestion,
    Campaign,
    Consent,
    Withdrawal,
)


def questions_asked(*, campaign: Campaign) -> QuerySet[BackgroundQuestion]:
    """The questions that are not hidden, in order."""
    return BackgroundQuestion.objects.filter(campaign=campaign, hidden_at=None)


def questions_left(*, annotator: Annotator) -> QuerySet[BackgroundQuestion]:
    """The questions that the annotator has not been through yet."""
    asked = BackgroundQuestion.objects.filter(campaign=annotator.campaign_id, hidden_at=None)
    answers = BackgroundAnswer.objects.filter(question=OuterRef("pk"), annotator=annotator)
    return asked.filter(~Exists(answers))


def questions_with_answers(*, campaign: Campaign) -> QuerySet[BackgroundQuestion]:
    """All questions in order, also hidden ones, with `answered`, by how many; one query."""
    rows = campaign.background_questions.annotate(answered=Count("answers"))
    return rows.order_by("position", "pk")


def with_answers(annotators: QuerySet[Annotator]) -> QuerySet[Annotator]:
    """With what they agreed to last and since when they are gone: `consent_version`,
    `consented_at`, `withdrawn_at`, `erased`; and with their answers, in two more queries."""
    newest = Consent.objects.filter(annotator=OuterRef("pk")).order_by("-at", "-pk")
    left = Withdrawal.objects.filter(annotator=OuterRef("pk"), ended_at=None)
    answers = BackgroundAnswer.objects.select_related("question")
    return annotators.annotate(
        consent_version=Subquery(newest.values("text__version")[:1]),
        consented_at=Subquery(newest.values("at")[:1]),
        withdrawn_at=Subquery(left.values("at")[:1]),
        erased=Subquery(left.values("erased")[:1]),
    ).prefetch_related(Prefetch("background_answers", answers))
