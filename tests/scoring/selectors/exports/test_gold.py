"""The export of gold by every method."""

import io
import json

import pytest

from annotation.importers.gold import read_gold
from scoring.exports.gold import in_units
from scoring.stats.gold.latent import METHODS
from tests.scoring.factories import judged, written


def rows_of(campaign, **options):
    text = written(campaign, "gold", format="jsonl", **options)
    return [json.loads(line) for line in text.splitlines()]


def test_gold_export_by_a_method_says_how_sure_each_value_is(hand):
    hand.imported_gold.create(
        substitution=hand.substitutions.get(text="one"),
        scale=hand.scales.first(),
        value=1,
        source="paper",
    )
    one, two, three = rows_of(hand, method="majority")
    assert (three["GRAMMAR"], three["GRAMMAR_confidence"], three["GRAMMAR_method"]) == (
        2,
        1,
        "majority",
    )
    # 5 and 4 are equally frequent on "one": imported gold stands in.
    assert (one["MEANING"], one["MEANING_method"], one["pass"]) == (1, "imported", False)
    assert "MEANING" not in two
    assert three["MEANING + GRAMMAR"] == 3 and three["MEANING + GRAMMAR_n"] == 1
    assert three["GRAMMAR_unit"] == 0.25  # 2 on a scale from 1 to 5.
    _, two, _ = rows_of(hand)
    assert two["MEANING_low"] < two["MEANING"] < two["MEANING_high"]
    assert two["pass_method"] == "mean"


def test_gold_from_0_to_1():
    """Moon et al. (2015) give a mean of 2.89 on a scale from 1 to 5 as .47."""
    assert in_units(2.89, 1, 5) == pytest.approx(0.47, abs=0.005)
    assert (in_units(1, 1, 5), in_units(5, 1, 5), in_units(-1, -2, 2)) == (0, 1, 0.25)


@pytest.mark.parametrize("method", METHODS)
def test_gold_of_any_method_is_a_gold_file(method, hand):
    source = io.BytesIO(written(hand, "gold", method=method))
    parsed = read_gold(source, name="g.csv", scales=["MEANING", "GRAMMAR"])
    assert parsed.problems == ()
    assert {row.method for row in parsed.rows} <= {method}


def test_the_probability_of_every_label_of_a_nominal_scale_is_exported():
    campaign = judged()
    campaign.scales.filter(name="MEANING").update(level="nominal")
    rows = rows_of(campaign, method="dawid-skene")
    for row in rows:
        shares = {key: row[key] for key in row if key.startswith("MEANING_p_")}
        assert sum(shares.values()) == pytest.approx(1)
        if "MEANING" in row:
            assert shares[f"MEANING_p_{row['MEANING']:g}"] == max(shares.values())
    text = written(campaign, "gold", format="jsonl", method="dawid-skene")
    scales = campaign.scales.values_list("name", flat=True)
    parsed = read_gold(io.BytesIO(text), name="g.jsonl", scales=scales, format="jsonl")
    assert parsed.ok and len(parsed.rows) == sum("MEANING" in row for row in rows)
