"""A version of the guidelines by its number, and the one that an annotator started with."""

import pytest

from annotation.campaigns.queries import guideline_first_used, guideline_get
from annotation.campaigns.services import guideline_add
from annotation.errors import NotFound
from tests.factories import make_annotator, make_campaign, rate_all


def test_a_version_of_another_campaign_is_not_there(campaign):
    """Nor what is no number of a version, whatever stands in an address."""
    other = make_campaign("other", items=1)
    added = guideline_add(campaign=other, text="Judge otherwise.", actor=None)
    assert guideline_get(campaign=other, version=str(added.version)) == added
    for version in (str(added.version), "0", "-1", "x", "", "²", "9" * 40):
        with pytest.raises(NotFound):
            guideline_get(campaign=campaign, version=version)


def test_the_first_used_version_stays_the_first(begun_campaign):
    other = make_campaign("other", items=1)
    bob = make_annotator(begun_campaign)
    guideline_add(campaign=begun_campaign, text="Second", actor=None)
    assert guideline_first_used(annotator=bob) is None
    rate_all(bob, at_most=1)
    guideline_add(campaign=begun_campaign, text="Third", actor=None)
    rate_all(bob)
    rate_all(make_annotator(other))
    first = guideline_first_used(annotator=bob)
    assert first == guideline_get(campaign=begun_campaign, version="2")
