"""What a report of metrics against people says has a template for translators."""

from __future__ import annotations

import numpy as np

from scoring.stats import Bootstrap, RatingTable, SystemTexts
from scoring.stats.ceiling import ceiling
from scoring.stats.comparison import ZOU
from scoring.stats.disagreement import METHOD
from scoring.stats.power import powers
from scoring.stats.ranking import LEGEND
from scoring.stats.report_correlation import Columns, MetaOptions, meta_evaluation
from scoring.wording import worded
from tests.scoring_pages.test_wording import told


def columns(originals: int, clustered: bool = True) -> Columns:
    rng = np.random.default_rng(1)
    n = 4 * originals
    codes = np.arange(n) // 4
    human = rng.normal(size=originals)[codes] + rng.normal(size=n)
    dense = human[:, None] + rng.normal(size=(n, 3))
    part = rng.normal(size=originals)[codes]
    metrics = {"a": human + part, "b": human + rng.normal(size=n), "flat": np.ones(n)}
    scores = {"corpus": {"X": 1.0, "Y": 2.0}}
    return Columns(
        {"h": dense.mean(axis=1), "none": np.ones(n)},
        metrics,
        codes if clustered else None,
        (human > 0).astype(float),
        SystemTexts(np.arange(n), np.arange(n) % 2, ("X", "Y")),
        scores,
        {"h": ceiling(RatingTable.from_dense(dense))},
    )


def test_every_sentence_of_the_report_has_a_template() -> None:
    options = MetaOptions(Bootstrap(20), permutations=50)
    missing, warnings = set(), set()
    for given in (columns(30), columns(3), columns(1), columns(5, clustered=False)):
        report = meta_evaluation(given, options).to_json()
        missing |= {text for text in told(report) if worded.parts(text) is None}
        for block in report["human"].values():
            warnings |= {text for row in block["comparisons"] for text in row["warnings"].values()}
        power = [one.to_json() for one in powers(given.human["h"], given.metrics, given.clusters)]
        missing |= {text for text in told(power) if worded.parts(text) is None}
    assert warnings
    missing |= {text for text in (*warnings, LEGEND, METHOD, ZOU) if worded.parts(text) is None}
    assert not missing, "\n".join(sorted(missing))
