"""A notice where the number of ratings depends on disagreement."""

import json
from dataclasses import replace

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from scoring.agreement.words import extra_sentence
from scoring.paper.methods import methods_paragraph
from scoring.stats import Bootstrap, Estimate, RatingTable, agreement_report, agreement_statistics
from scoring.stats.agreement.coefficients import alpha_ordinal, estimates_of, extra_ratings
from scoring.stats.agreement.influence import (
    LEAST_UNITS,
    MOST_PARTS,
    answer,
    band,
    course,
    disputed,
    icc_form,
    left_out,
)
from scoring.stats.terminal.text import agreement_text
from tests.scoring.paper.campaign import NAMES, facts
from tests.scoring.stats.rated import FIVE, NA, statistics
from tests.simulate import samples, show, slack


def ratings(rng, phrases, annotators):
    """Four texts of each phrase; noise differs between phrases and annotators."""
    units = 4 * phrases
    hard = np.repeat(np.exp(rng.normal(0, 0.5, phrases)), 4)
    noise = np.outer(hard, np.exp(rng.normal(0, 0.4, annotators)))
    truth = rng.normal(0, 1, (units, 1)) + rng.normal(0, 0.5, annotators)
    return np.round(3 + truth + 0.8 * noise * rng.normal(0, 1, noise.shape)).clip(1, 5)


def planned(rng, design, phrases):
    """Ratings whose number does not depend on them; a sheet has eight texts."""
    full = ratings(rng, phrases, 12)
    kept = np.full(full.shape, np.nan)
    step = 1 if design == "text" else 8
    for start in range(0, len(full), step):
        number = 4 if design == "lost" else int(rng.integers(2, 5))
        if design == "shared":
            number = 12 if start < 16 else 3
        who = rng.permutation(12)[:number]
        kept[start : start + step, who] = full[start : start + step, who]
    if design == "lost":
        kept[rng.random(kept.shape) < 0.25] = np.nan
    return RatingTable.from_dense(kept)


def adjudicated(rng, phrases):
    """Two ratings of each text, and a third where they differ."""
    full = ratings(rng, phrases, 3)
    full[full[:, 0] == full[:, 1], 2] = np.nan
    return RatingTable.from_dense(full)


def of_phrases(phrases):
    return np.repeat(np.arange(phrases), 4)


def test_ratings_added_where_two_differ_are_noticed_everywhere():
    table = adjudicated(np.random.default_rng(1), 30)
    found = extra_ratings(table, of_phrases(30))
    assert found is not None and found["notice"]
    # Two that agree have no third, and two that differ agree with the third at most once in three.
    assert found["fewer"] == 0 and found["more"] >= 2 / 3
    assert found["n_fewer"] + found["n_more"] == 120
    report = agreement_report({"S": table}, clusters=of_phrases(30))
    block = json.loads(json.dumps(report))["scales"]["S"]
    assert block["extra_ratings"] == found
    assert "Annotators disagree more on texts with more ratings: 0." in extra_sentence(block)
    assert "texts with more ratings disagree more" in agreement_text(report)
    text = methods_paragraph(
        facts(), report, {"systems": {}, "thresholds": {}}, names=NAMES, signature=""
    )
    assert "biased if ratings were added where annotators disagreed" in text


@pytest.mark.parametrize(
    "matrix",
    [
        [[1, 2], [2, 2], [3, 1], [1, 1], [2, 5]],  # equally many
        [[1, NA, NA], [1, 2, NA], [1, 2, 3]],  # two texts with a pair
        [[NA, NA, NA]] * 6,
    ],
)
def test_nothing_is_said_where_nothing_can_be_compared(matrix):
    table = RatingTable.from_dense(np.array(matrix, dtype=float))
    assert extra_ratings(table) is None
    assert agreement_report({"S": table})["scales"]["S"]["extra_ratings"] is None


@pytest.mark.simulation
@pytest.mark.slow
@pytest.mark.parametrize("design", ["sheet", "text", "shared", "lost"])
@pytest.mark.parametrize("phrases", [8, 30, 100])
def test_planned_and_lost_ratings_raise_few_false_alarms(design, phrases):
    rng, many = np.random.default_rng(3), samples(800)
    found = [extra_ratings(planned(rng, design, phrases), of_phrases(phrases)) for _ in range(many)]
    share = sum(one is not None and one["notice"] for one in found) / many
    show(f"{design}, {phrases} phrases", many, false_alarms=share)
    assert share <= 0.01 + slack(0.01, many)


# Agreement over time.


def learning(units=400):
    """Three annotators whose error decreases from 1.5 points to 0."""
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 6, (units, 1))
    noise = rng.normal(0, 1, (units, 3)) * np.linspace(1.5, 0, units)[:, None]
    return RatingTable.from_dense(np.clip(np.round(truth + noise), 1, 5))


def test_parts_are_units_in_order_of_time():
    table = learning()
    when = np.arange(400.0)
    shuffled = np.random.default_rng(2).permutation(400)
    parts = course(table, when, "ordinal")
    assert [part["n"] for part in parts] == [50] * MOST_PARTS
    for number, part in enumerate(parts):
        rows = table.take_units(np.arange(50 * number, 50 * number + 50))
        assert part["alpha"]["value"] == pytest.approx(alpha_ordinal(rows).value)
        assert (part["start"], part["end"]) == (50 * number, 50 * number + 49)
    again = course(table.take_units(shuffled), when[shuffled], "ordinal")
    assert [part["alpha"]["value"] for part in again] == pytest.approx(
        [part["alpha"]["value"] for part in parts]
    )
    values = [part["alpha"]["value"] for part in parts]
    assert values[0] < 0.7 < values[-1]


