"""Gold by a named method on the units of `Ratings`: adjudicated first where asked, and imported
values where nobody judged."""

from scoring.gold.report import gold_get
from scoring.ratings.choice import Choice
from scoring.ratings.tables import ratings_get
from tests.factories import add_judgments, judgment_row


def test_gold_of_a_past_day_knows_no_later_values(hand):
    text = hand.substitutions.get(text="one")
    hand.imported_gold.create(substitution=text, scale=hand.scales.first(), value=1, source="paper")
    add_judgments(
        hand,
        [judgment_row("i1", "two", "judge", 5, kind="adjudication")],
    )
    for as_of, expected in (("", {1, 5}), ("2001-01-01", set())):
        choice = Choice(method="adjudicated-majority", as_of=as_of)
        ratings = ratings_get(campaign=hand, choice=choice)
        found = gold_get(campaign=hand, ratings=ratings, choice=choice).columns["MEANING"]
        other = {row.value for row in found.rows() if row.source in ("adjudicated", "imported")}
        assert other == expected


def test_of_several_adjudications_the_newest_wins(hand):
    row = {"item": "i1", "paraphrase": "two", "scale": "MEANING", "kind": "adjudication"}
    add_judgments(
        hand,
        [
            {**row, "annotator": "a", "value": 5, "recorded_at": "2024-03-01T00:00:00Z"},
            {**row, "annotator": "b", "value": 2, "recorded_at": "2024-01-01T00:00:00Z"},
            {**row, "annotator": "c", "value": 1, "recorded_at": "2024-02-01T00:00:00Z"},
        ],
    )
    choice = Choice(method="adjudicated-majority")
    ratings = ratings_get(campaign=hand, choice=choice)
    found = gold_get(campaign=hand, ratings=ratings, choice=choice).columns["MEANING"]
    assert [one.value for one in found.rows() if one.source == "adjudicated"] == [5]
