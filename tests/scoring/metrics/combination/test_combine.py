"""Weighted sums of metrics: `combine`, and `bleu_apem` of the APEM paper (table 2)."""

import numpy as np
import pytest
from scipy import stats
from sklearn.preprocessing import minmax_scale

from scoring.metrics import Pair, create, from_spec
from scoring.metrics.values import state_hash
from tests.scoring.metrics.combination.parts import PAIRS, prepared, values


def test_without_weights_it_is_the_mean():
    pinc, jaccard, mean = (
        values(metric)[0]
        for metric in (create("pinc"), create("jaccard"), create("combine", {"of": "pinc+jaccard"}))
    )
    assert mean == pytest.approx((pinc + jaccard) / 2)


@pytest.mark.parametrize("lower", ["ter", "self_bleu"])
@pytest.mark.parametrize("scale", ["minmax", "z"])
def test_scales_come_from_the_whole_and_turn_what_is_better_low(scale, lower):
    raw = {name: values(create(name), PAIRS[:3]) for name in ("pinc", lower)}
    assert not create(lower).higher_is_better
    columns = np.array([raw["pinc"], raw[lower]])
    if scale == "z":
        one, two = stats.zscore(columns, axis=1)
    else:
        one, two = minmax_scale(columns, axis=1)
    expected = 0.75 * one + 0.25 * ((scale == "minmax") - two)
    metric = create("combine", {"of": f"pinc+{lower}", "weights": "0.75+0.25", "scale": scale})
    assert metric.higher_is_better
    assert values(prepared(metric, PAIRS[:3]), PAIRS[:3]) == pytest.approx(expected)
    # A worker scores some of the texts with the scale of all.
    other = create("combine", metric.options)
    other.use(metric.prepare(PAIRS[:3]))
    assert values(other, PAIRS[1:2]) == pytest.approx(expected[1:2])
    assert str(other.signature()) == str(metric.signature())


def test_a_scale_needs_the_whole_and_is_signed():
    metric = create("combine", {"of": "pinc", "scale": "z"})
    with pytest.raises(ValueError, match="combine: prepare the whole set of pairs"):
        metric.score(PAIRS[0])
    before = str(metric.signature())
    state = metric.prepare(PAIRS)
    metric.use(state)
    assert f"state@{state_hash(state)}" in str(metric.signature())
    assert str(metric.signature()) != before
    assert create("combine", {"of": "pinc"}).prepare(PAIRS) is None


def test_a_part_that_is_the_same_everywhere_has_no_scale():
    metric = prepared(create("combine", {"of": "pinc", "scale": "minmax"}), PAIRS[:1])
    assert metric.score(PAIRS[0]).reason == (
        "The part pinc has the same score everywhere: it has no scale."
    )


def test_one_combination_has_one_text_and_the_signatures_of_its_parts():
    one = from_spec("combine:of=bleu{smooth=none;lowercase=yes}+pinc,weights=0.50+.5")
    spaced = {"of": " bleu { lowercase=yes ; smooth=none} + pinc", "weights": "0.5+0.5"}
    two = create("combine", spaced)
    assert str(one.signature()) == str(two.signature())
    assert one.options["of"] == "bleu{lowercase=yes;smooth=none}+pinc"
    three = from_spec("combine:of=bleu{smooth=none}+pinc,weights=0.5+0.5")
    assert str(three.signature()) != str(one.signature())
    for part in ("sacrebleu", "bleu-formula", "pinc-formula"):
        assert part in str(one.signature())


def test_it_is_at_work_where_its_parts_are():
    assert create("combine", {"of": "pinc"}).queue == ""
    assert create("combine", {"of": "pinc+apem{lang=ko}"}).queue == "korean"
    assert create("combine", {"of": "p_bleu+pinc"}).grouped
    assert not create("combine", {"of": "pinc"}).grouped


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"combine: the option of=METRIC\+METRIC is missing"),
        ({"of": "pinc+"}, "'' names no metric"),
        ({"of": "pinc{max_n=2"}, "names no metric; write NAME or NAME{option=value;...}"),
        ({"of": "pinc{max_n}"}, "'max_n' should read option=value"),
        ({"of": "pinc{max_n=2;max_n=3}"}, "'max_n=3' should read option=value, each option once"),
        ({"of": "pinc{max_n=0}"}, "pinc: max_n=0 is not allowed"),
        ({"of": "blue"}, "no metric called blue"),
        ({"of": "combine{of=pinc}"}, "a part cannot be a combination itself"),
        ({"of": "pinc", "weights": "1+2"}, "2 weights for 1 parts"),
        ({"of": "pinc", "weights": "much"}, "weights=much is not allowed; write equal, or"),
        ({"of": "pinc", "weights": "nan"}, "weights=nan is not allowed"),
        ({"of": "pinc", "weights": "1001"}, "weights=1001 is not allowed"),
        ({"of": "pinc+apem_sd"}, "apem_sd: the option synonyms=FILE is missing"),
        (
            {"of": "apem_sd{synonyms=/etc/passwd}"},
            "synonyms= cannot stand inside the braces of apem_sd; write synonyms= beside of=",
        ),
        ({"of": "pinc", "synonyms": __file__}, "combine: no part takes synonyms=; leave it out"),
    ],
)
def test_what_is_wrong_is_said(options, message):
    with pytest.raises(ValueError, match=message):
        create("combine", options)


# Metrics that are weighted sums of other metrics.


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
