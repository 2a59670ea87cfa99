"""How texts were judged: what a campaign knows of its data, annotators, procedure and quality, as
sentences. What nobody wrote down is "not reported"; counts are written without separators, as in
the files of the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scoring.paper.facts import NOT_REPORTED, Facts, SourceFacts, drawn_from


def counted(many: int, one: str, more: str = "") -> str:
    """Return a count with its noun: "1 item", "2 items"."""
    return f"{many} {one if many == 1 else more or one + 's'}"


def joined(words: Sequence[str]) -> str:
    """Join words as "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


# Data.


def data_told(facts: Facts) -> Iterator[str]:
    systems = f" of {counted(len(facts.systems), 'system')}" if facts.systems else ""
    empty = f", {facts.unjudged} of them without a rating" if facts.unjudged else ""
    yield (
        f"The data are {counted(facts.texts, 'text')}{systems} for {contexts(facts)}"
        f"{_language(facts)}{empty}; a text is one distinct paraphrase of one item, whichever "
        "systems gave it."
    )
    yield from drawn_from(facts)
    if facts.answers.get("texts") or not facts.design.test_sets:
        yield _reported(facts, "How the texts were chosen", "texts")
    if facts.short_references:
        yield facts.short_references


def contexts(facts: Facts) -> str:
    """What was paraphrased: phrases in sentences, whole sentences, or both."""
    whole, items = facts.design.whole, facts.items - facts.design.whole
    phrases = facts.phrases - facts.design.whole_phrases
    parts = [counted(whole, "whole sentence")] if whole else []
    if items or not whole:
        parts.insert(
            0,
            f"{counted(phrases, 'phrase')} in {counted(items, 'sentence')} (phrase substitution "
            "after Callison-Burch 2008)",
        )
    return joined(parts)


def languages(facts: Facts) -> list[str]:
    """The known languages, with the number of items if there are several."""
    named = {name: n for name, n in facts.design.languages.items() if name}
    if len(facts.design.languages) < 2:
        return list(named)
    return [f"{name} ({counted(n, 'item')})" for name, n in sorted(named.items())]


def _language(facts: Facts) -> str:
    names = languages(facts)
    return f", in {joined(names)}" if names else ""


def reported(facts: Facts) -> dict[str, str]:
    """What is known of a reviewer's questions, by question: by the campaign, then as answered."""
    by_question = {
        "annotators": "; ".join(facts.panels),
        "pay": "; ".join(facts.pay),
        "instructions": guidelines(facts),
        "ethics": consent(facts),
        "texts": "",
    }
    return {
        name: "; ".join(filter(None, (answer, facts.answers.get(name, "").strip().rstrip("."))))
        for name, answer in by_question.items()
    }


def _reported(facts: Facts, what: str, question: str, recorded: str = "") -> str:
    """One answer of the researchers, after what the campaign knows by itself."""
    answer = facts.answers.get(question, "").strip().rstrip(".")
    parts = [part for part in (recorded, answer) if part]
    return f"{what}: {'; '.join(parts) or NOT_REPORTED}."


# Annotators.


def annotators_told(facts: Facts) -> Iterator[str]:
    yield (
        f"{people(facts)} gave {counted(facts.judgments, 'judgment')}, in all "
        f"{counted(facts.ratings, 'rating')}: a judgment is one text judged by one annotator, a "
        f"rating its value on one scale.{_per_text(facts)}"
    )
    if facts.cannot_judge:
        answers = counted(facts.cannot_judge, "answer")
        are = "is a missing rating" if facts.cannot_judge == 1 else "are missing ratings"
        yield f'{answers} "cannot judge" {are}.'
    yield from _codes(facts)
    yield _reported(facts, "Who the annotators were", "annotators", "; ".join(facts.panels))
    if facts.design.background:
        yield f"Asked about themselves, they answered: {'; '.join(facts.design.background)}."
    yield _reported(facts, "Pay", "pay", "; ".join(facts.pay))
    yield _reported(facts, "Ethical review and consent", "ethics", consent(facts))


