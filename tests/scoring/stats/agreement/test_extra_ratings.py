"""A notice where the number of ratings depends on disagreement."""

import json

import numpy as np
import pytest

from scoring.agreement.words import extra_sentence
from scoring.paper.methods import methods_paragraph
from scoring.stats import RatingTable, agreement_report
from scoring.stats.agreement.coefficients import extra_ratings
from scoring.stats.terminal.text import agreement_text
from tests.scoring.paper.campaign import NAMES, facts
from tests.simulate import samples, show, slack

NA = float("nan")


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
