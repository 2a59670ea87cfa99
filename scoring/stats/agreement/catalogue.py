"""The agreement coefficients: names, interpretation, formula, source and computation.

Pages, API, commands, papers and docs/statistics.md list the coefficients in this order. Another
package adds a coefficient through the entry-point group `paraanno.statistics`:

    [project.entry-points."paraanno.statistics"]
    my_coefficient = "mypackage.mymodule:MY_COEFFICIENT"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any, Literal, cast

from paraanno.common.texts import PARTS, Sentence, say
from scoring.stats import resampling
from scoring.stats.agreement import coefficients as agreement_coefficients
from scoring.stats.agreement.coefficients import no_pairs
from scoring.stats.agreement.families import (
    Compute,
    Family,
    OfCounts,
    OfPairs,
    OfRankings,
    OfReliability,
    ScaleData,
)
from scoring.stats.intervals import Bootstrap
from scoring.stats.resampling import Draws, count_replicates
from scoring.stats.table import Estimate, FloatArray, IntArray, RatingTable, undefined

# The fields beside the coefficients in a block of the report of agreement.


FIELDS = frozenset(
    {
        "n_units",
        "n_annotators",
        "n_ratings",
        "groups",
        "answer",
        "left_out",
        "leads",
        "unfit",
        "specific",
        "extra_ratings",
        "thresholds",
        "share",  # of the passes
        "influence",
        "chance",  # on demand
        "distribution",
        "disputed",
        "confusions",
        "course",  # of a campaign
    }
)


def is_taken(key: str) -> bool:
    """Whether a coefficient of that name would overwrite a field, or the parts of a sentence."""
    return key in FIELDS or key.endswith(PARTS)


GROUP = "paraanno.statistics"


@dataclass(frozen=True, kw_only=True)
class Coefficient:
    """One coefficient, as shown everywhere.

    key         name in JSON, CSV and commands
    label       name on pages; says: a short interpretation
    printed     name in papers, in characters that LaTeX sets without further packages
    missing     treatment of missing ratings
    how         computation of the value and its replicates
    of_passes   False if it is redundant or undefined for binary ratings
    """

    key: str
    label: Sentence
    says: Sentence
    printed: str
    formula: str
    source: str
    missing: Sentence
    how: Family
    of_passes: bool = True


PAIRED = say("Texts with one rating are left out; otherwise every rating counts.")
MARGINS = say("Texts with one rating count towards chance agreement only, not observed agreement.")
SHARED = say("Each pair of annotators on the texts that both rated; undefined if most share few.")
POOLS = say("Texts with one rating are left out; chance is from all other ratings of an annotator.")
COMPLETE = say("Only texts that every annotator rated.")
MODEL = say(
    "Every rating counts; missing ones are assumed missing at random. k is the harmonic mean of "
    "the number of ratings per text."
)


def _values(compute: Callable[[RatingTable], Estimate]) -> Compute:
    """Adapt a coefficient that uses only the values given, not the levels of the scale."""
    return lambda table, _levels: compute(table)


def _icc(
    form: str,
    label: Sentence,
    says: Sentence,
    formula: str,
    source: str = "Shrout & Fleiss 1979; McGraw & Wong 1996",
) -> Coefficient:
    return Coefficient(
        key=f"icc_{form}",
        label=label,
        says=says,
        printed=f"ICC({form.replace('_', ',')})",
        formula=formula,
        source=source,
        missing=MODEL,
        how=OfReliability(*form.split("_")),
    )


CATALOGUE = (
    Coefficient(
        key="percent_agreement",
        label=say("Percent agreement"),
        says=say("share of agreeing pairs of ratings, mean over texts"),
        printed="Percent agreement",
        formula="mean over texts of Σ n(n−1) / m(m−1)",
        source="Gwet 2014, pₐ",
        missing=PAIRED,
        how=OfCounts(
            _values(agreement_coefficients.percent_agreement),
            resampling.percent_agreement,
            "logit",
        ),
    ),
    Coefficient(
        key="within_one",
        label=say("Within one point"),
        says=say("share of pairs of ratings at most one point apart, mean over texts"),
        printed="Within one point",
        formula="mean over texts of pairs with |x − y| ≤ 1 / pairs",
        source="van der Lee et al. 2021",
        missing=PAIRED,
        how=OfCounts(_values(agreement_coefficients.within_one), resampling.within_one, "logit"),
        of_passes=False,
    ),
    Coefficient(
        key="alpha_nominal",
        label=say("Krippendorff’s α, nominal"),
        says=say("all differences count equally"),
        printed="Krippendorff's alpha, nominal",
        formula="1 − Dₒ/Dₑ, δ² = [x ≠ y]",
        source="Krippendorff 2011",
        missing=PAIRED,
        how=OfCounts(_values(agreement_coefficients.alpha_nominal), resampling.alpha_nominal),
    ),
    Coefficient(
        key="alpha_ordinal",
        label=say("Krippendorff’s α, ordinal"),
        says=say("differences by rank"),
        printed="Krippendorff's alpha, ordinal",
        formula="1 − Dₒ/Dₑ, δ² = (mid-rank x − mid-rank y)²",
        source="Krippendorff 2011",
        missing=PAIRED,
        how=OfCounts(_values(agreement_coefficients.alpha_ordinal), resampling.alpha_ordinal),
        of_passes=False,
    ),
    Coefficient(
        key="alpha_interval",
        label=say("Krippendorff’s α, interval"),
        says=say("differences squared"),
        printed="Krippendorff's alpha, interval",
        formula="1 − Dₒ/Dₑ, δ² = (x − y)²",
        source="Krippendorff 2011",
        missing=PAIRED,
        how=OfCounts(_values(agreement_coefficients.alpha_interval), resampling.alpha_interval),
        of_passes=False,
    ),
    Coefficient(
        key="gwet_ac1",
        label=say("Gwet’s AC1"),
        says=say("stays high where one value dominates"),
        printed="Gwet's AC1",
        formula="(p − e) / (1 − e), e = Σ π(1 − π) / (q − 1)",
        source="Gwet 2008",
        missing=MARGINS,
        how=OfCounts(agreement_coefficients.gwet_ac1, resampling.gwet_ac1),
    ),
    Coefficient(
        key="gwet_ac2",
        label=say("Gwet’s AC2, quadratic"),
        says=say("AC1 for ordered values"),
        printed="Gwet's AC2, quadratic",
        formula="AC1 with weights 1 − (x − y)² / range²",
        source="Gwet 2014",
        missing=MARGINS,
        how=OfCounts(agreement_coefficients.gwet_ac2, resampling.gwet_ac2),
        of_passes=False,
    ),
    Coefficient(
        key="brennan_prediger",
        label=say("Brennan–Prediger"),
        says=say("chance agreement is 1 / number of scale values"),
        printed="Brennan-Prediger",
        formula="(p − 1/q) / (1 − 1/q)",
        source="Brennan & Prediger 1981",
        missing=PAIRED,
        how=OfCounts(agreement_coefficients.brennan_prediger, resampling.brennan_prediger),
    ),
    Coefficient(
        key="fleiss_kappa",
        label=say("Fleiss’ κ"),
        says=say("chance agreement from the pooled values of all annotators"),
        printed="Fleiss' kappa",
        formula="(p − e) / (1 − e), e = Σ π²",
        source="Fleiss 1971; Gwet 2014",
        missing=MARGINS,
        how=OfCounts(_values(agreement_coefficients.fleiss_kappa), resampling.fleiss_kappa),
    ),
    Coefficient(
        key="cohen_kappa_pooled",
        label=say("Cohen’s κ, pooled"),
        says=say("over all pairs of annotators, weighted by the texts that both judged"),
        printed="Cohen's kappa, pooled",
        formula="1 − Σₚ Dₒ / Σₚ n Dₑ over pairs p, D = [x ≠ y]",
        source="Cohen 1960; Conger 1980; Gwet 2014",
        missing=POOLS,
        how=OfPairs("pooled_nominal"),
    ),
    Coefficient(
        key="cohen_kappa_pooled_linear",
        label=say("Cohen’s κ, pooled, linear weights"),
        says=say("pooled as above, weighted by distance"),
        printed="Cohen's kappa, linear, pooled",
        formula="1 − Σₚ Dₒ / Σₚ n Dₑ, D = |x − y|",
        source="Cohen 1968; Conger 1980; Gwet 2014",
        missing=POOLS,
        how=OfPairs("pooled_linear"),
        of_passes=False,
    ),
    Coefficient(
        key="cohen_kappa_pooled_quadratic",
        label=say("Cohen’s κ, pooled, quadratic weights"),
        says=say("pooled as above, weighted by squared distance"),
        printed="Cohen's kappa, quadratic, pooled",
        formula="1 − Σₚ Dₒ / Σₚ n Dₑ, D = (x − y)²",
        source="Cohen 1968; Conger 1980; Gwet 2014",
        missing=POOLS,
        how=OfPairs("pooled_quadratic"),
        of_passes=False,
    ),
    Coefficient(
        key="cohen_kappa",
        label=say("Cohen’s κ, mean of pairs"),
        says=say("mean over pairs of annotators, on texts both judged"),
        printed="Cohen's kappa, mean of pairs",
        formula="(p − e) / (1 − e), e = Σ π₁π₂",
        source="Cohen 1960; Light 1971",
        missing=SHARED,
        how=OfPairs("nominal"),
    ),
    Coefficient(
        key="cohen_kappa_linear",
        label=say("Cohen’s κ, linear weights, mean of pairs"),
        says=say("as above, weighted by distance"),
        printed="Cohen's kappa, linear, mean of pairs",
        formula="1 − Σ|x − y| / E|x − y|",
        source="Cohen 1968",
        missing=SHARED,
        how=OfPairs("linear"),
        of_passes=False,
    ),
    Coefficient(
        key="cohen_kappa_quadratic",
        label=say("Cohen’s κ, quadratic weights, mean of pairs"),
        says=say("weighted by squared distance"),
        printed="Cohen's kappa, quadratic, mean of pairs",
        formula="1 − Σ(x − y)² / E(x − y)²",
        source="Cohen 1968",
        missing=SHARED,
        how=OfPairs("quadratic"),
        of_passes=False,
    ),
    Coefficient(
        key="scott_pi",
        label=say("Scott’s π, mean of pairs"),
        says=say("as Cohen’s κ, chance agreement from the pooled values of both"),
        printed="Scott's pi, mean of pairs",
        formula="(p − e) / (1 − e), e = Σ ((π₁ + π₂)/2)²",
        source="Scott 1955",
        missing=SHARED,
        how=OfPairs("scott"),
    ),
    Coefficient(
        key="kendall_w",
        label=say("Kendall’s W"),
        says=say("agreement of rankings; complete texts only"),
        printed="Kendall's W",
        formula="12 S / (k²(n³ − n) − k Σ(t³ − t))",
        source="Kendall & Gibbons 1990",
        missing=COMPLETE,
        how=OfRankings(),
    ),
    _icc(
        "1_1",
        say("ICC(1,1)"),
        say("one rating, annotators interchangeable"),
        formula="σ²ᵤ / (σ²ᵤ + σ²ₑ)",
        source="Shrout & Fleiss 1979",
    ),
    _icc(
        "2_1",
        say("ICC(2,1)"),
        say("one rating, absolute agreement"),
        formula="σ²ᵤ / (σ²ᵤ + σ²ₐ + σ²ₑ)",
    ),
    _icc(
        "3_1",
        say("ICC(3,1)"),
        say("one rating, consistency"),
        formula="σ²ᵤ / (σ²ᵤ + σ²ₑ)",
    ),
    _icc(
        "1_k",
        say("ICC(1,k)"),
        say("the mean of k ratings"),
        formula="σ²ᵤ / (σ²ᵤ + σ²ₑ/k)",
        source="Shrout & Fleiss 1979",
    ),
    _icc(
        "2_k",
        say("ICC(2,k)"),
        say("the mean of k ratings, absolute agreement"),
        formula="σ²ᵤ / (σ²ᵤ + (σ²ₐ + σ²ₑ)/k)",
        source="Shrout & Fleiss 1979; Koo & Li 2016",
    ),
    _icc(
        "3_k",
        say("ICC(3,k)"),
        say("the mean of k ratings, consistency"),
        formula="σ²ᵤ / (σ²ᵤ + σ²ₑ/k)",
    ),
)


@cache
def coefficients() -> Mapping[str, Coefficient]:
    """Return all coefficients by key in display order; those of other packages come last.

    Raises ValueError for an entry point that is no coefficient, or a key that is taken by another
    or by a field of the report.
    """
    by_key = {one.key: one for one in CATALOGUE}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        one = entry.load()
        if not isinstance(one, Coefficient):
            raise ValueError(f"The statistic {entry.name} at {entry.value} is no Coefficient.")
        if is_taken(one.key):
            raise ValueError(
                f"A statistic cannot be called {one.key}, as a field of the report is: "
                f"rename that of {entry.value}."
            )
        if by_key.setdefault(one.key, one) is not one:
            raise ValueError(
                f"There is already a statistic called {one.key}: rename that of {entry.value}."
            )
    return MappingProxyType(by_key)


# Which coefficients come first for a scale, and which have no meaning for its values.
#
# Nominal values have neither order nor distance, so a coefficient that uses these says nothing
# about them. With two values all weighted forms equal the unweighted ones. Pages, papers and
# commands take the choice from here.


Fit = Literal["names", "two values", "ordered"]
OF_NAMES = ("alpha_nominal", "percent_agreement", "cohen_kappa_pooled", "gwet_ac1")
BESIDE = ("percent_agreement", "within_one", "gwet_ac2")


def fit_of(level: str, n_levels: int) -> Fit:
    """Return what a scale of that level of measurement with so many values is to its statistics."""
    if n_levels == 2:
        return "two values"
    return "names" if level == "nominal" else "ordered"


def fit_of_answer(answer: Mapping[str, Any] | None) -> Fit:
    """Return the fit that a report names, where `answer` is None that of pass decisions; a report
    of the version before shows it by its coefficient."""
    if answer is None:
        return "two values"
    if "fit" in answer:
        return cast(Fit, answer["fit"])
    return "names" if answer["coefficient"] == "alpha_nominal" else "ordered"


def leading(answer: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return the names of the coefficients that lead, in order."""
    if answer is None or fit_of_answer(answer) != "ordered":
        return OF_NAMES
    icc = answer["icc"]
    return (answer["coefficient"], icc, icc.replace("k", "1"), *BESIDE)


