"""The page of groups says who lacks sheets, in two queries for any number of people."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.people.quotas import (
    group_join,
    work_group_set,
    work_groups,
    work_lines,
    work_rule_of,
    work_rule_set,
)
from tests.factories import make_annotator, make_campaign, rate_all


def test_lines_say_what_lacks_by_the_bounds_that_hold():
    campaign = make_campaign(items=4)
    assert work_rule_of(campaign=campaign).sheets_at_most is None
    work_rule_set(
        campaign=campaign, sheets_at_least=2, sheets_at_most=3, largest_share=None, actor=None
    )
    bob, ben = (make_annotator(campaign, name) for name in ("bob", "ben"))
    group = work_group_set(
        campaign=campaign, name="Few", sheets_at_least=1, sheets_at_most=None, actor=None
    )
    group_join(annotator=ben, group=group, actor=None)
    for one in (bob, ben):
        rate_all(one, at_most=1)
    with CaptureQueriesContext(connection) as queries:
        lines = work_lines(campaign=campaign)
    assert [(one.done, one.least, one.most, one.lacks) for one in lines] == [
        (1, 2, 3, 1),
        (1, 1, 3, 0),
    ]
    assert len(queries) == 4
    assert [(one.name, one.people) for one in work_groups(campaign=campaign)] == [("Few", 1)]