def people(facts: Facts) -> str:
    """How many annotators there are, and how many of them are a program."""
    if facts.simulated and facts.simulated == facts.n_annotators:
        return f"{counted(facts.simulated, 'SIMULATED annotator')} (a program)"
    count = counted(facts.n_annotators, "annotator")
    return (
        f"{count} ({facts.simulated} of them SIMULATED by a program)" if facts.simulated else count
    )


def _per_text(facts: Facts) -> str:
    if not facts.per_text:
        return ""
    least, most, middle = facts.per_text
    if least == most:
        return f" Each judged text has {counted(least, 'judgment')}."
    return f" A judged text has {least} to {most} judgments (median {middle:g})."


def _codes(facts: Facts) -> Iterator[str]:
    """Where codes are not people."""
    anonymous = facts.annotators.get("anonymous", 0)
    if anonymous:
        which = "All" if anonymous == facts.n_annotators else str(anonymous)
        yield (
            f"{which} of these annotators are anonymous: their codes tell the judgments of one "
            "text apart and are no people."
        )
    if facts.twice:
        yield (
            f"{facts.twice} of these annotators {'is' if facts.twice == 1 else 'are'} counted a "
            "second time: the judgments from the pilot are under codes of their own."
        )


def consent(facts: Facts) -> str:
    """What the campaign knows of consent; it knows nothing about imported judgments."""
    here = sum(one.annotators for one in facts.sources if one.how in ("browser", "program"))
    if not facts.consented or not here:
        return ""
    return f"{facts.consented} of the {here} who judged in paraanno agreed to a consent text before"


# Procedure.


def procedure_told(facts: Facts) -> Iterator[str]:
    yield from collected(facts)
    scales = [
        f"{scale.name} ({scale.level}, {scale.minimum:g} to {scale.maximum:g}"
        + (f"; passes at {scale.passes}" if scale.passes else "")
        + ")"
        for scale in facts.scales
    ]
    if scales:
        yield f"The scales were {joined(scales)}."
    if facts.in_browser:
        yield _design(facts)
    yield _reported(facts, "Instructions", "instructions", guidelines(facts))


def guidelines(facts: Facts) -> str:
    """What the software showed to those who judged in it; "" where nobody did."""
    if not facts.in_browser:
        return ""
    if not facts.guidelines:
        return "paraanno showed no guidelines"
    versions = joined([str(one) for one in facts.guidelines])
    which = "version" if len(facts.guidelines) == 1 else "versions"
    return f"guidelines ({which} {versions}) at hand while judging in paraanno"


def collected(facts: Facts) -> list[str]:
    """How the judgments came: a sentence for each way, with its own numbers and days."""
    sentences = [_source(one) for one in facts.sources]
    if any(one.how == "import" for one in facts.sources):
        sentences.append(_reported(facts, "How the imported judgments were collected", "collected"))
    return sentences


def _source(one: SourceFacts) -> str:
    who = f"{counted(one.judgments, 'judgment')} of {counted(one.annotators, 'annotator')}"
    be = "was" if one.judgments == 1 else "were"
    if one.how == "browser":
        return f"{who} {be} given in a web browser with paraanno{_days(one)}."
    if one.how == "program":
        return f"{who} {be} sent to paraanno by a program{_days(one)}."
    if one.how == "simulated":
        return f"{who} {be} SIMULATED by a program."
    if one.how == "pilot":
        given = f", where they were given{days}" if (days := _days(one)) else ""
        return f"{who} {be} taken over from the pilot {one.name}{given}."
    source = one.name or "a table, which does not say with which tool they were given"
    given = f"; they were given{days}" if (days := _days(one)) else ""
    unknown = "" if given else "; on which days they were given is not reported"
    read = f"; values were read to another range ({one.ranges})" if one.ranges else ""
    return f"{who} {be} imported from {source}{given}{unknown}{read}."


def _days(one: SourceFacts) -> str:
    if not one.first:
        return ""
    span = f" on {one.first}" if one.first == one.last else f" from {one.first} to {one.last}"
    return f"{span} ({one.undated} without a date)" if one.undated else span


