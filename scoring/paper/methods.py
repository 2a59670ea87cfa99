"""A draft paragraph for the methods section, with the numbers that a reader needs.

Its content follows van der Lee et al. 2021 (Best practices for the human evaluation of
automatically generated text) and, for the ICC, Koo and Li 2016.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from scoring.paper.facts import Facts, ScaleFacts, drawn_from

Report = Mapping[str, Any]
NOTHING: Report = MappingProxyType({})
TOLD = ("percent_agreement", "within_one", "alpha_ordinal", "alpha_interval", "gwet_ac2", "icc_2_1")
FIT = {
    "names": ", whose values are names, without order or distance",
    "two values": ", which has two values",
}


def methods_paragraph(
    facts: Facts,
    agreement: Report,
    results: Report,
    *,
    names: Mapping[str, str],
    signature: str,
    metrics: str = "",
    correlation: Report = NOTHING,
) -> str:
    """Return the paragraph as plain text; undefined coefficients are listed with the reason.

    names: printed names of the agreement coefficients. metrics: what metrics compared with.
    correlation: the report on metrics, for how often it was looked at.
    """
    parts = [
        _collection(facts),
        *drawn_from(facts),
        _scales(facts.scales),
        _controlled(facts),
        _left_out(facts),
        *(
            _agreement(name, block, names, facts.scales)
            for name, block in agreement["scales"].items()
        ),
        _results(results),
        _few(agreement, results, correlation),
        _looked("Systems", results),
        metrics.strip(),
        _old_language(correlation),
        _looked("Metrics", correlation),
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
    empty = f" ({facts.unjudged:,} of them without a judgment)" if facts.unjudged else ""
    return (
        f"{_people(facts)} gave {counted(facts.judgments, 'judgment')}{_when(facts)} of "
        f"{counted(facts.texts, 'paraphrase')}{systems}{empty} for {contexts(facts)}"
        f"{_language(facts)}{blind}; each sheet was assigned to "
        f"{counted(facts.per_sheet, 'annotator')} by design"
        f"{_shared(facts)}. {_and_blank(facts)}"
    ).strip()


def contexts(facts: Facts) -> str:
    """What was paraphrased: phrases in sentences, whole sentences, or both."""
    whole, items = facts.design.whole, facts.items - facts.design.whole
    phrases = facts.phrases - facts.design.whole_phrases
    told = [counted(whole, "whole sentence")] if whole else []
    if items or not whole:
        told.insert(
            0,
            f"{counted(phrases, 'phrase')} in {counted(items, 'sentence')} (phrase substitution "
            "after Callison-Burch 2008)",
        )
    return joined(told)


def languages(facts: Facts) -> list[str]:
    """The known languages, with the number of items if there are several."""
    known = {name: n for name, n in facts.design.languages.items() if name}
    if len(facts.design.languages) < 2:
        return list(known)
    return [f"{name} ({counted(n, 'item')})" for name, n in sorted(known.items())]


def _language(facts: Facts) -> str:
    known = languages(facts)
    return f", in {joined(known)}" if known else ""


def _shared(facts: Facts) -> str:
    shared, every = facts.design.shared_sheets, facts.design.sheets
    if not shared:
        return ""
    return f", and {shared:,} of {counted(every, 'sheet')} to all annotators"


def _controlled(facts: Facts) -> str:
    """Practice, hidden checks and the rules that act on them."""
    told = []
    if facts.practice_required and facts.practice_share is not None:
        told.append(
            "Before the first sheet annotators practised with feedback and passed a test "
            f"({facts.practice_share:.0%} of the answers right)."
        )
    hidden = checks(facts)
    if hidden:
        told.append(f"Hidden among the sheets were {joined(hidden)}, which enter no result.")
    if facts.rules:
        told.append(f"Rules for failed checks: {'; '.join(facts.rules)}.")
    names = {scale.name for scale in facts.scales if scale.level == "nominal"}
    for scale, one in facts.design.repeats.items():
        near = "" if scale in names else f", {one.within:.3f} one at most a point from it"
        told.append(
            f"Of {counted(one.n, 'repeat')} on {scale}, {one.equal:.3f} got the same value again"
            f"{near}."
        )
    return " ".join(told)


def checks(facts: Facts) -> list[str]:
    """The hidden checks with their numbers."""
    return [
        f"{many:,} {kind if many != 1 else _one_of(kind)}"
        for kind, many in facts.checks.items()
        if many
    ]


def _one_of(kind: str) -> str:
    return f"{kind[:-3]}y" if kind.endswith("ies") else kind.removesuffix("s")


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
    """What is excluded, by kind, reason and rule; the number alone where reasons are unknown."""
    groups: dict[tuple[str, str, str, bool], list[str]] = {}
    for one in facts.design.exclusions:
        key = (one.kind, one.reason, one.rule, one.withdrawal)
        groups.setdefault(key, []).append(one.since)
    known = Counter(one.kind for one in facts.design.exclusions)
    told = [
        f"{counted(len(since), kind)} ({_why(reason, rule, withdrawal)}, since {_span(since)})"
        for (kind, reason, rule, withdrawal), since in groups.items()
    ]
    for kind, many in facts.excluded.items():
        if many > known[kind]:
            told.append(counted(many - known[kind], kind))
    return f"Excluded from all statistics: {'; '.join(told)}." if told else ""


def _why(reason: str, rule: str, withdrawal: bool) -> str:
    if withdrawal:
        return "withdrawn by their own wish"
    by = f'by the rule "{rule}"' if rule else "by the researchers"
    return f"{by}: {reason.strip().rstrip('.')}" if reason.strip() else by


def _span(since: Sequence[str]) -> str:
    first, last = min(since), max(since)
    return first if first == last else f"{first} to {last}"


def _agreement(
    name: str, block: Report, names: Mapping[str, str], scales: Sequence[ScaleFacts]
) -> str:
    called: Callable[[str], str] = next((one.called for one in scales if one.name == name), str)
    keys = block["leads"] if "specific" in block else TOLD
    told = [_one(names[key], block[key]) for key in keys if key in block]
    each = block.get("specific", {})
    told += [_one(f"agreement on {called(value)}", one) for value, one in each.items()]
    name += FIT.get(block.get("answer", {}).get("fit", ""), "")
    many = counted(block["n_ratings"], "rating")
    units = counted(block["n_units"], "unit")
    return f"Agreement on {name} ({many} of {units}): {'; '.join(told)}.{_extra(block)}"


def _extra(block: Report) -> str:
    found = block.get("extra_ratings")
    if not found or not found["notice"]:
        return ""
    return (
        f" Texts with more ratings disagree more ({found['more']:.2f} of the pairs of ratings "
        f"differ, {found['fewer']:.2f} where there are fewer ratings), so these coefficients are "
        "biased if ratings were added where annotators disagreed."
    )


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


def _few(*reports: Report) -> str:
    """What is to be said of intervals from few phrases, once."""
    return " ".join(dict.fromkeys(one["warning"] for one in reports if one.get("warning")))


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
        f"{what} were compared at {looks['states']:,} states of the judgments{more}; the tests are "
        "not adjusted for that (simulated: two equal systems called different at .05 at least once "
        f"in {looks['false_alarms']:.0%} of samples after {looks['simulated']} looks)."
    )
