"""A draft of the methods section, in paragraphs, with the numbers that a reader needs.

Every sentence is about what the campaign knows. Its content follows van der Lee et al. 2021 (Best
practices for the human evaluation of automatically generated text) and, for the ICC, Koo and Li
2016. How the judgments came is told by `collection.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

from scoring.paper.collection import (
    annotators_told,
    counted,
    data_told,
    joined,
    procedure_told,
    quality_told,
)
from scoring.paper.facts import Facts, ScaleFacts
from scoring.paper.tables import (
    cannot,
    for_new_annotators,
    how_or_why,
    letters_of,
    reasons_of,
    shown_letters,
)
from scoring.stats.agreement.verdicts import VERDICTS

Report = Mapping[str, Any]
NOTHING: Report = MappingProxyType({})
REPORTED = ("percent_agreement", "within_one", "alpha_ordinal", "alpha_interval", "gwet_ac2")
ICC = ("icc_2_1", "icc_1_1", "icc_3_1")  # The first that is defined is told.
FIT = {
    "names": ", whose values are names, without order or distance",
    "two values": ", which has two values",
}
DEFINED = {
    "percent_agreement": "percent agreement is the mean over texts with two ratings or more of the "
    "share of pairs of ratings that are equal",
    "within_one": "within one point is the mean over texts with two ratings or more of the share "
    "of pairs of ratings that are at most one point apart",
    "alpha": "Krippendorff's alpha is 1 minus observed over expected disagreement",
    "icc": "the ICC is that of a single rating",
    "cohen_kappa_pooled": "Cohen's kappa is observed minus chance agreement of all pairs of "
    "annotators over 1 minus chance, which is that of each annotator's own values",
    "gwet_ac1": "Gwet's AC1 is observed minus chance agreement over 1 minus chance, which is small "
    "where most ratings are alike",
    "gwet_ac2": "Gwet's AC2 is observed minus chance agreement over 1 minus chance, which is small "
    "where most ratings are alike, and values agree the less the greater their squared distance",
}
MOST_PAIRS = 15  # Pairs that are named; of more the table has all.


def methods_paragraph(
    facts: Facts,
    agreement: Report,
    results: Report,
    *,
    names: Mapping[str, str],
    signature: str,
    metrics: str = "",
    correlation: Report = NOTHING,
    printed: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the paragraphs as Markdown; undefined coefficients are listed with the reason.

    names: printed names of the agreement coefficients; printed: those of metrics, by label.
    metrics: what metrics compared with. correlation: the report on metrics.
    """
    paragraphs = {
        "Data": data_told(facts),
        "Annotators": annotators_told(facts),
        "Procedure": procedure_told(facts),
        "Quality": quality_told(facts),
        "Agreement": chain(_how(agreement), _few(agreement), _agreements(facts, agreement, names)),
        "Results": chain(
            _few(results, agreement), _results(results), [_looked("Systems", results)]
        ),
        "Metrics": chain(
            _how(correlation),
            _few(correlation, agreement, results),
            _metrics(correlation, metrics, printed),
            [_looked("Metrics", correlation), f"All statistics were computed with {signature}."],
        ),
    }
    return (
        "\n\n".join(
            f"**{name}.** {' '.join(filter(None, sentences))}"
            for name, sentences in paragraphs.items()
        )
        + "\n"
    )


# Agreement.


def _agreements(facts: Facts, agreement: Report, names: Mapping[str, str]) -> Iterator[str]:
    used: set[str] = set()
    estimates: list[Report] = []
    for scale, block in agreement["scales"].items():
        keys = [key for key in agreement_keys(block) if key in block]
        estimates += [block[key] for key in keys]
        used |= {key.split("_")[0] if key[:3] in ("icc", "alp") else key for key in keys}
        yield _agreement(scale, block, keys, names, facts.scales)
    if how := for_new_annotators(estimates):
        yield how.rstrip()
    definitions = [text for key, text in DEFINED.items() if key in used]
    if definitions:
        yield f"Here {'; '.join(definitions)}."


def agreement_keys(block: Report) -> list[str]:
    """The coefficients that are told of a scale; for the ICC the form that exists."""
    if "specific" in block:
        return list(block["leads"])
    icc_keys = [key for key in ICC if key in block]
    defined = [key for key in icc_keys if block[key]["value"] is not None]
    return [*REPORTED, *(defined or icc_keys)[:1]]


