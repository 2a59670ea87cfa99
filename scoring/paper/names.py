"""What a paper calls each coefficient."""

from __future__ import annotations

STATISTICS = {
    "percent_agreement": "Percent agreement",
    "within_one": "Within one point",
    "alpha_nominal": "Krippendorff's alpha, nominal",
    "alpha_ordinal": "Krippendorff's alpha, ordinal",
    "alpha_interval": "Krippendorff's alpha, interval",
    "cohen_kappa": "Cohen's kappa, mean of pairs",
    "cohen_kappa_linear": "Cohen's kappa, linear, mean of pairs",
    "cohen_kappa_quadratic": "Cohen's kappa, quadratic, mean of pairs",
    "fleiss_kappa": "Fleiss' kappa",
    "scott_pi": "Scott's pi, mean of pairs",
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2, quadratic",
    "brennan_prediger": "Brennan-Prediger",
    "kendall_w": "Kendall's W",
    "icc_1_1": "ICC(1,1)",
    "icc_2_1": "ICC(2,1)",
    "icc_3_1": "ICC(3,1)",
    "icc_1_k": "ICC(1,k)",
    "icc_2_k": "ICC(2,k)",
    "icc_3_k": "ICC(3,k)",
}
COEFFICIENTS = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "pairwise_accuracy": "Pairwise accuracy",
}


def statistic_name(key: str) -> str:
    """The name in a table; the key itself where it has none."""
    return STATISTICS.get(key, COEFFICIENTS.get(key, key))