def test_intervals_contain_the_value_and_resample_clusters():
    table, plan = learning(), Bootstrap(200, 1)
    parts = course(table, np.arange(400.0), "ordinal", plan=plan, clusters=np.arange(400) // 5)
    for part in parts[:-1]:
        alpha = part["alpha"]
        assert alpha["ci_low"] < alpha["value"] < alpha["ci_high"]
        assert alpha["generalises_to"] == "new clusters"


def test_equal_times_stay_together_and_one_part_gives_no_course():
    table = learning()
    assert course(table, np.zeros(400), "ordinal") == []
    assert course(table, np.full(400, np.nan), "ordinal") == []
    when = np.repeat([0.0, 1.0], 200)
    assert [part["n"] for part in course(table, when, "nominal")] == [200, 200]
    few = RatingTable.from_dense([[1, 2]] * (2 * LEAST_UNITS - 1))
    assert course(few, np.arange(2.0 * LEAST_UNITS - 1), "ordinal") == []


def test_units_with_one_rating_and_parts_without_variation():
    matrix = np.array([[3.0, 3.0]] * 20 + [[1.0, np.nan]] * 5 + [[1.0, 2.0], [5.0, 4.0]] * 10)
    parts = course(RatingTable.from_dense(matrix), np.arange(45.0), "numeric")
    assert [part["n"] for part in parts] == [20, 20]
    assert parts[0]["alpha"]["value"] is None and "no variation" in parts[0]["alpha"]["reason"]


# Can these judgments be trusted? One verdict per scale, from intervals rather than values.


PLAN = Bootstrap(100, 1)
SMALL = [[1, 2, 1], [4, 5, 5], [3, 3, 3], [2, 2, 1]]
FOUND = statistics(SMALL)


@pytest.mark.parametrize(
    ("interval", "verdict"),
    [
        ((0.80, 0.95, "new units"), "yes"),
        ((0.667, 0.95, "new units"), "tentative"),
        ((0.60, 0.90, "new units"), "unsure"),
        ((0.30, 0.66, "new units"), "no"),
        ((), "no interval"),
    ],
)
def test_the_interval_decides_and_not_the_value(interval, verdict):
    alpha = Estimate(0.7, *interval, n=40)
    said = answer({**FOUND, "alpha_ordinal": alpha}, "ordinal", 40)
    assert (said["verdict"], said["coefficient"], said["few"]) == (verdict, "alpha_ordinal", None)


def test_nothing_varies_and_few_units():
    said = answer(statistics([[4, 4]] * 3), "ordinal", 3)
    assert (said["verdict"], said["few"], said["bands"]) == ("undefined", 3, None)
    # Texts that are all alike have no verdict, but not for their agreement.
    report = agreement_report({"S": RatingTable.from_dense([[2, 4]] * 8)}, plan=PLAN)
    said = report["scales"]["S"]["answer"]
    assert (said["verdict"], said["agreed"]) == ("no width", None)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "numeric"])
@pytest.mark.parametrize("units", [5, 200])
def test_annotators_who_agree_throughout_get_no_yes(level, units):
    """Of n texts all agree: the exact limit of new texts that do is .025 ** (1 / n), Clopper and
    Pearson 1934."""
    rows = np.tile(np.arange(1.0, 6)[:, None], (units // 5, 2))
    report = agreement_report({"S": RatingTable.from_dense(rows)}, kinds={"S": level}, plan=PLAN)
    block = report["scales"]["S"]
    said = block["answer"]
    assert (said["verdict"], said["bands"]) == ("all agree", None)
    low, _ = proportion_confint(units, units, method="beta")
    assert said["agreed"] == pytest.approx(low)
    for name, one in estimates_of(block).items():
        assert one["ci_low"] is None or one["ci_low"] < one["ci_high"], name


def test_bands_of_koo_and_li():
    """A value below a limit is in the lower band."""
    assert [band(one) for one in (0.499, 0.5, 0.749, 0.75, 0.899, 0.9)] == [
        "poor",
        *["moderate"] * 2,
        *["good"] * 2,
        "excellent",
    ]


def test_the_form_follows_the_design():
    assert icc_form(FOUND) == ("icc_2_k", "crossed")
    voices = agreement_statistics(replace(RatingTable.from_dense(SMALL), anonymous=True), FIVE)
    assert icc_form(voices) == ("icc_1_k", "anonymous")
    apart = statistics([[1, 2, NA, NA], [4, 4, NA, NA], [NA, NA, 2, 3], [NA, NA, 5, 5]])
    assert icc_form(apart) == ("icc_1_k", "not crossed")


def test_the_most_disputed_units_come_first():
    table = RatingTable.from_dense([[3, 3, 3], [1, 5, NA], [2, 3, NA], [4, NA, NA]])
    rows = disputed(table, "ordinal")
    assert rows == [
        {"unit": 1, "n": 2, "values": [1, 5], "spread": pytest.approx(8**0.5)},
        {"unit": 2, "n": 2, "values": [2, 3], "spread": pytest.approx(0.5**0.5)},
    ]
    assert [row["spread"] for row in disputed(table, "nominal")] == [1, 1]
    assert len(disputed(table, "ordinal", most=1)) == 1


def test_units_that_some_statistics_cannot_use():
    table = RatingTable.from_dense([[3, 3, 3], [1, 5, NA], [4, NA, NA], [NA, NA, NA]])
    assert left_out(table) == {"one_rating": 1, "incomplete": 2, "fewest": 1, "most": 3}
