"""Metrics that are weighted sums of other metrics."""

import pytest

from scoring.metrics import Pair, create
from tests.scoring.metrics.combination.parts import PAIRS, prepared, values


def test_parts_that_need_the_whole_are_prepared():
    metric = prepared(create("combine", {"of": "nist+pinc", "weights": "1+0"}))
    nist = prepared(create("nist"))
    assert values(metric)[:3] == values(nist)[:3]
    other = create("combine", {"of": "nist+pinc", "weights": "1+0"})
    other.use(create("combine", other.options).prepare(PAIRS))
    assert values(other)[:3] == values(nist)[:3]


def test_where_a_part_has_no_score_the_sum_has_none_and_says_which():
    found = create("combine", {"of": "apem{lang=en}+pinc"}).score(PAIRS[3])
    assert found.value is None
    assert found.reason == "The part pinc has no score: The paraphrase has no words."


def test_it_tells_what_each_part_gave():
    metric = create("combine", {"of": "pinc+apem{lang=en}", "weights": "1+-0.5"})
    assert metric.score(PAIRS[2]).detail == {
        "parts": [["pinc", 0.0, 0.0, 1.0], ["apem{lang=en}", 1.0, 1.0, -0.5]]
    }


def test_a_file_goes_to_the_parts_that_take_it_and_is_known_by_its_content(synonyms):
    metric = create("combine", {"of": "apem_sd{lang=en}+pinc", "synonyms": synonyms})
    metric.load()
    alone = create("apem_sd", {"lang": "en", "synonyms": synonyms})
    pair = Pair("the cat ran", "a kitten went")
    assert metric.score(pair).value == pytest.approx((alone.score(pair).value + 1) / 2)
    assert "synonyms@" in str(metric.signature())
    assert synonyms not in str(metric.signature())
