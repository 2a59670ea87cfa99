"""manage.py results CAMPAIGN"""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.scoring.selectors.ratings.hand import hand_campaign

pytestmark = pytest.mark.django_db


def test_results_command(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = hand_campaign()
    call_command("results", campaign.slug, json=True)
    found = json.loads(capsys.readouterr().out)
    assert set(found) >= {
        "unit", "thresholds", "systems", "phrases", "phrases_excluded", "contexts", "judgments",
    }  # fmt: skip
    assert found["systems"]["S0"]["pass_all"] == pytest.approx(0.6)
    assert "exclusion in force" in found["exclusion_rule"]
    # Item 0 has one text of both: an exact tie; item 1 is the difference.
    passed = next(row for row in found["pairs"] if row["outcome"] == "pass_all")
    assert (passed["items"], passed["n"], passed["ties"]) == (2, 2, 1)
    assert passed["difference"] == pytest.approx((0 + (1 / 3 - 0)) / 2)
    call_command("results", campaign.slug, unit="gold")
    shown = capsys.readouterr().out
    assert "unit: gold" in shown and "S0 - S1" in shown and "Clusters by mean MEANING" in shown
    assert "Ranks by mean MEANING: " in shown and "Unadjusted clusters" not in shown
    call_command("results", campaign.slug, "--unadjusted-clusters")
    assert "Unadjusted clusters by mean MEANING: " in capsys.readouterr().out
    for slug, options in (
        ("nowhere", {}),
        (campaign.slug, {"unit": "gold", "method": "guess"}),
        (campaign.slug, {"method": "median"}),
    ):
        with pytest.raises(CommandError) as refusal:
            call_command("results", slug, **options)
        assert refusal.value.returncode == 2
