"""Every number of the results of systems, once: its names, what it says, how it is made.

Pages, API, commands, papers and docs/gold-and-results.md call them by these names. `results` and
the modules beside this one compute them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from paraanno.common.texts import Sentence, say

Of = Literal["whole", "system", "scale", "pair", "clusters"]
Plain = Literal["", "share", "count", "value"]


@dataclass(frozen=True, kw_only=True)
class SystemNumber:
    """One number.

    key      its name in JSON and files
    of       what has it: the whole report, a system, a system on one scale, a pair of systems, or
             the clusters
    label    what pages call it; says: what it is
    line     what heads it in a terminal; empty where it is part of a sentence
    printed  what heads it in a table of a paper; empty where it is in none
    plain    of a system or a scale: how each page, terminal, paper and file writes it, on a scale
             with the interval KEY_bootstrap if it has one; empty where they need more than that
    """

    key: str
    of: Of
    label: Sentence
    says: Sentence
    formula: str
    source: str = ""
    line: str = ""
    printed: str = ""
    plain: Plain = ""


BY_CLUSTER = say("95 % by cluster")
LEFT_OUT = say("by leaving out whole phrases; items where phrases are not known")
JACKKNIFE = "mean ∓ t(G − 1) · jackknife error over G phrases"
CATALOGUE = (
    SystemNumber(
        key="phrases",
        of="whole",
        label=say("Phrases"),
        says=say("phrases with a judgment"),
        formula="count",
    ),
    SystemNumber(
        key="phrases_excluded",
        of="whole",
        label=say("Excluded phrases"),
        says=say("phrases that are left out entirely"),
        formula="count",
    ),
    SystemNumber(
        key="contexts",
        of="whole",
        label=say("Contexts"),
        says=say("items with a judgment"),
        formula="count",
    ),
    SystemNumber(
        key="judgments",
        of="whole",
        label=say("Judgments"),
        says=say("judgments, or texts by gold; each once, however many systems made the text"),
        formula="count",
    ),
    SystemNumber(
        key="n",
        of="system",
        label=say("n"),
        says=say("judgments of the texts of the system, or by gold its texts"),
        formula="count",
        line="N",
        printed="n",
        plain="count",
    ),
    SystemNumber(
        key="coverage",
        of="system",
        label=say("Coverage"),
        says=say("share of the items for which the system gave a text"),
        formula="items with a text / items",
        source="Callison-Burch 2008",
        line="COVERAGE",
        printed="Coverage",
        plain="share",
    ),
    SystemNumber(
        key="pass_all",
        of="system",
        label=say("All thresholds"),
        says=say("share that passes every threshold"),
        formula="passed / judged on every scale with a threshold",
        source="Callison-Burch 2008",
        line="ALL",
        printed="All pass",
    ),
    SystemNumber(
        key="pass_all_interval",
        of="system",
        label=say("95 % Wilson, independent"),
        says=say("as in papers: takes rows for independent, which they are not"),
        formula="score interval of a share",
        source="Wilson 1927",
        line="  Wilson, independent",
    ),
    SystemNumber(
        key="pass_all_bootstrap",
        of="system",
        label=BY_CLUSTER,
        says=LEFT_OUT,
        formula="Wilson’s with n = p(1 − p) / jackknife variance, t(G − 1)",
        source="Wilson 1927; Korn & Graubard 1998",
        line="  95 %",
    ),
    SystemNumber(
        key="n",
        of="scale",
        label=say("n"),
        says=say("values on the scale"),
        formula="count",
    ),
    SystemNumber(
        key="distribution",
        of="scale",
        label=say("Value"),
        says=say("share of each value"),
        formula="values / n",
        source="Callison-Burch 2008",
    ),
    SystemNumber(
        key="pass",
        of="scale",
        label=say("Share that passes"),
        says=say("share that passes the threshold of the scale"),
        formula="passed / n",
        source="Callison-Burch 2008",
        printed="pass",
    ),
    SystemNumber(
        key="mean",
        of="scale",
        label=say("Mean"),
        says=say("mean of the values; none on a nominal scale"),
        formula="sum / n",
        line="mean",
        printed="mean",
        plain="value",
    ),
    SystemNumber(
        key="mean_bootstrap",
        of="scale",
        label=BY_CLUSTER,
        says=LEFT_OUT,
        formula=JACKKNIFE,
        source="Tukey 1958",
        line="  95 %",
    ),
    SystemNumber(
        key="difference",
        of="pair",
        label=say("Difference"),
        says=say("mean of first minus second, over the items that both systems have"),
        formula="mean of a − b",
        line="difference",
    ),
    SystemNumber(
        key="interval",
        of="pair",
        label=BY_CLUSTER,
        says=LEFT_OUT,
        formula=JACKKNIFE,
        source="Tukey 1958",
        line="95 %",
    ),
    SystemNumber(
        key="p_value",
        of="pair",
        label=say("p"),
        says=say("permutation: the two systems swapped in whole phrases"),
        formula="share of swaps at least as far from 0",
        source="Fisher 1935; Noreen 1989; Yeh 2000",
        line="p",
    ),
    SystemNumber(
        key="p_holm",
        of="pair",
        label=say("p by Holm"),
        says=say("the same, adjusted over all pairs of one outcome"),
        formula="step-down",
        source="Holm 1979",
        line="p Holm",
    ),
    SystemNumber(
        key="p_max_t",
        of="pair",
        label=say("p by max-T"),
        says=say("permutation of differences in standard errors, adjusted over all pairs at once"),
        formula="step-down, one sign per phrase for all pairs",
        source="Westfall & Young 1993; Mogstad et al. 2024",
        line="p max-T",
    ),
    SystemNumber(
        key="p_clustered",
        of="pair",
        label=say("p by McNemar, clustered"),
        says=say("test of pass decisions, clustered by phrase"),
        formula="(K − 1) / K · (Σ d)² / Σ d², d = only a − only b per phrase, χ²(1)",
        source="Obuchowski 1998",
        line="p McNemar by cluster",
    ),
    SystemNumber(
        key="mcnemar",
        of="pair",
        label=say("p by McNemar, independent"),
        says=say("as in papers: exact test that takes pass decisions for independent"),
        formula="binomial, of the decisions that differ",
        source="McNemar 1947",
        line="p McNemar, independent",
    ),
    SystemNumber(
        key="level",
        of="pair",
        label=say("False alarms"),
        says=say("how often the exact test at .05 calls two equal systems different here"),
        formula="2 Φ(−1.96 / √d), d = variance by phrase / variance of independent decisions",
        line="false alarms",
    ),
    SystemNumber(
        key="n",
        of="pair",
        label=say("Items"),
        says=say("items with values of both systems"),
        formula="count",
        line="items",
    ),
    SystemNumber(
        key="ties",
        of="pair",
        label=say("Ties"),
        says=say("of these, items where both systems made the same texts"),
        formula="count",
        line="ties",
    ),
    SystemNumber(
        key="groups",
        of="clusters",
        label=say("Clusters"),
        says=say(
            "systems in order; a line where every system above is better than every system below "
            "with p < 0.05 by max-T"
        ),
        formula="p_max_t of all pairs across the line",
        source="WMT shared tasks; adjusted",
        line="Clusters",
    ),
    SystemNumber(
        key="letters",
        of="clusters",
        label=say("Letters"),
        says=say(
            "two systems share a letter exactly if no test tells them apart, p < 0.05 by max-T"
        ),
        formula="insert and absorb, of all pairs with p_max_t < 0.05",
        source="Piepho 2004",
        line="Letters",
    ),
    SystemNumber(
        key="ranks",
        of="clusters",
        label=say("Rank interval"),
        says=say(
            "best and worst rank; the intervals jointly contain all true ranks with confidence .95"
        ),
        formula="1 + systems better, number of systems − systems worse, with p_max_t < 0.05",
        source="Mogstad et al. 2024",
        line="Ranks",
    ),
    SystemNumber(
        key="groups_unadjusted",
        of="clusters",
        label=say("Unadjusted clusters"),
        says=say(
            "as in the WMT shared tasks: the same lines by p, not adjusted for the number of pairs"
        ),
        formula="p_value of all pairs across the line",
        source="WMT shared tasks",
        line="Unadjusted clusters",
    ),
)


PLAIN = tuple(one for one in CATALOGUE if one.plain and one.of == "system")
PLAIN_OF_SCALES = tuple(one for one in CATALOGUE if one.plain and one.of == "scale")
# On pages and in a terminal.
COUNTS_LAST = tuple(sorted(PLAIN, key=lambda one: one.plain == "count"))


def named(of: Of) -> dict[str, SystemNumber]:
    """The numbers of one kind by key, in order."""
    return {one.key: one for one in CATALOGUE if one.of == of}