def _agreement(
    name: str,
    block: Report,
    keys: Sequence[str],
    names: Mapping[str, str],
    scales: Sequence[ScaleFacts],
) -> str:
    called: Callable[[str], str] = next((one.called for one in scales if one.name == name), str)
    parts = [_one(_named(names, key), block[key]) for key in keys]
    each = block.get("specific", {})
    parts += [_one(f"agreement on {called(value)}", one) for value, one in each.items()]
    name += FIT.get(block.get("answer", {}).get("fit", ""), "")
    many = f"{counted(block['n_ratings'], 'rating')} of {counted(block['n_units'], 'text')}"
    without = reasons_of(block[key] for key in keys)
    why = f" Without an interval: {'; '.join(without)}." if without else ""
    text = f"Agreement on {name} ({many}): {'; '.join(parts)}."
    return f"{text}{why}{_verdict(block)}{_extra(block)}"


def _named(names: Mapping[str, str], key: str) -> str:
    """The printed name inside a sentence."""
    name = names[key]
    return name[:1].lower() + name[1:] if key in ("percent_agreement", "within_one") else name


def _verdict(block: Report) -> str:
    verdict = VERDICTS.get(block.get("answer", {}).get("verdict", ""))
    return f" By Krippendorff's bounds (.800, .667) {verdict.printed}." if verdict else ""


def _extra(block: Report) -> str:
    extra_ratings = block.get("extra_ratings")
    if not extra_ratings or not extra_ratings["notice"]:
        return ""
    return (
        f" Texts with more ratings disagree more ({extra_ratings['more']:.2f} of the pairs of "
        f"ratings differ, {extra_ratings['fewer']:.2f} where there are fewer ratings), so these "
        "coefficients are biased if ratings were added where annotators disagreed."
    )


def _one(name: str, estimate: Report) -> str:
    if estimate["value"] is None:
        return f"{name} {estimate['reason']}"
    text = f"{name} {estimate['value']:.3f}"
    if estimate.get("ci_low") is not None:
        text += (
            f" (95 % CI {estimate['ci_low']:.3f} to {estimate['ci_high']:.3f}, "
            f"for {estimate['generalises_to']})"
        )
    return text


# Results of the systems.


def _results(results: Report) -> Iterator[str]:
    systems, letters = results["systems"], shown_letters(results, letters_of(results))
    by_name = "judgments" if results.get("unit", "judgment") == "judgment" else "texts"
    scales = list(next(iter(systems.values())).get("scales", {})) if systems else []
    sentences: list[str] = []
    for scale in scales:
        of = {label: one["scales"][scale] for label, one in systems.items()}
        sentences += _outcome(f"Mean {scale}", of, "mean", letters.get(("mean", scale), {}))
        sentences += _pairs(results, "mean", scale)
    limits = results["thresholds"]
    if limits:
        named = joined([f"{name} {value:g}" for name, value in limits.items()])
        share = f"Share of {by_name} that meet the thresholds {named}"
        sentences += _outcome(share, systems, "pass_all", letters.get(("pass_all", None), {}))
        sentences += _pairs(results, "pass_all", None)
    if not sentences:
        yield "No system has a result."
        return
    yield from sentences
    yield f"Every {by_name[:-1]} counts once for each system that gave the text.{_method(systems)}"
    if results.get("cannot_tell"):
        yield cannot(results).rstrip()
    elif any(letters.values()):
        yield (
            "Systems that share no letter are told apart (p < .05, permutation of systems in whole "
            "phrases, or items, adjusted over all pairs of an outcome by step-down max-T)."
        )
    if results.get("pairs_reason"):
        yield f"Differences between systems: {results['pairs_reason']}."


def _outcome(
    what: str, of: Mapping[str, Report], key: str, letters: Mapping[str, str]
) -> Iterator[str]:
    parts = []
    for label, one in of.items():
        value, drawn = one.get(key), one.get(f"{key}_bootstrap") or {}
        if value is None:
            continue
        inside = []
        if drawn.get("low") is not None:
            inside.append(f"{drawn['low']:.3f} to {drawn['high']:.3f}")
        if letters.get(label):
            inside.append(letters[label])
        parts.append(f"{label} {value:.3f}" + (f" ({'; '.join(inside)})" if inside else ""))
    if parts:
        yield f"{what}: {'; '.join(parts)}."


def _method(systems: Mapping[str, Report]) -> str:
    drawn = (
        one
        for system in systems.values()
        for one in (
            system.get("pass_all_bootstrap"),
            *(scale.get("mean_bootstrap") for scale in system.get("scales", {}).values()),
        )
    )
    given, missing = how_or_why(one for one in drawn if one)
    text = f" In brackets: intervals ({'; '.join(given)})." if given else ""
    return text + (f" Without brackets: {'; '.join(missing)}." if missing else "")