def fits(one: Coefficient, fit: Fit) -> bool:
    """Whether a coefficient says something of its own about such a scale.

    On two values an intraclass correlation and Kendall's W can be computed, so they stay, but do
    not lead.
    """
    if fit == "ordered":
        return True
    ranks = isinstance(one.how, OfRankings | OfReliability)
    return one.of_passes and not (ranks and fit == "names")


def fitting(answer: Mapping[str, Any] | None) -> list[str]:
    """Return all names that fit: those that lead, then the others in the order of the catalogue."""
    head, fit = leading(answer), fit_of_answer(answer)
    rest = [key for key, one in coefficients().items() if key not in head and fits(one, fit)]
    return [*head, *rest]


def unfit(answer: Mapping[str, Any] | None) -> list[str]:
    """Return the names of the coefficients that do not fit."""
    shown = fitting(answer)
    return [key for key in coefficients() if key not in shown]


# Agreement on each value by itself; on two values positive and negative agreement.
#
# High overall agreement can hide that annotators never agree on a rare value. Of two annotators the
# agreement on a value is 2a / (2a + b + c): Cicchetti and Feinstein 1990. Of any number of ratings
# all pairs of a text are counted: Uebersax, "Raw agreement indices".


MOST_VALUES = 20
FORMULA = "Σ n(n−1) / Σ n(m−1)"
SOURCE = "Cicchetti & Feinstein 1990; Uebersax, online"
METHOD = say("of ratings paired with one that has the value, the share that have it too")
NEVER = say("undefined: no text with two ratings has the value")


