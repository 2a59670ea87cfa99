"""A datasheet of the evaluation after HEDS (Shimorina and Belz 2022, The Human Evaluation
Datasheet): what the campaign knows is filled in, the rest is left to the authors, and marked.

The sections follow HEDS; the questions are in our words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.paper.facts import Facts, ScaleFacts
from scoring.paper.methods import counted, joined

AUTHORS = "TO BE FILLED IN BY THE AUTHORS"
Report = Mapping[str, Any]


def datasheet(facts: Facts, agreement: Report, *, signature: str) -> str:
    """Markdown."""
    sections = (
        ("1. Paper and resources", _paper(facts, signature)),
        ("2. What was evaluated", _systems(facts)),
        ("3. Sample, evaluators, design", _design(facts)),
        *(
            (f"4. Quality criterion: {scale.name}", _criterion(scale, agreement))
            for scale in facts.scales
        ),
        ("5. Ethics", _ethics(facts)),
    )
    lines = [f"# Human evaluation datasheet: {facts.name}", ""]
    for title, answers in sections:
        lines += [f"## {title}", "", *(f"- {question}: {text}" for question, text in answers), ""]
    return "\n".join(lines)


Answers = Iterator[tuple[str, str]]


def _paper(facts: Facts, signature: str) -> Answers:
    yield "Paper", AUTHORS
    yield "Where the data and code are", AUTHORS
    yield "Campaign", f"{facts.name} ({facts.slug})"
    yield "Made with", signature
    yield "Contact", AUTHORS


def _systems(facts: Facts) -> Answers:
    yield "Input of the systems", "a phrase in a sentence"
    yield "Output of the systems", "a paraphrase of the phrase, shown in its place"
    yield "Task", "paraphrase generation (phrase substitution)"
    yield "Languages", AUTHORS
    yield "Systems", joined(facts.systems) if facts.systems else "none: texts without a system"


def _design(facts: Facts) -> Answers:
    yield "Number of outputs", counted(facts.texts, "different text")
    yield "Contexts", f"{counted(facts.items, 'sentence')}, {counted(facts.phrases, 'phrase')}"
    yield "How the outputs were chosen", AUTHORS
    yield "Statistical power, and how the size was chosen", AUTHORS
    yield "Number of evaluators", _listed(facts.annotators, f"{facts.n_annotators}: ") or "0"
    yield "Evaluators are", _who(facts)
    yield "Recruited and paid", AUTHORS
    yield "Training", _training(facts)
    yield "Asked about themselves", joined(facts.background) if facts.background else "nothing"
    version = facts.guideline_version
    yield "Instructions", f"guidelines, version {version}" if version else "none"
    yield "Responses collected with", _interface(facts)
    yield "Judgments per text, as planned", str(facts.per_sheet)
    yield "Quality assurance", _checks(facts)
    yield "Left out", _listed(facts.excluded) or "nothing"
    yield "Withdrew", counted(facts.withdrawn, "evaluator")
    yield "Registered before", AUTHORS


def _listed(many: Mapping[str, int], before: str = "") -> str:
    told = [f"{number} {kind}" for kind, number in sorted(many.items()) if number]
    return before + joined(told) if told else ""


def _who(facts: Facts) -> str:
    if not facts.simulated:
        return AUTHORS
    if facts.simulated == facts.n_annotators:
        return "SIMULATED by a program, every one: this is no human evaluation"
    return f"{facts.simulated} of {facts.n_annotators} SIMULATED by a program; the rest: {AUTHORS}"


def _training(facts: Facts) -> str:
    if not facts.practice_required or facts.practice_share is None:
        return "none required"
    return f"practice with explained answers, then a test; {facts.practice_share:.0%} right passes"


def _interface(facts: Facts) -> str:
    if not facts.in_browser:
        return f"imported from elsewhere; {AUTHORS}"
    shown = "one substitution at a time" if facts.layout == "single" else "all its substitutions"
    most = f"; at most {facts.max_per_sheet} texts on a sheet" if facts.max_per_sheet else ""
    return (
        f"paraanno, in a browser: the original sentence and, below, {shown}; never a system, a "
        f"score or another evaluator; orders are random per evaluator{most}"
    )


def _checks(facts: Facts) -> str:
    told = [f"{many} {kind}" for kind, many in facts.checks.items() if many]
    told += facts.rules
    return joined(told) if told else "none"


def _criterion(scale: ScaleFacts, agreement: Report) -> Answers:
    yield "Name", scale.name
    yield "Definition, as asked", scale.question or AUTHORS
    yield "Type", "absolute, of one text at a time; intrinsic"
    yield (
        "Scale",
        (
            f"{scale.level}, {scale.size} values from {scale.minimum:g} to {scale.maximum:g}, "
            f"{'more' if scale.higher_is_better else 'less'} is better"
        ),
    )
    for value, label, definition in scale.points:
        yield f"Point {value:g}", ": ".join(part for part in (label, definition) if part) or "–"
    yield (
        "Aggregated by",
        "mean over evaluators" + (f"; a judgment passes at {scale.passes}" if scale.passes else ""),
    )
    block = agreement["scales"].get(scale.name, {})
    for key, name in (
        ("percent_agreement", "Agreement between evaluators, percent"),
        ("alpha_ordinal", "Agreement, Krippendorff's alpha, ordinal"),
        ("icc_2_1", "Reliability of one rating, ICC(2,1)"),
        ("icc_2_k", "Reliability of the mean, ICC(2,k)"),
    ):
        found = block.get(key)
        if found is not None:
            yield name, _value(found)
    yield "Agreement of an evaluator with themselves", AUTHORS


def _value(found: Report) -> str:
    if found["value"] is None:
        return str(found["reason"])
    if found.get("ci_low") is None:
        return f"{found['value']:.3f} (n = {found['n']})"
    return (
        f"{found['value']:.3f} [{found['ci_low']:.3f}, {found['ci_high']:.3f}], "
        f"for {found['generalises_to']} (n = {found['n']})"
    )


def _ethics(facts: Facts) -> Answers:
    yield "Approved by", AUTHORS
    yield (
        "Consent",
        (
            f"asked before the first sheet, version {facts.consent_version}"
            if facts.consent_version
            else f"no consent text in the campaign; {AUTHORS}"
        ),
    )
    yield (
        "Personal data",
        (
            "evaluators appear under codes; background answers are kept with the code"
            if facts.background
            else "evaluators appear under codes; no background was asked"
        ),
    )
    yield "Harm that the texts could do", AUTHORS
