"""Small reports as JSON holds them, for tables."""

from tests.scoring.paper.campaign import AGREEMENT, FOUND, UNDEFINED

BOOTSTRAP = {"low": 0.1, "high": 0.4, "method": "95 %, by lot"}
BOTH = {
    "scales": {
        # What stands beside the coefficients is none.
        "MEANING": {**AGREEMENT["scales"]["MEANING"], "distribution": {"1": 2}},
    },
    "passes": {
        "MEANING": {"n_units": 9, "share": 0.5, "cohen_kappa": FOUND},
        "ALL": {"n_units": 9, "alpha_ordinal": UNDEFINED},
    },
}
RESULTS = {
    "unit": "text",
    "thresholds": {"MEANING": 3},
    "systems": {
        "A_1": {
            "n": 9,
            "coverage": 0.5,
            "pass_all": 0.25,
            "pass_all_n": 8,
            "pass_all_bootstrap": BOOTSTRAP,
            "pass_all_interval": {"low": 0.05, "high": 0.5, "method": "Wilson"},
            "scales": {
                "MEANING": {"n": 9, "mean": 3.5, "pass": 0.75, "pass_n": 7, "mean_bootstrap": None},
                "GRAMMAR": {"n": 8, "mean": None, "pass": None},
            },
        }
    },
}
CORRELATION = {
    "n": 30,
    "human": {
        "MEANING": {
            "metrics": {
                "my_bleu": {"pearson": {**FOUND, "p_value": 0.01}, "kendall": UNDEFINED},
            }
        },
        "GRAMMAR": {"metrics": {"my_bleu": {"pearson": UNDEFINED}}},
    },
}
