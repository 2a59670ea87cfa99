"""Reading a campaign a part at a time: items by key, each in a query that ends before the part is
handed on, so that no transaction stays open while a slow client reads."""

from tests.factories import make_campaign
from tests.scoring.services.reports.files import written


def test_queries_follow_parts_not_rows(django_assert_max_num_queries):
    campaign = make_campaign("many", items=60, open_it=False)
    with django_assert_max_num_queries(27):
        written(campaign, "items", format="jsonl")
        written(campaign, "judgments", format="jsonl")
