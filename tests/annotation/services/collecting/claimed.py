"""A claimed sheet, and saves on it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone

from annotation.models import Annotator, Sheet
from annotation.services.collecting.claiming import claim_next
from annotation.services.collecting.saving import Answer, Saved, judgment_save
from tests.factories import make_annotator, make_campaign

NOW = timezone.now()
LATER = NOW + timedelta(hours=3)


def offer(annotator: Annotator, *beside: Sheet, now: datetime | None = None) -> Any:
    """What a claim gives who is working on the sheets `beside`."""
    return claim_next(annotator=annotator, beside=[one.key for one in beside], now=now)


def holding(now: datetime | None = None, **settings: Any) -> tuple[Annotator, Sheet]:
    """Bob with his first sheet of a campaign that nobody else is in."""
    bob = make_annotator(make_campaign(**{"items": 1, "cast": False} | settings))
    return bob, offer(bob, now=now)


def save(
    annotator: Annotator,
    sheet: Sheet,
    value: float | Answer | None,
    base: int = 0,
    now: datetime = LATER,
    request: UUID | None = None,
) -> Saved:
    """Answer the first question of the sheet."""
    entry = sheet.entries.select_related("substitution").order_by("pk")[0]
    return judgment_save(
        annotator=annotator, sheet_key=sheet.key, substitution_key=entry.substitution.key,
        scale_key=annotator.campaign.scales.all()[0].key,
        answer=value if isinstance(value, Answer) else Answer(value),
        request_id=request or uuid4(), base_version=base, now=now,
    )  # fmt: skip


def claimed(k: int = 1) -> tuple[Annotator, Sheet]:
    """Bob, who has answered the first question."""
    bob, sheet = holding(k=k, now=NOW)
    save(bob, sheet, 3, now=NOW)
    return bob, sheet


def rate_rest(annotator: Annotator, sheet: Sheet) -> None:
    """What `claimed` and `save` leave unanswered."""
    given = set(annotator.judgments.values_list("substitution", "scale"))
    for entry in sheet.entries.select_related("substitution"):
        for scale in annotator.campaign.scales.all():
            if (entry.substitution_id, scale.pk) not in given:
                judgment_save(
                    annotator=annotator, sheet_key=sheet.key,
                    substitution_key=entry.substitution.key, scale_key=scale.key,
                    answer=Answer(2), request_id=uuid4(), base_version=0, now=LATER,
                )  # fmt: skip
