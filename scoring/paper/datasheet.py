"""A human evaluation datasheet after HEDS 3.0 (Belz and Thomson 2025) to be read, and as the file
that the form of HEDS loads. Answers that the campaign records are filled in.

Numbers are those of HEDS; the questions are paraphrased.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.paper.collection import (
    checks,
    collected,
    consent,
    contexts,
    counted,
    guidelines,
    joined,
    languages,
)
from scoring.paper.facts import NOT_REPORTED, Facts, ScaleFacts, drawn_from
from scoring.paper.heds import (
    FORM,
    OF_CRITERION,
    OTHER,
    PLACES,
    QUESTIONS,
    Answers,
    SheetAnswer,
    SheetQuestion,
    heds_json,
    place_of,
)
from scoring.paper.methods import agreement_keys
from scoring.paper.tables import how_or_why, reasons_of

Report = Mapping[str, Any]

# What a campaign and its researchers answer to the questions; the rest is open. Answers about a
# criterion are about one scale. Of judgments that were imported the product knows neither interface
# nor conditions.


MOST_CHOSEN = 9  # Values of a scale that are chosen; those of a larger one are typed.
PHRASE, SENTENCE, PARAPHRASING, NONE_OF_THEM, OTHER_FEEDBACK = 4, 5, 13, 5, 4
AUTOMATIC, EXCLUDES, SOME_EXCLUDED = 2, 4, 5
SUBJECTIVE, ABSOLUTE, RELATIVE, INTRINSIC = 2, 1, 2, 1
CHOICES, OTHER_SCALE, ESTIMATION, LABELLING = 1, 5, 2, 7
NOT_ASSESSED = "IntraAA not assessed"
REPORTED = (
    "percent_agreement",
    "within_one",
    "cohen_kappa_pooled_quadratic",
    "alpha_nominal",
    "alpha_ordinal",
    "alpha_interval",
    "gwet_ac2",
)
DIFFERENCES = (
    "differences between systems by permutation tests that swap systems in whole phrases, or "
    "items, adjusted over all pairs by step-down max-T (Westfall and Young 1993)"
)
NO_REPORT: Report = {"systems": {}}


def answers_of(facts: Facts, signature: str) -> dict[str, SheetAnswer]:
    """Answers by number of the question, without those about criteria."""
    answers = {
        "1.1.2": _experiment(facts, signature),
        **_systems(facts),
        "3.1.1": _outputs(facts),
        "3.1.2": SheetAnswer(facts.answers.get("texts", "")),
        **_evaluators(facts),
        **_quality(facts),
        "3.3.2": SheetAnswer(" ".join(collected(facts))),
        "5.1": SheetAnswer(facts.answers.get("ethics", "")),
    }
    if facts.in_browser:
        answers |= _interface(facts)
    return {number: one for number, one in answers.items() if one.text or one.ticked}


def _experiment(facts: Facts, signature: str) -> SheetAnswer:
    scales = joined([scale.name for scale in facts.scales]) if facts.scales else "no scale"
    systems = f" of {counted(len(facts.systems), 'system')}" if facts.systems else ""
    return SheetAnswer(
        f"{facts.name} ({facts.slug}): ratings of {scales} for "
        f"{counted(facts.texts, 'text')}{systems}, for {contexts(facts)}; "
        f"analysed with {signature}"
    )


def _systems(facts: Facts) -> dict[str, SheetAnswer]:
    kinds = [PHRASE] if facts.items > facts.design.whole or not facts.design.whole else []
    units = (*kinds, *([SENTENCE] if facts.design.whole else []))
    named = [name for name in facts.design.languages if name]
    places = sorted({place_of(name) for name in named})
    text = joined(languages(facts)) if OTHER in places else ""
    spoken = SheetAnswer(text, tuple(places))
    return {
        "2.1": SheetAnswer("", units),
        "2.2": SheetAnswer("", units),
        "2.3": SheetAnswer("", (PARAPHRASING,)),
        "2.4": spoken,
        "2.5": spoken,
    }


def _outputs(facts: Facts) -> SheetAnswer:
    made = facts.design.outputs
    if not made:
        return SheetAnswer(f"{counted(facts.texts, 'text')} without system labels")
    if len(set(made.values())) == 1:
        return SheetAnswer(str(next(iter(made.values()))))
    each = "; ".join(f"{label} {n}" for label, n in sorted(made.items()))
    return SheetAnswer(
        f"{each} (distinct texts; equal texts of several systems are judged once, and not every "
        "system gave a text for every item)"
    )


def _evaluators(facts: Facts) -> dict[str, SheetAnswer]:
    people = facts.n_annotators - facts.simulated
    identified = not facts.annotators.get("anonymous")
    background = list(facts.design.background)
    if facts.simulated:
        what = f"{facts.simulated} of {facts.n_annotators} SIMULATED by a program"
        only = ": this is not a human evaluation"
        background.insert(0, what if people else f"all {what}{only}")
    elif identified and not background and facts.in_browser:
        background = ["not asked"]
    return {
        "3.2.1": SheetAnswer(str(people) if identified else ""),
        "3.2.2.1": SheetAnswer(EXPERTISE.get(facts.answers.get("kind", ""), "")),
        "3.2.2.2": SheetAnswer(_both(facts.pay, facts.answers.get("pay", ""))),
        "3.2.3": SheetAnswer(_both(facts.panels, facts.answers.get("annotators", ""))),
        "3.2.4": _training(facts),
        "3.2.5": SheetAnswer("; ".join(background)),
    }


EXPERTISE = {"experts": "experts", "crowd": "crowd workers", "others": "not experts by profession"}


def _both(recorded: Sequence[str], answer: str) -> str:
    return "; ".join([*recorded, *([answer] if answer else [])])


def _training(facts: Facts) -> SheetAnswer:
    """What the software gave to those who judged in it, and what the researchers say."""
    parts = []
    if facts.guidelines:
        parts.append(guidelines(facts))
    if facts.in_browser and facts.practice_required and facts.practice_share is not None:
        parts.append(
            "practice with feedback on each answer, then a test; "
            f"pass mark {facts.practice_share:.0%} correct"
        )
    own = facts.answers.get("instructions", "")
    nothing = facts.only_in_browser and not parts and not own
    return SheetAnswer(_both(parts, own) or ("none in paraanno" if nothing else ""))


def _quality(facts: Facts) -> dict[str, SheetAnswer]:
    hidden, ruled = checks(facts), [one for one in facts.design.exclusions if one.rule]
    tested = facts.in_browser and facts.practice_required
    rules = facts.rules if facts.in_browser else ()
    ticked = [AUTOMATIC] if hidden or rules else []
    ticked += [EXCLUDES] if tested or any("exclude who" in one for one in rules) else []
    ticked += [SOME_EXCLUDED] if ruled else []
    where = "hidden among the sheets" if facts.in_browser else "texts for quality control"
    parts = [f"{where}: {joined(hidden)}"] if hidden else []
    parts += [f"rules: {'; '.join(rules)}"] if rules else []
    parts += ["a test before the first sheet"] if tested else []
    parts += [f"excluded: {one}" for one in excluded(facts)]
    if not parts and facts.only_in_browser:
        parts = ["no checks, rules or test in the software"]
    return {
        "3.3.3.1": SheetAnswer("", tuple(ticked)),
        "3.3.3.2": SheetAnswer(". ".join(one[:1].upper() + one[1:] for one in parts)),
    }


def excluded(facts: Facts) -> Iterator[str]:
    """Every exclusion in force with its reason."""
    for one in facts.design.exclusions:
        by = "own wish" if one.withdrawal else f'rule "{one.rule}"' if one.rule else "researchers"
        yield f"{one.kind} {one.name} since {one.since} ({by}: {one.reason})"


def _part(facts: Facts) -> str:
    """What begins an answer about those who judged here, where others did elsewhere."""
    return "" if facts.only_in_browser else "Of the judgments given in paraanno: "


def _interface(facts: Facts) -> dict[str, SheetAnswer]:
    """Of those who judged here; the conditions of others are not known."""
    part = _part(facts)
    shown = "one paraphrase at a time" if facts.layout == "single" else "its paraphrases"
    most = f", at most {facts.max_per_sheet} on a sheet" if facts.max_per_sheet else ""
    guided = "the guidelines, " if facts.guidelines else ""
    return {
        "3.3.4.2": SheetAnswer(
            f"{part}the original and, below, {shown}{most}, with the scales, their labels and "
            f'anchors; {guided}and a button for "cannot judge". System names, metric '
            "scores and other evaluators' judgments are hidden; the order of presentation is "
            "random for each evaluator"
        ),
        "3.3.5": SheetAnswer(
            f"{part}The software sets no time limit; a sheet that is not finished is given to "
            "others after a while",
            (NONE_OF_THEM,),
        ),
        "3.3.6": SheetAnswer(
            f"{part}Evaluators can flag a text and comment on it at any time", (OTHER_FEEDBACK,)
        ),
    }


def criterion_of(
    facts: Facts,
    scale: ScaleFacts,
    agreement: Report,
    names: Mapping[str, str],
    results: Report = NO_REPORT,
) -> dict[str, SheetAnswer]:
    """Answers about one scale by number of the question."""
    chosen = scale.size <= MOST_CHOSEN
    many = facts.texts > facts.items and facts.layout != "single"
    labelled = scale.level == "nominal"
    answers = {
        "4.2.1": SheetAnswer("", (SUBJECTIVE,)),
        "4.2.3": SheetAnswer("", (INTRINSIC,)),
        "4.3.1.1": SheetAnswer(scale.name),
        "4.3.3": SheetAnswer(str(scale.size)),
        "4.3.4": SheetAnswer(_values(scale)),
        "4.3.6": SheetAnswer("N/A"),
        "4.3.8": SheetAnswer("", (LABELLING if labelled else ESTIMATION,)),
        "4.3.9": SheetAnswer(_aggregated(scale, labelled=labelled)),
        "4.3.10": SheetAnswer(_tests(scale, results)),
        **_agreement(scale, agreement["scales"].get(scale.name, {}), names),
        **_again(facts, scale, labelled=labelled),
    }
    if facts.in_browser:  # What others were asked is not known.
        part = _part(facts)
        values = [_point(*point) for point in scale.points]
        defined = "; ".join([scale.question, *values]).strip("; ") or "no definition given"
        answers["4.3.2"] = SheetAnswer(f"{part}{defined}")
        answers["4.3.7"] = SheetAnswer(f"{part}{scale.question or scale.name}")
    if facts.only_in_browser:
        answers["4.2.2"] = SheetAnswer("", (RELATIVE if many else ABSOLUTE,))
        answers["4.3.5"] = (
            SheetAnswer("", (CHOICES,))
            if chosen
            else SheetAnswer("A number is typed", (OTHER_SCALE,))
        )
    return {number: one for number, one in answers.items() if one.text or one.ticked}


def _tests(scale: ScaleFacts, results: Report) -> str:
    """How intervals and differences were made, in the words of the results."""
    of = [one["scales"].get(scale.name, {}) for one in results["systems"].values()]
    drawn = [one.get(f"{key}_bootstrap") for key in ("mean", "pass") for one in of]
    given, missing = how_or_why(one for one in drawn if one)
    parts = [f"intervals: {'; '.join([*given, *missing])}"] if given or missing else []
    parts += [DIFFERENCES] if results.get("clusters") else []
    return "; ".join(parts) or ("not applicable: fewer than two systems" if of else "")


def _point(value: float, label: str, definition: str) -> str:
    return f"{value:g} = " + (": ".join(part for part in (label, definition) if part) or "–")


def _values(scale: ScaleFacts) -> str:
    better = "higher" if scale.higher_is_better else "lower"
    direction = "" if scale.level == "nominal" else f", {better} is better"
    return (
        f"{scale.minimum:g} to {scale.maximum:g} in steps of {scale.step:g} ({scale.level}"
        f"{direction})"
    )


def _aggregated(scale: ScaleFacts, *, labelled: bool) -> str:
    passes = f"; share of judgments that pass ({scale.passes})" if scale.passes else ""
    return f"{'share of each value' if labelled else 'mean over evaluators'}{passes}"


def _agreement(
    scale: ScaleFacts, block: Report, names: Mapping[str, str]
) -> dict[str, SheetAnswer]:
    keys = agreement_keys(block) if "specific" in block else (*REPORTED, *_icc(block))
    coefficients = {names[key]: block[key] for key in keys if key in names and key in block}
    each = block.get("specific", {})
    coefficients |= {f"Agreement on {scale.called(value)}": one for value, one in each.items()}
    return {
        "4.3.11.1": SheetAnswer("; ".join(coefficients)),
        "4.3.11.2": SheetAnswer(
            "; ".join(f"{name}: {value_of(one)}" for name, one in coefficients.items())
        ),
    }


def _icc(block: Report) -> list[str]:
    """The intraclass correlation of one rating in the form that exists, and that of the mean."""
    keys = [key for key in agreement_keys(block) if key.startswith("icc_")]
    return [*keys, *(f"{key[:-1]}k" for key in keys)]


def value_of(estimate: Report) -> str:
    """A coefficient with its interval, or why it is undefined."""
    if estimate["value"] is None:
        return str(estimate["reason"])
    if estimate.get("ci_low") is None:
        why = "".join(f"; {one}" for one in reasons_of([estimate]))
        return f"{estimate['value']:.3f} (n = {estimate['n']}{why})"
    return (
        f"{estimate['value']:.3f} [{estimate['ci_low']:.3f}, {estimate['ci_high']:.3f}], "
        f"for {estimate['generalises_to']} (n = {estimate['n']})"
    )


def _again(facts: Facts, scale: ScaleFacts, *, labelled: bool) -> dict[str, SheetAnswer]:
    one = facts.design.repeats.get(scale.name)
    if one is None:
        return {"4.3.12.1": SheetAnswer(NOT_ASSESSED), "4.3.12.2": SheetAnswer(NOT_ASSESSED)}
    repeated = f"{counted(one.n, 'judgment')} repeated by the same evaluator, unannounced"
    if labelled:
        return {
            "4.3.12.1": SheetAnswer(f"{repeated}: share with the same value"),
            "4.3.12.2": SheetAnswer(f"{one.equal:.3f} the same"),
        }
    return {
        "4.3.12.1": SheetAnswer(
            f"{repeated}: shares with the same value, and at most one point from it"
        ),
        "4.3.12.2": SheetAnswer(f"{one.equal:.3f} the same, {one.within:.3f} within one point"),
    }


# The sheet.


LANGUAGES = {place: code for code, place in PLACES.items()}
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
