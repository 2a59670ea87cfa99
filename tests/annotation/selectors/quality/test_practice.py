"""Practice as its annotator sees it: texts, right answers once they are given, the way in."""

import pytest

from annotation.collecting.claiming import NotClaimable
from annotation.errors import Conflict
from annotation.models import Annotator, AuditEntry
from annotation.quality.overview import practice_wanted
from annotation.quality.practice import attempt_start
from tests.annotation.services.collecting.claimed import offer
from tests.annotation.services.quality.school import go_through, school


def test_the_campaign_opens_with_a_passed_test():
    _, bob = school()
    with pytest.raises(NotClaimable) as refused:
        offer(bob)
    assert (refused.value.code, refused.value.data["url"]) == ("practice", "/rate/camp/practice/")
    with pytest.raises(Conflict):
        attempt_start(annotator=bob, part="test")
    assert go_through(bob, "practice", 1, 1).passed
    assert practice_wanted(annotator=bob)
    attempt = go_through(bob, "test", 4, 5)
    assert (attempt.right, attempt.asked, attempt.passed) == (4, 4, True)
    assert offer(bob) is not None
    with pytest.raises(Conflict):
        attempt_start(annotator=bob, part="test")
    assert AuditEntry.objects.filter(verb="pass test").count() == 1


@pytest.mark.parametrize(
    ("meaning", "grammar", "share", "tolerance", "passed"),
    [
        (3, 5, 0.75, 0, False),
        (3, 5, 0.5, 0, True),
        (3, 5, 0.75, 1, True),
        (2, 5, 0.75, 1, False),
        (5, 4, 0.75, 1, False),
        (4, 5, 1.0, 0, True),
    ],
)
def test_tolerance_and_share(meaning, grammar, share, tolerance, passed):
    _, bob = school(practice=0, share=share, tolerance=tolerance)
    assert go_through(bob, "test", meaning, grammar).passed is passed
    assert practice_wanted(annotator=bob) is not passed


def test_voices_that_are_no_people_practise_nothing():
    campaign, _bob = school()
    simulated = Annotator.objects.create(campaign=campaign, code="S1", origin="simulated")
    assert not practice_wanted(annotator=simulated)
    assert offer(simulated) is not None
