"""Two agreement reports side by side."""

import pytest

from annotation.models import Substitution
from annotation.models.fields import text_digest
from annotation.people.membership import membership_set
from scoring.models import Report
from tests.clients import client_of
from tests.factories import add_items, make_user
from tests.scoring.selectors.ratings.hand import hand_campaign


def compare(name, **query):
    return client_of(name).get("/c/hand/agreement/compare/", query)


def sizes(page, of="n_ratings"):
    return [block[of] for block in page.context["scales"][0]["blocks"]]


def test_two_choices_of_one_campaign():
    hand_campaign()
    page = compare("vera", **{"a-annotators": ["a", "b"], "b-annotators": ["b", "c"]})
    assert sizes(page) == [5, 4]
    rows = {str(row["label"]): row for row in page.context["scales"][0]["rows"]}
    first, second = (cell["value"] for cell in rows["Within one point"]["cells"])
    assert rows["Within one point"]["difference"] == pytest.approx(second - first)


def other_words(campaign, text):
    """Give the campaign another text there, and one more, which its fingerprint shows."""
    new = f"not {text}"
    Substitution.objects.filter(campaign=campaign, text=text).update(
        text=new, text_hash=text_digest(new)
    )
    row = {"phrase": "late", "sentence": f"It came late, {text}.", "paraphrase": "x"}
    add_items(campaign, [{**row, "system": "S0"}])


@pytest.mark.slow
def test_two_campaigns_are_compared_on_the_texts_of_both():
    first, second = hand_campaign(), hand_campaign("second")
    other_words(second, "three")
    page = compare("adam", other="second")
    assert sizes(page) == [5, 5] and sizes(page, "n_units") == [2, 2]
    # What the second campaign has is part of what the report of the first rests on.
    other_words(second, "two")
    assert sizes(compare("adam", other="second")) == [2, 2]
    assert Report.objects.filter(campaign=first).count() == 2


@pytest.mark.slow
def test_a_campaign_of_others_stays_closed(hand):
    hand_campaign("second")
    membership_set(campaign=hand, user=make_user("eve"), role="viewer", actor=None)
    page = compare("eve")
    assert page.status_code == 200 and list(page.context["others"]) == []
    assert compare("eve", other="second").status_code == 404
