"""A campaign that is watched, and what its checks say."""

from annotation.models import QualityPlan
from annotation.quality.overview import outcome
from annotation.quality.rules import degraded_make
from tests.factories import add_copies, make_campaign, open_campaign

PLAN = QualityPlan()


def share(annotator, check):
    """Checked and failed."""
    result = outcome(annotator=annotator, check=check, plan=PLAN)
    return result.n, result.failed


def watched(items=4, **settings):
    """Every item has a degraded and an exact copy."""
    campaign = make_campaign(items=items, systems=2, k=3, open_it=False, **settings)
    degraded_make(campaign=campaign, items=items, method="shuffle", seed=1, actor=None)
    add_copies(campaign, items)
    return open_campaign(campaign)


def by_role(**values):
    return lambda text, scale: values.get(text.role, 3)
