"""Facts, ratings and segments of a campaign for the files of a paper."""

import pytest

from scoring.exports.design import facts_get, rating_rows
from scoring.exports.gold import golds
from scoring.ratings.tables import ratings_get
from tests.factories import make_campaign
from tests.scoring.selectors.ratings.hand import GRAMMAR, MEANING, TEXTS, exclude, hand_campaign


@pytest.fixture
def campaign():
    return hand_campaign()


def facts_of(campaign):
    return facts_get(campaign=campaign, ratings=ratings_get(campaign=campaign))


def test_facts_of_a_small_campaign_and_without_who_is_excluded(campaign):
    facts = facts_of(campaign)
    assert (facts.items, facts.phrases, facts.texts, facts.systems) == (2, 2, 3, ("S0", "S1"))
    # Both scales of a text are one judgment; a gave 3, b 3, c 2.
    assert (facts.judgments, facts.cannot_judge) == (8, 1)
    assert facts.annotators == {"imported": 3} and not facts.in_browser
    assert facts.checks["controls"] == 1 and facts.checks["hidden repeats"] == 0
    assert [scale.name for scale in facts.scales] == ["MEANING", "GRAMMAR"]
    points = [value for value, _, _ in facts.scales[0].points]
    assert points == sorted(points) and len(points) == facts.scales[0].size == 5
    exclude(campaign.annotators.get(code="c"))
    facts = facts_of(campaign)
    assert (facts.n_annotators, facts.judgments) == (2, 6)
    assert facts.excluded == {"annotator": 1}


def test_facts_of_nothing():
    facts = facts_of(make_campaign("empty"))
    assert (facts.sources, facts.per_text, facts.judgments, facts.n_annotators) == ((), None, 0, 0)


def test_facts_take_the_same_queries_for_any_size(django_assert_max_num_queries):
    counts = []
    for slug, items in (("few", 2), ("many", 12)):
        made = make_campaign(slug, items=items)
        with django_assert_max_num_queries(37) as seen:
            facts_of(made)
        counts.append(len(seen))
    assert counts[0] == counts[1]


def test_ratings_are_rows_with_the_clusters_of_their_texts(campaign):
    rows = list(rating_rows(ratings=ratings_get(campaign=campaign)))
    key_of = {row["paraphrase"]: row["text_key"] for row in golds(campaign=campaign).rows}
    keys = {key_of[text]: name for name, (_, text) in TEXTS.items() if text in key_of}
    for scale, table in (("MEANING", MEANING), ("GRAMMAR", GRAMMAR)):
        given = {
            (keys[str(row["item"])], row["annotator"]): row["value"]
            for row in rows
            if row["scale"] == scale
        }
        assert given == {(t, who): v for t, values in table.items() for who, v in values.items()}
    contexts = {keys[str(row["item"])]: (row["context"], row["phrase"]) for row in rows}
    assert contexts["t1"] == contexts["t2"] != contexts["t0"]
    assert {number for pair in contexts.values() for number in pair} == {1, 2}
