"""Every coefficient of metrics against people, once: its names, what it says, where it is computed.

Pages, figures, API, commands, papers and docs/correlation.md list these, in this order.
The modules beside this one compute it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from paraanno.common.texts import NOTHING, Sentence, say

Level = Literal[
    "main",
    "further",
    "passes",
    "people",
    "within",
    "comparisons",
    "per_system",
    "systems",
    "curve",
    "mixes",
    "stability",
]


@dataclass(frozen=True, kw_only=True)
class MetricCoefficient:
    """One coefficient.

    key      its name in JSON, files and commands
    label    what pages call it; says: what it is
    named    what `method` of an estimate begins with; empty where it says more than a name
    printed  what a paper calls it, in letters that LaTeX sets without further packages
    levels   where it is computed, and what pages call it there:
             main, further  over all units; `metrics` and `further` of the report
             passes         for the pass decision
             people         of people with people
             within         within originals
             comparisons    of two metrics, the difference
             per_system     over the units of one system
             systems        over systems
             curve, mixes   of two metrics by weight, of the best mix
             stability      by amount of data
    """

    key: str
    label: Sentence
    says: Sentence
    printed: str
    formula: str
    source: str
    levels: Mapping[Level, Sentence]
    named: Sentence = NOTHING


PEARSON, SPEARMAN = say("Pearson"), say("Spearman")
R, RHO, TAU_B, TAU_C = say("Pearson r"), say("Spearman ρ"), say("Kendall τ-b"), say("Kendall τ-c")
IN_ORDER, SOFT = say("Pairs in order"), say("Soft pairwise accuracy")
EQUAL = say("acc_eq")
CALIBRATED, CROSSFIT = say("acc_eq, ties calibrated"), say("acc_eq, cross-fitted")
CORRECTED = say("Pearson r, without noise")
POOLED, PASSES = say("Kendall, pairs of all items"), say("Predicting what passes")


def _called(label: Sentence, *levels: Level) -> dict[Level, Sentence]:
    return dict.fromkeys(levels, label)


CATALOGUE = (
    MetricCoefficient(
        key="pearson",
        label=R,
        says=say("linear correlation; p assumes independent texts"),
        named=PEARSON,
        printed="Pearson's r",
        formula="cov(x, y) / (sd x · sd y)",
        source="Pearson 1896",
        levels={
            **_called(R, "main", "people", "per_system", "systems", "curve", "mixes", "stability"),
            "within": say("Pearson within items"),
            "comparisons": PEARSON,
        },
    ),
    MetricCoefficient(
        key="spearman",
        label=RHO,
        says=say("correlation of mid-ranks; p assumes independent texts"),
        named=SPEARMAN,
        printed="Spearman's rho",
        formula="r of the mid-ranks of x and y",
        source="Spearman 1904",
        levels={
            **_called(
                RHO, "main", "people", "per_system", "systems", "curve", "mixes", "stability"
            ),
            "within": say("Spearman within items"),
            "comparisons": SPEARMAN,
        },
    ),
    MetricCoefficient(
        key="kendall",
        label=TAU_B,
        says=say(
            "pairs of texts in the same order minus those in the other, corrected for ties; p "
            "exact for up to 33 texts without ties"
        ),
        named=say("Kendall tau-b"),
        printed="Kendall's tau-b",
        formula="(C − D) / √((C + D + Tx)(C + D + Ty))",
        source="Kendall 1945",
        levels={
            **_called(TAU_B, "main", "per_system", "systems", "mixes"),
            "within": say("Kendall within items"),
        },
    ),
    MetricCoefficient(
        key="pairwise_accuracy",
        label=IN_ORDER,
        says=say(
            "pairs within an original that people do not tie, ordered alike; a metric’s tie "
            "counts half"
        ),
        printed="Pairwise accuracy",
        formula="(right + ties / 2) / pairs told apart",
        source="White 2012",
        levels={
            **_called(IN_ORDER, "main", "comparisons", "stability"),
            "systems": say("Pairs of systems in order"),
        },
    ),
    MetricCoefficient(
        key="kendall_c",
        label=TAU_C,
        says=say("tau for columns with different numbers of values; p as that of tau-b"),
        named=say("Kendall tau-c"),
        printed="Kendall's tau-c",
        formula="2(C − D) / (n²(m − 1) / m), m the fewer values",
        source="Stuart 1953",
        levels={"further": TAU_C},
    ),
    MetricCoefficient(
        key="acc_eq",
        label=EQUAL,
        says=say("pairs within an original where metric and people agree on better, worse or tied"),
        printed="acc_eq",
        formula="(C + ties of both) / pairs",
        source="Deutsch, Foster and Freitag 2023",
        levels={"further": EQUAL},
    ),
    MetricCoefficient(
        key="acc_eq_calibrated",
        label=CALIBRATED,
        says=say(
            "acc_eq, differences up to epsilon being ties; the smallest epsilon of the greatest "
            "accuracy. It is chosen on the same pairs, so the value is too optimistic"
        ),
        printed="acc_eq, ties calibrated",
        formula="greatest acc_eq over epsilon",
        source="Deutsch, Foster and Freitag 2023",
        levels={"further": CALIBRATED},
    ),
    MetricCoefficient(
        key="acc_eq_crossfit",
        label=CROSSFIT,
        says=say(
            "acc_eq with epsilon from the pairs outside each fold of originals (5 by default), "
            "accuracy from those inside"
        ),
        printed="acc_eq, cross-fitted",
        formula="acc_eq of all folds, epsilon of the others",
        source="Deutsch, Foster and Freitag 2023, with folds",
        levels={"further": CROSSFIT},
    ),
    MetricCoefficient(
        key="kendall_pooled",
        label=POOLED,
        says=say("tau-b of all pairs within originals counted together"),
        printed="Kendall's tau-b, pairs within originals",
        formula="tau-b, C, D and T summed over originals",
        source="Kendall 1945",
        levels={"within": POOLED},
    ),
    MetricCoefficient(
        key="pearson_corrected",
        label=CORRECTED,
        says=say("Pearson r of the systems’ true means: the noise of the measured ones subtracted"),
        printed="Pearson's r, corrected for noise",
        formula="(cov − noise) / √((var x − noise)(var y − noise))",
        source="Spearman 1904",
        levels={"systems": CORRECTED},
    ),
    MetricCoefficient(
        key="soft_pairwise_accuracy",
        label=SOFT,
        says=say("how far the metric’s p-values for pairs of systems agree with those of people"),
        printed="Soft pairwise accuracy",
        formula="1 − mean absolute difference of the two p",
        source="Thompson et al. 2024",
        levels={"systems": SOFT},
    ),
    MetricCoefficient(
        key="roc",
        label=PASSES,
        says=say("area under the ROC curve for the pass decision, and the curve"),
        printed="Area under the ROC curve",
        formula="P(what passes is greater) + P(equal) / 2",
        source="Hanley and McNeil 1982",
        levels={"passes": PASSES},
    ),
)
COEFFICIENTS = {one.key: one for one in CATALOGUE}


def at(level: Level) -> dict[str, Sentence]:
    """By key what is computed there, in order, and what pages call it there."""
    return {one.key: one.levels[level] for one in CATALOGUE if level in one.levels}
