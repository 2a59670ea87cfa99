"""Rules about quality control and practice."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, F, Q

from annotation.models import Campaign, Expected, PracticeAttempt, PracticeText, Substitution
from annotation.selectors.verify.rules import broken_ids, rule

Role = Substitution.Role


@rule("Controls and practice texts alone have expected values, each on its scale")
def _expected(campaign: Campaign) -> Iterator[str]:
    bands = Expected.objects.filter(substitution__campaign=campaign)
    yield from broken_ids(bands.exclude(substitution__role__in=[Role.CONTROL, Role.PRACTICE]))
    off = Q(low__lt=F("scale__minimum")) | Q(high__gt=F("scale__maximum"))
    yield from broken_ids(bands.filter(off))


@rule("A text to practise with has the role practice")
def _practice(campaign: Campaign) -> Iterator[str]:
    texts = PracticeText.objects.filter(campaign=campaign)
    yield from broken_ids(texts.exclude(substitution__role=Role.PRACTICE))


@rule("The figures of a finished practice are those of its answers")
def _figures(campaign: Campaign) -> Iterator[str]:
    done = PracticeAttempt.objects.filter(campaign=campaign, finished_at__isnull=False).annotate(
        given=Count("answers"), fit=Count("answers", filter=Q(answers__right=True))
    )
    yield from broken_ids(done.exclude(given=F("asked"), fit=F("right")))