def specific_agreement(
    data: ScaleData, *, clusters: IntArray | None = None, plan: Bootstrap | None = None
) -> dict[str, Estimate]:
    """Return the agreement on each value of the scale, by value; none of more than 20 values.

    n counts texts with the value and at least two ratings. Undefined, with a reason, where there is
    none. Intervals as of the coefficients; clusters count in which a text has the value.
    """
    if data.levels.size > MOST_VALUES:
        return {}
    names = [f"{value:.12g}" for value in data.levels.tolist()]
    why = no_pairs(data.table)
    if why:
        return dict.fromkeys(names, undefined(why, method=METHOD))
    patterns = data.patterns
    statistics = {name: _of(place) for place, name in enumerate(names)}
    estimates, used = {}, {}
    for place, name in enumerate(names):
        given = (patterns.counts[:, [place]].toarray().ravel() > 0) & (patterns.size >= 2)
        used[name] = given[patterns.of_unit]
        n = int(patterns.weight[given].sum())
        value = float(statistics[name](patterns, patterns.weight[None, :])[0])
        estimates[name] = (
            Estimate(value, n=n, method=METHOD) if n else undefined(NEVER, method=METHOD)
        )
    if plan is None:
        return estimates
    draws = Draws.of(data.table, plan, clusters)
    values = count_replicates(patterns, statistics, draws)
    return {
        name: draws.attach(one, values[name], "logit", used[name])
        for name, one in estimates.items()
    }


def _of(place: int) -> resampling.Statistic:
    """Return the statistic of one value by its place on the scale."""

    def share(p: resampling.Patterns, w: FloatArray) -> FloatArray:
        given = p.counts[:, [place]].toarray().ravel()
        return resampling.ratio(w @ (given * (given - 1)), w @ (given * (p.size - 1)))

    return share
