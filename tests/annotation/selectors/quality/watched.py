"""A campaign that is watched, and what its checks say."""

from __future__ import annotations

from annotation.models import Annotator, Campaign, QualityPlan
from annotation.selectors.quality.overview import outcome
from annotation.services.campaigns.campaigns import campaign_open
from annotation.services.quality.copies import copies_make, degraded_make
from tests.annotation.services.quality.acts import Choose
from tests.factories import make_campaign

PLAN = QualityPlan()


def share(annotator: Annotator, check: str) -> tuple[int, int]:
    """Checked and failed."""
    result = outcome(annotator=annotator, check=check, plan=PLAN)
    return result.n, result.failed


def watched(items: int = 4, **settings: object) -> Campaign:
    """Every item has a degraded and an exact copy."""
    campaign = make_campaign(items=items, systems=2, k=3, open_it=False, **settings)
    degraded_make(campaign=campaign, items=items, method="shuffle", seed=1, actor=None)
    copies_make(campaign=campaign, items=items, seed=1, actor=None)
    return campaign_open(campaign=campaign, actor=None)


def by_role(**values: float) -> Choose:
    return lambda text, scale: values.get(text.role, 3)
