"""Rules about participants."""

from __future__ import annotations

from collections.abc import Iterator

from annotation.models import Campaign, Exclusion, Slot, Withdrawal
from annotation.selectors.verify.rules import broken_ids, rule


@rule("Who withdrew holds no open sheet, and what they took out is excluded")
def _withdrawals(campaign: Campaign) -> Iterator[str]:
    left = Withdrawal.objects.filter(campaign=campaign, ended_at=None)
    held = Slot.objects.filter(campaign=campaign, state=Slot.State.CLAIMED)
    yield from broken_ids(held.filter(annotator__in=left.values("annotator")))
    out = Exclusion.objects.filter(campaign=campaign, kind="withdrawal", ends_at=None)
    removed = left.filter(judgments=Withdrawal.Judgments.REMOVE)
    yield from broken_ids(removed.exclude(annotator__in=out.values("annotator")))
