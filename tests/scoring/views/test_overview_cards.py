"""The overview of a campaign and its cards: what they show, compute and cost."""

import pytest

from scoring.models import Look, Report
from tests.clients import client_of, html_of, text_of
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import done_run


def get(address):
    return client_of("vera").get(f"/c/hand/{address}")


def test_looking_at_the_overview_is_no_look_at_comparisons():
    hand_campaign()
    page = html_of(get(""))
    for card in ("agreement", "systems", "metrics"):
        assert f"/c/hand/cards/{card}/" in page
        get(f"cards/{card}/")
    assert set(Report.objects.values_list("kind", flat=True)) == {"agreement"}
    assert not Look.objects.exists()
    assert "Compare systems" in text_of(get("cards/systems/"))


@pytest.mark.slow
def test_cards_show_the_numbers_of_the_reports(hand):
    done_run(hand, {})
    systems = get("results/").context["found"]["systems"]
    get("correlation/")
    drawn = {row.name: row.value for row in get("cards/systems/").context["chart"].rows}
    assert drawn == {name: one["scales"]["MEANING"]["mean"] for name, one in systems.items()}
    agreement = get("cards/agreement/").context["chart"]
    assert {row.name for row in agreement.rows} == {"MEANING", "GRAMMAR"}
    metrics = get("cards/metrics/").context
    assert metrics["stored"].fresh and metrics["runs"] == 1


def test_the_page_asks_few_questions_of_the_database(django_assert_max_num_queries):
    hand_campaign()
    client = client_of("vera")
    client.get("/c/hand/")
    with django_assert_max_num_queries(30):
        client.get("/c/hand/")


def test_one_outcome_is_shown_and_the_choice_is_kept():
    hand_campaign()
    page = get("results/").context["pictures"]
    assert [shown for _, _, shown in page].count(True) == 1
    picture, query, _ = page[-1]
    chosen = get(f"results/?{query}").context["pictures"]
    assert [one.title for one, _, shown in chosen if shown] == [picture.title]


def test_a_metric_stands_beside_the_matrix_with_the_texts_furthest_off():
    done_run(hand_campaign(), {"one": 0.0, "two": 1.0, "three": 2.0})
    page = get("correlation/").context
    [(row, _query)] = page["rows"]
    assert page["chosen"] == row.key
    card = get(f"correlation/beside/?{page['beside']}").context
    assert card["plot"].total == card["points"].total > 0 and card["furthest"]
