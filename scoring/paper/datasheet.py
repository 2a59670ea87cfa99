"""A human evaluation datasheet after HEDS 3.0 (Belz and Thomson 2025) to be read, and as the file
that the form of HEDS loads. Answers that the campaign records are filled in.

Numbers are those of HEDS; the questions are paraphrased.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.paper.collection import consent, joined, languages
from scoring.paper.facts import NOT_REPORTED, Facts, drawn_from
from scoring.paper.heds import (
    FORM,
    OF_CRITERION,
    PLACES,
    QUESTIONS,
    Answers,
    SheetAnswer,
    SheetQuestion,
    heds_json,
)
from scoring.paper.heds_answers import NO_REPORT, answers_of, criterion_of

LANGUAGES = {place: code for code, place in PLACES.items()}
Report = Mapping[str, Any]
SECTIONS = {
    "1": "1. Main reference and supplementary resources",
    "2": "2. Evaluated systems",
    "3": "3. Sample, evaluators and design",
    "5": "5. Ethics",
}


def datasheet(
    facts: Facts,
    agreement: Report,
    *,
    names: Mapping[str, str],
    signature: str,
    results: Report = NO_REPORT,
) -> str:
    """Return the datasheet in Markdown. names: printed names of the agreement coefficients."""
    answers = answers_of(facts, signature)
    lines = [
        f"# Human evaluation datasheet: {facts.name}",
        "",
        f"After HEDS 3.0 (Belz and Thomson 2025); {FORM} loads `heds.json`, which has the same "
        "answers.",
        "",
    ]
    for first, title in SECTIONS.items():
        if first == "5":
            for scale in facts.scales:
                criterion_answers = criterion_of(facts, scale, agreement, names, results)
                lines += _section(
                    f"4. Quality criterion: {scale.name}", OF_CRITERION, criterion_answers
                )
        questions = [question for question in QUESTIONS if question.number.startswith(first)]
        lines += _section(title, questions, answers)
    lines += [
        "## Beyond HEDS",
        "",
        f"- Software: {signature}",
        *(f"- {what}: {text}" for what, text in _beyond(facts)),
        "",
    ]
    return "\n".join(lines)


def datasheet_json(
    facts: Facts,
    agreement: Report,
    *,
    names: Mapping[str, str],
    signature: str,
    results: Report = NO_REPORT,
) -> dict[str, object]:
    """Return the file that the form loads; what nobody answered is not in it."""
    criteria = {
        scale.name: criterion_of(facts, scale, agreement, names, results) for scale in facts.scales
    }
    return heds_json(answers_of(facts, signature), criteria)


def _section(title: str, questions: Sequence[SheetQuestion], answers: Answers) -> list[str]:
    entries = (
        f"- {one.number} {one.asks}: {_answer_text(one, answers.get(one.number, SheetAnswer()))}"
        for one in questions
    )
    return [f"## {title}", "", *entries, ""]


def _answer_text(question: SheetQuestion, answer: SheetAnswer) -> str:
    ticked = [question.options.get(place, LANGUAGES.get(place, "")) for place in answer.ticked]
    parts = [*filter(None, ticked), *([answer.text] if answer.text else [])]
    return "; ".join(" ".join(part.split()) for part in parts) or NOT_REPORTED


def _beyond(facts: Facts) -> Iterator[tuple[str, str]]:
    names = languages(facts)
    yield "Languages", joined(names) if names else NOT_REPORTED
    yield "Systems", joined(facts.systems) if facts.systems else "none: texts without system labels"
    yield "Judgments of each judged text", _per_text(facts)
    if facts.in_browser:
        yield "Annotators wanted for each sheet in paraanno", str(facts.per_sheet)
    for sentence in drawn_from(facts):
        yield "Test set", sentence
    if facts.copied_from:
        yield "Pilot of" if facts.pilot else "Copied from", f"the campaign {facts.copied_from}"
    shared, every = facts.design.shared_sheets, facts.design.sheets
    if facts.in_browser:
        yield "Sheets for all evaluators", f"{shared} of {every}" if shared else "none"
    yield "Evaluators by origin", _origins(facts)
    yield "Withdrawn", f"{facts.withdrawn} of the evaluators"
    nothing = "no consent text in paraanno" if facts.only_in_browser else NOT_REPORTED
    yield "Consent", consent(facts) or nothing
    background = "answers to background questions are stored under the code"
    nothing = "no background questions were asked in paraanno"
    yield "Personal data of evaluators", f"codes; {background if facts.background else nothing}"


def _per_text(facts: Facts) -> str:
    if facts.per_text is None:
        return "none"
    least, most, middle = facts.per_text
    return f"{least}" if least == most else f"{least} to {most} (median {middle:g})"


def _origins(facts: Facts) -> str:
    origins = [f"{number} {kind}" for kind, number in sorted(facts.annotators.items()) if number]
    return joined(origins) if origins else "none"
