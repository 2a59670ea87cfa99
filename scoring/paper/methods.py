"""A draft paragraph for the methods section, with the numbers that a reader needs.

Its content follows van der Lee et al. 2021 (Best practices for the human evaluation of
automatically generated text) and, for the ICC, Koo and Li 2016.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.paper.facts import Facts, ScaleFacts

Report = Mapping[str, Any]
TOLD = ("percent_agreement", "within_one", "alpha_ordinal", "alpha_interval", "gwet_ac2", "icc_2_1")


def methods_paragraph(
    facts: Facts,
    agreement: Report,
    results: Report,
    *,
    names: Mapping[str, str],
    signature: str,
) -> str:
    """Return the paragraph as plain text; undefined coefficients are listed with the reason.

    names: printed names of the agreement coefficients.
    """
    parts = [
        _collection(facts),
        _scales(facts.scales),
        _left_out(facts),
        *(_agreement(name, block, names) for name, block in agreement["scales"].items()),
        _results(results),
        f"All statistics were computed with {signature}.",
    ]
    return " ".join(part for part in parts if part) + "\n"


def counted(many: int, one: str, more: str = "") -> str:
    """Return a count with its noun: "1 item", "2 items"."""
    return f"{many:,} {one if many == 1 else more or one + 's'}"


def joined(words: Sequence[str]) -> str:
    """Join words as "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _collection(facts: Facts) -> str:
    systems = f" of {counted(len(facts.systems), 'system')}" if facts.systems else ""
    blind = ", shown without system names" if facts.in_browser else ""
    return (
        f"{_people(facts)} gave {counted(facts.judgments, 'judgment')}{_when(facts)} of "
        f"{counted(facts.texts, 'paraphrase')}{systems} for {counted(facts.phrases, 'phrase')} in "
        f"{counted(facts.items, 'sentence')} (phrase substitution after Callison-Burch 2008)"
        f"{blind}; each sheet was assigned to {counted(facts.per_sheet, 'annotator')} by design. "
        f"{_and_blank(facts)}"
    ).strip()


def _people(facts: Facts) -> str:
    people = facts.n_annotators - facts.simulated
    told = [counted(people, "annotator")] if people or not facts.simulated else []
    if facts.simulated:
        told.append(f"{counted(facts.simulated, 'SIMULATED annotator')} (a program)")
    return joined(told)


def _when(facts: Facts) -> str:
    if not facts.first:
        return ""
    if facts.first == facts.last:
        return f" on {facts.first}"
    return f" between {facts.first} and {facts.last}"


def _and_blank(facts: Facts) -> str:
    if not facts.cannot_judge:
        return ""
    answers = counted(facts.cannot_judge, "answer")
    return f'{answers} "cannot judge" {"is" if facts.cannot_judge == 1 else "are"} treated as ' + (
        "a missing rating." if facts.cannot_judge == 1 else "missing ratings."
    )


def _scales(scales: Sequence[ScaleFacts]) -> str:
    told = [
        f"{scale.name} ({scale.level}, {scale.minimum:g} to {scale.maximum:g}"
        + (f"; passes at {scale.passes}" if scale.passes else "")
        + ")"
        for scale in scales
    ]
    return f"They rated {joined(told)}." if told else ""


def _left_out(facts: Facts) -> str:
    out = [counted(many, kind) for kind, many in facts.excluded.items() if many]
    return f"Excluded from all statistics: {joined(out)}." if out else ""


def _agreement(name: str, block: Report, names: Mapping[str, str]) -> str:
    told = [_one(names[key], block[key]) for key in TOLD if key in block]
    many = counted(block["n_ratings"], "rating")
    units = counted(block["n_units"], "unit")
    return f"Agreement on {name} ({many} of {units}): {'; '.join(told)}."


def _one(name: str, found: Report) -> str:
    if found["value"] is None:
        return f"{name} {found['reason']}"
    text = f"{name} {found['value']:.3f}"
    if found.get("ci_low") is not None:
        text += (
            f" (95 % CI {found['ci_low']:.3f} to {found['ci_high']:.3f}, "
            f"for {found['generalises_to']})"
        )
    return text


def _results(results: Report) -> str:
    told = []
    for label, system in results["systems"].items():
        share, drawn = system.get("pass_all"), system.get("pass_all_bootstrap") or {}
        if share is None:
            continue
        text = f"{label} {share:.3f}"
        if drawn.get("low") is not None:
            text += f" ({drawn['low']:.3f} to {drawn['high']:.3f})"
        told.append(text)
    if not told:
        return ""
    thresholds = joined([f"{name} {value:g}" for name, value in results["thresholds"].items()])
    method = next(
        (
            found["method"]
            for found in (
                one.get("pass_all_bootstrap") or {} for one in results["systems"].values()
            )
            if found.get("method")
        ),
        "",
    )
    interval = f"; intervals: {method}" if method else ""
    return f"Share of judgments that meet the thresholds {thresholds}: {'; '.join(told)}{interval}."
