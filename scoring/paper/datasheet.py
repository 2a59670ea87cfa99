"""A human evaluation datasheet after HEDS (Shimorina and Belz 2022, The Human Evaluation
Datasheet). Answers that the campaign records are filled in; the others are marked for the authors.

The sections follow HEDS; the questions are paraphrased.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.paper.facts import Facts, ScaleFacts
from scoring.paper.methods import counted, joined

AUTHORS = "TO BE FILLED IN BY THE AUTHORS"
Report = Mapping[str, Any]


def datasheet(facts: Facts, agreement: Report, *, names: Mapping[str, str], signature: str) -> str:
    """Return the datasheet in Markdown. names: printed names of the agreement coefficients."""
    sections = (
        ("1. Paper and resources", _paper(facts, signature)),
        ("2. What was evaluated", _systems(facts)),
        ("3. Sample, evaluators, design", _design(facts)),
        *(
            (f"4. Quality criterion: {scale.name}", _criterion(scale, agreement, names))
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
    yield "Data and code available at", AUTHORS
    yield "Campaign", f"{facts.name} ({facts.slug})"
    yield "Software", signature
    yield "Contact", AUTHORS


def _systems(facts: Facts) -> Answers:
    yield "Input of the systems", "a phrase in a sentence"
    yield "Output of the systems", "a paraphrase of the phrase, shown in its place"
    yield "Task", "paraphrase generation (phrase substitution)"
    yield "Languages", AUTHORS
    yield "Systems", joined(facts.systems) if facts.systems else "none: texts without system labels"


def _design(facts: Facts) -> Answers:
    yield "Number of outputs", counted(facts.texts, "distinct text")
    yield "Contexts", f"{counted(facts.items, 'sentence')}, {counted(facts.phrases, 'phrase')}"
    yield "How the outputs were selected", AUTHORS
    yield "Statistical power and choice of sample size", AUTHORS
    yield "Number of evaluators", _listed(facts.annotators, f"{facts.n_annotators}: ") or "0"
    yield "Evaluators are", _who(facts)
    yield "Recruitment and payment", AUTHORS
    yield "Training", _training(facts)
    yield "Background questions", joined(facts.background) if facts.background else "none"
    version = facts.guideline_version
    yield "Instructions", f"guidelines, version {version}" if version else "none"
    yield "How responses were collected", _interface(facts)
    yield "Planned judgments per text", str(facts.per_sheet)
    yield "Quality assurance", _checks(facts)
    yield "Excluded", _listed(facts.excluded) or "nothing"
    yield "Withdrawn", counted(facts.withdrawn, "evaluator")
    yield "Preregistration", AUTHORS


def _listed(many: Mapping[str, int], before: str = "") -> str:
    told = [f"{number} {kind}" for kind, number in sorted(many.items()) if number]
    return before + joined(told) if told else ""


def _who(facts: Facts) -> str:
    if not facts.simulated:
        return AUTHORS
    if facts.simulated == facts.n_annotators:
        return "all SIMULATED by a program: this is not a human evaluation"
    return f"{facts.simulated} of {facts.n_annotators} SIMULATED by a program; the rest: {AUTHORS}"


def _training(facts: Facts) -> str:
    if not facts.practice_required or facts.practice_share is None:
        return "none required"
    return (
        "practice with feedback on each answer, then a test; "
        f"pass mark {facts.practice_share:.0%} correct"
    )


def _interface(facts: Facts) -> str:
    if not facts.in_browser:
        return f"imported judgments; {AUTHORS}"
    shown = "one substitution at a time" if facts.layout == "single" else "all its substitutions"
    most = f"; at most {facts.max_per_sheet} texts on a sheet" if facts.max_per_sheet else ""
    return (
        f"paraanno, in a browser: the original sentence and, below, {shown}; system names, metric "
        "scores and other evaluators' judgments are hidden; presentation order is random for each "
        f"evaluator{most}"
    )


def _checks(facts: Facts) -> str:
    told = [f"{many} {kind}" for kind, many in facts.checks.items() if many]
    told += facts.rules
    return joined(told) if told else "none"


def _criterion(scale: ScaleFacts, agreement: Report, names: Mapping[str, str]) -> Answers:
    yield "Name", scale.name
    yield "Definition, as shown to evaluators", scale.question or AUTHORS
    yield "Type", "absolute, one text at a time; intrinsic"
    yield (
        "Scale",
        (
            f"{scale.level}, {scale.size} values from {scale.minimum:g} to {scale.maximum:g}, "
            f"{'higher' if scale.higher_is_better else 'lower'} is better"
        ),
    )
    for value, label, definition in scale.points:
        yield f"Point {value:g}", ": ".join(part for part in (label, definition) if part) or "–"
    yield (
        "Aggregation",
        "mean over evaluators" + (f"; a judgment passes at {scale.passes}" if scale.passes else ""),
    )
    block = agreement["scales"].get(scale.name, {})
    for key, what in (
        ("percent_agreement", "Agreement between evaluators"),
        ("alpha_ordinal", "Agreement"),
        ("icc_2_1", "Reliability of one rating"),
        ("icc_2_k", "Reliability of the mean"),
    ):
        found = block.get(key)
        if found is not None:
            yield f"{what}, {names[key]}", _value(found)
    yield "Intra-evaluator agreement", AUTHORS


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
    yield "Ethics approval", AUTHORS
    yield (
        "Consent",
        (
            f"obtained before the first sheet, version {facts.consent_version}"
            if facts.consent_version
            else f"no consent text in the campaign; {AUTHORS}"
        ),
    )
    yield (
        "Personal data",
        (
            "evaluators are identified by codes; background answers are stored under the code"
            if facts.background
            else "evaluators are identified by codes; no background questions were asked"
        ),
    )
    yield "Potentially harmful content", AUTHORS
