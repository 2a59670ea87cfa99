"""manage.py results CAMPAIGN"""

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError


def test_results_command(capsys, hand):

    def printed(*words):
        call_command("results", "hand", *words)
        return capsys.readouterr().out

    report = json.loads(printed("--json"))
    assert set(report) >= {
        "unit",
        "thresholds",
        "systems",
        "phrases",
        "phrases_excluded",
        "contexts",
        "judgments",
    }
    assert report["systems"]["S0"]["pass_all"] == pytest.approx(0.6)
    assert "exclusion in force" in report["exclusion_rule"]
    # Item 0 has one text of both: an exact tie; item 1 is the difference.
    passed = next(row for row in report["pairs"] if row["outcome"] == "pass_all")
    assert (passed["items"], passed["n"], passed["ties"]) == (2, 2, 1)
    assert passed["difference"] == pytest.approx((0 + (1 / 3 - 0)) / 2)
    shown = printed("--unit", "gold")
    assert "unit: gold" in shown and "S0 - S1" in shown and "Clusters by mean MEANING" in shown
    assert "Ranks by mean MEANING: " in shown and "Unadjusted clusters" not in shown
    assert "Unadjusted clusters by mean MEANING: " in printed("--unadjusted-clusters")
    for words in (
        ("nowhere",),
        ("hand", "--method", "median"),
        ("hand", "--unit", "gold", "--method", "guess"),
    ):
        with pytest.raises(CommandError) as refusal:
            call_command("results", *words)
        assert refusal.value.returncode == 2
