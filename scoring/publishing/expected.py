"""The reported numbers that `reproduce.py` computes again, picked from the reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

AGREEMENT = ("percent_agreement", "within_one", "alpha_nominal", "alpha_ordinal", "alpha_interval")
CORRELATION = ("pearson", "spearman", "kendall")


def expected_numbers(
    *,
    agreement: Mapping[str, Any],
    results: Mapping[str, Any],
    correlation: Mapping[str, Any],
    directions: Mapping[str, bool],
) -> dict[str, Any]:
    """expected.json. `directions`: for each scale with a threshold, whether higher is better."""
    return {
        "thresholds": {
            name: {"value": value, "higher_is_better": directions[name]}
            for name, value in results["thresholds"].items()
            if value is not None
        },
        "agreement": {
            scale: {"n_ratings": block["n_ratings"], **_values(block, AGREEMENT)}
            for scale, block in agreement["scales"].items()
        },
        "results": {
            system: {
                "n": found["n"],
                "pass_all": found["pass_all"],
                "scales": {
                    scale: {
                        "n": block["n"], "mean": block.get("mean"), "pass": block.get("pass"),
                        "distribution": block["distribution"],
                    }
                    for scale, block in found["scales"].items()
                },
            }
            for system, found in results["systems"].items()
        },
        "turned": {
            "human": list(correlation.get("turned", ())),
            "metrics": [run["label"] for run in correlation["runs"] if run["turned"]],
        },
        "correlation": {
            human: {
                metric: {"n": found["pearson"]["n"], **_values(found, CORRELATION)}
                for metric, found in block["metrics"].items()
            }
            for human, block in correlation["human"].items()
        },
    }  # fmt: skip


def _values(found: Mapping[str, Any], names: Sequence[str]) -> dict[str, float | None]:
    return {name: found[name]["value"] for name in names if name in found}
