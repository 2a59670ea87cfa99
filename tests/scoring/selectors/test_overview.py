"""What administrators see of every campaign, in a constant number of queries."""

from django.db import connection

from scoring.http.overview import overview_rows
from scoring.work.workers import demo_mark, demo_pending
from tests.factories import add_items, make_campaign
from tests.scoring.factories import done_run, report_of
from tests.scoring.selectors.rows import admin_page, row_of


def test_the_best_metric_is_the_one_that_correlates_best(hand):
    done_run(hand, {"one": 9, "two": 5, "three": 1}, spec="bleu")
    done_run(hand, {"one": 1, "two": 5, "three": 6}, spec="pinc")
    report = report_of(hand, "correlation").result
    found = {one.scale: (one.value, one.name) for one in row_of(hand).best}
    for human, numbers in report["human"].items():
        metrics = numbers["metrics"].items()
        assert found[human] == max((one["pearson"]["value"], name) for name, one in metrics)
    assert "Best metric" in admin_page()


def test_a_run_is_outdated_once_outputs_came_after_it(hand):
    run = done_run(hand, {"one": 9, "two": 5, "three": 1})
    assert row_of(hand).outdated == ()
    add_items(
        hand,
        [
            {
                "item": "i9",
                "phrase": "new",
                "sentence": "A new one.",
                "paraphrase": "fresh",
                "system": "S0",
            }
        ],
    )
    assert row_of(hand).outdated == (run,)
    assert "is older than the newest text" in admin_page()
    newer = done_run(hand, {"one": 9, "fresh": 5})
    assert row_of(hand).outdated == () and row_of(hand).last_run == newer


def test_queries_do_not_grow_with_the_campaigns(django_assert_num_queries):
    # PostgreSQL is asked for the time as well.
    queries = 6 if connection.vendor == "postgresql" else 5
    campaigns = []
    for number in range(3):
        campaigns.append(make_campaign(f"more-{number}", items=1, cast=False))
        done_run(campaigns[-1], {})
        with django_assert_num_queries(queries):
            assert len(overview_rows(campaigns)) == number + 1


# The mark that asks for the runs of the demo.


def test_the_mark_names_the_campaign(data_dir):
    assert demo_pending() is None
    demo_mark().write_text("17")
    assert demo_mark().parent == data_dir and demo_pending() == 17