def _design(facts: Facts) -> str:
    """What the software did for those who judged in it."""
    shared, every = facts.design.shared_sheets, facts.design.sheets
    to_all = f", {shared} of {counted(every, 'sheet')} by all annotators" if shared else ""
    shown = "one text at a time" if facts.layout == "single" else "the texts of one item together"
    most = f", at most {facts.max_per_sheet} on a sheet" if facts.max_per_sheet else ""
    seen = (
        f"; {counted(facts.not_blind, 'annotator')} could see the names elsewhere on the site"
        if facts.not_blind
        else ""
    )
    return (
        f"In paraanno each sheet was meant for {counted(facts.per_sheet, 'annotator')}{to_all}; it "
        f"showed {shown}{most}, in an order random for each annotator, without system names{seen}."
    )


# Quality.


def quality_told(facts: Facts) -> Iterator[str]:
    """Practice, hidden checks, the rules that act on them, repeats, and what is excluded."""
    sentences = []
    if facts.in_browser and facts.practice_required and facts.practice_share is not None:
        sentences.append(
            "Before the first sheet in paraanno annotators practised with feedback and passed a "
            f"test ({facts.practice_share:.0%} of the answers right)."
        )
    hidden = checks(facts)
    if hidden:
        where = "Hidden among the sheets" if facts.in_browser else "Beside the texts of systems"
        single = len(hidden) == 1 and hidden[0].startswith("1 ")
        be, enter = ("was", "enters") if single else ("were", "enter")
        sentences.append(f"{where} {be} {joined(hidden)}, which {enter} no result.")
    if facts.in_browser and facts.rules:
        sentences.append(f"Rules for failed checks: {'; '.join(facts.rules)}.")
    if facts.in_browser and not sentences:
        sentences.append("paraanno had no practice, hidden checks or rules.")
    yield from sentences
    if any(one.how == "import" for one in facts.sources):
        yield "Checks made where the imported judgments were given are not reported here."
    names = {scale.name for scale in facts.scales if scale.level == "nominal"}
    for scale, one in facts.design.repeats.items():
        near = "" if scale in names else f", {one.within:.3f} one at most a point from it"
        yield (
            f"Of {counted(one.n, 'repeat')} on {scale}, {one.equal:.3f} got the same value again"
            f"{near}."
        )
    yield _left_out(facts)


def checks(facts: Facts) -> list[str]:
    """The hidden checks with their numbers."""
    return [
        f"{many} {kind if many != 1 else _one_of(kind)}"
        for kind, many in facts.checks.items()
        if many
    ]


def _one_of(kind: str) -> str:
    return f"{kind[:-3]}y" if kind.endswith("ies") else kind.removesuffix("s")


def _left_out(facts: Facts) -> str:
    """What is excluded, by kind, reason and rule; the number alone where reasons are unknown."""
    groups: dict[tuple[str, str, str, bool], list[str]] = {}
    for one in facts.design.exclusions:
        key = (one.kind, one.reason, one.rule, one.withdrawal)
        groups.setdefault(key, []).append(one.since)
    counts = Counter(one.kind for one in facts.design.exclusions)
    parts = [
        f"{counted(len(since), _kind(kind))} ({_why(reason, rule, withdrawal)}, since "
        f"{_span(since)})"
        for (kind, reason, rule, withdrawal), since in groups.items()
    ]
    for kind, many in facts.excluded.items():
        if many > counts[kind]:
            parts.append(counted(many - counts[kind], _kind(kind)))
    if not parts:
        return "Nothing was excluded."
    return f"Excluded from all statistics and counts: {'; '.join(parts)}."


def _kind(kind: str) -> str:
    return "text" if kind == "substitution" else kind


def _why(reason: str, rule: str, withdrawal: bool) -> str:
    if withdrawal:
        return "withdrawn by their own wish"
    by = f'by the rule "{rule}"' if rule else "by the researchers"
    return f"{by}: {reason.strip().rstrip('.')}" if reason.strip() else by


def _span(since: Sequence[str]) -> str:
    first, last = min(since), max(since)
    return first if first == last else f"{first} to {last}"
