"""A campaign with somebody at work who leaves."""

from annotation.collecting.claiming import claim_next
from tests.factories import make_annotator, rate_all, rate_sheet


def working(begun_campaign):
    """Bob with one sheet done and one open, on which he has answered everything."""
    bob = make_annotator(begun_campaign)
    assert rate_all(bob, at_most=1) == 1
    rate_sheet(bob, claim_next(annotator=bob), submit=False)
    return bob