def _pairs(results: Report, outcome: str, scale: str | None) -> Iterator[str]:
    """The differences that the test finds: as many pairs as share no letter."""
    rows = [
        row
        for row in results.get("pairs", ())
        if (row["outcome"], row["scale"]) == (outcome, scale) and row.get("p_max_t") is not None
    ]
    if not rows or results.get("cannot_tell"):
        return
    apart = [row for row in rows if row["p_max_t"] < results["alpha"] and row["difference"]]
    differences = [_difference(row) for row in apart[:MOST_PAIRS]]
    rest = "; the table has the others" if len(apart) > MOST_PAIRS else ""
    verb = "is" if len(apart) == 1 else "are"
    of = f"Of {counted(len(rows), 'pair')} of systems {len(apart) or 'none'} {verb} told apart"
    yield f"{of}{': ' if differences else ''}{'; '.join(differences)}{rest}."


def _difference(row: Report) -> str:
    ends = row.get("interval") or {}
    span = f" ({ends['low']:+.3f} to {ends['high']:+.3f})" if ends.get("low") is not None else ""
    return f"{row['a']} minus {row['b']} {row['difference']:+.3f}{span}, {p_told(row['p_max_t'])}"


def _how(report: Report) -> Iterator[str]:
    """How intervals were made, where a report has any."""
    if report.get("how_made"):
        yield f"Intervals of 95 % are made {report['how_made']}."


def _few(report: Report, *before: Report) -> Iterator[str]:
    """What is to be said of intervals from few phrases, unless it was said before."""
    warning = report.get("warning")
    if warning and warning not in [one.get("warning") for one in before]:
        yield str(warning)


def p_told(p: float) -> str:
    """A p-value as text; never 0 but "less than"."""
    return "p < .0001" if p < 0.0001 else f"p = {p:.4f}"


# Metrics.


def _metrics(report: Report, compared: str, printed: Mapping[str, str]) -> Iterator[str]:
    runs = report.get("runs", ())
    if not runs:
        yield "No automatic metric was run."
        return
    yield compared.strip()
    yield _old_language(report)
    for human, block in report.get("human", {}).items():
        letters = shown_letters(report, block.get("significance_letters", {})).get("pearson", {})
        parts = [
            _metric(printed.get(label, label), estimates, letters.get(label, ""))
            for label, estimates in block["metrics"].items()
            if "pearson" in estimates
        ]
        if parts:
            yield f"Correlation with {human} over texts: {'; '.join(parts)}."
            yield from (f"Without an interval: {why}." for why in _why_not(block))
        ceiling = report.get("ceiling", {}).get(human, {}).get("leave_one_out", {}).get("pearson")
        if ceiling and ceiling["value"] is not None:
            yield f"One annotator and the mean of the others reach {_one('r', ceiling)}."
    turned = [printed.get(run["label"], run["label"]) for run in runs if run.get("turned")]
    if turned:
        yield f"Lower is better for {joined(turned)}; signs are reversed."
    sums = any(" + " in human for human in report.get("human", ()))
    yield (
        "People's value of a text is the mean of its ratings"
        f"{', of several scales the mean of the sums of its annotators' if sums else ''}; r is "
        "Pearson's, tau Kendall's tau-b."
    )
    yield cannot(report).rstrip() or (
        "Metrics that share no letter are told apart in r (p < .05, permutation of metrics in "
        "whole phrases, or items, Holm over all pairs)."
    )
    yield "CITATION.md has the signature of each metric."


def _why_not(block: Report) -> list[str]:
    return reasons_of(one["pearson"] for one in block["metrics"].values() if "pearson" in one)


def _metric(name: str, estimates: Report, letters: str) -> str:
    text = _one(f"{name} r", estimates["pearson"])
    tau = estimates.get("kendall")
    if tau and tau["value"] is not None:
        text += f", tau {tau['value']:.3f}"
    n = estimates["pearson"].get("n")
    return text + (f" (n = {n}{f'; {letters}' if letters else ''})" if n else "")


def _old_language(correlation: Report) -> str:
    """The metrics that read another language of the texts than the campaign has now."""
    old = [run["label"] for run in correlation.get("runs", ()) if run.get("old_language")]
    if not old:
        return ""
    return f"Computed before the language of the texts was corrected: {joined(old)}."


def _looked(what: str, report: Report) -> str:
    """How often they were compared while judgments arrived; nothing after a single look."""
    looks = report.get("looks")
    if not looks or not looks["told"]:
        return ""
    if looks["states"] < 2:
        return f"How often {what.lower()} were compared before is not known."
    more = " or more; how often before is not known" if looks["unknown_before"] else ""
    return (
        f"{what} were compared at {looks['states']} states of the judgments{more}; the tests are "
        "not adjusted for that (simulated: two equal systems called different at .05 at least once "
        f"in {looks['false_alarms']:.0%} of samples after {looks['simulated']} looks)."
    )
