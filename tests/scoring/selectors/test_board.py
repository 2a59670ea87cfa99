"""What the board shows of agreement, against numpy and against the page of annotators."""

from datetime import timedelta

import numpy as np
import pytest

from annotation.models import Judgment
from annotation.people.exclusions import exclusion_add
from scoring.agreement.report import board_agreement
from scoring.annotators.report import annotators_for
from tests.factories import add_judgments, item_rows, judgment_row, make_campaign, make_user

ITEMS = 60


def judged(values):
    """A campaign with one text of each item, judged on MEANING by each of `values`."""
    campaign = make_campaign(items=ITEMS, systems=1, k=len(values))
    rows = [
        judgment_row(one["item"], one["paraphrase"], name, float(given[n]))
        for name, given in values.items()
        for n, one in enumerate(item_rows(ITEMS, 1))
    ]
    add_judgments(campaign, rows)
    return campaign


def three():
    rng = np.random.default_rng(5)
    true = rng.integers(1, 6, ITEMS)
    near = np.clip(true + rng.integers(-1, 2, (2, ITEMS)), 1, 5)
    return {"a": true, "b": near[0], "c": near[1]}


def of_person(campaign, code):
    """The coefficient with the others, its interval, and the number of texts."""
    found = board_agreement(campaign)["agreement"]["MEANING"]
    assert found["statistic"] == "r"
    return found["people"][str(campaign.annotators.get(code=code).pk)]


def correlation(values):
    return pytest.approx(np.corrcoef(values["a"], (values["b"] + values["c"]) / 2)[0, 1])


def test_agreement_with_the_others_is_the_one_of_the_page():
    values = three()
    campaign = judged(values)
    value, low, high, n = of_person(campaign, "a")
    assert value == correlation(values) and low < value < high and n == ITEMS
    page = annotators_for(campaign=campaign)["scales"]["MEANING"]["voices"]["a"]
    assert (low, high) == (page["correlation"]["ci_low"], page["correlation"]["ci_high"])


def test_excluded_people_are_compared_and_change_nobody_else():
    values = three()
    campaign = judged(values | {"odd": 6 - values["a"]})
    out = campaign.annotators.get(code="odd")
    exclusion_add(target=out, reason="upside down", actor=make_user("alice"))
    assert of_person(campaign, "odd")[0] < -0.5
    assert of_person(campaign, "a")[0] == correlation(values)


def test_the_most_disputed_texts_come_first():
    values = {name: np.full(ITEMS, 3) for name in ("a", "b")}
    values["a"][7], values["b"][7] = 1, 5
    values["a"][9] = 1
    texts = board_agreement(judged(values))["disagreement"]["MEANING"]
    assert [(one["text"], one["values"]) for one in texts] == [
        ("system 0 paraphrase 7", [1, 5]),
        ("system 0 paraphrase 9", [1, 3]),
    ]


def test_a_fall_of_the_newest_texts_is_seen():
    """The last 20 of 60 texts are judged by chance."""
    rng = np.random.default_rng(2)
    true = np.tile(np.arange(1, 6), ITEMS // 5)
    other = np.where(np.arange(ITEMS) < 40, true, rng.permutation(true))
    campaign = judged({"a": true, "b": other})
    for row in Judgment.objects.select_related("substitution__item"):
        row.recorded_at += timedelta(minutes=row.substitution.item.position)
        row.save(update_fields=["recorded_at"])
    found = board_agreement(campaign)["course"]["MEANING"]
    assert found["before"] == pytest.approx(1.0) and found["n"] == 20
    assert found["value"] < 0.5 and found["high"] < found["before"]


def test_nothing_is_said_of_an_empty_campaign():
    found = board_agreement(make_campaign(items=1))
    assert found["course"] == {} and found["disagreement"] == {"MEANING": [], "GRAMMAR": []}
