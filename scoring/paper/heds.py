"""The questions of HEDS 3.0 (Belz and Thomson 2025), and the file that its form loads.

The form (nlp-heds.github.io) keeps every field under the id of its element, and loads and saves a
JSON object of them: {id: {"data": {criterion or "": value}, "control": {}, "number": ...}}; options
have "text" as well, and "control" of the list of criteria names the one that is shown.
Questions are paraphrased here, and options are those that a campaign can answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from paraanno.common.cells import TWO_LETTERS, primary
from scoring.paper.facts import Facts, ScaleFacts
from scoring.paper.methods import checks, contexts, counted, joined, languages

FORM = "https://nlp-heds.github.io"
CRITERIA = "heds-criteria-criterion"
_PAPER, _PEOPLE = "heds-paper_and_resources", "heds-sample_evaluators_design-evaluators"
_SAMPLE = "heds-sample_evaluators_design-sample"
_DESIGN = "heds-sample_evaluators_design-experimental_design"
_NAMES = f"{_PAPER}-names_and_affiliations"
_MODE, _ASKED = f"{CRITERIA}-evaluation_mode", f"{CRITERIA}-response_elicitation"


@dataclass(frozen=True, slots=True)
class SheetQuestion:
    """A question: its number, the id of its element, what it asks, and the labels of options by
    their place in the form."""

    number: str
    element: str
    asks: str
    options: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SheetAnswer:
    """`text` for a question without options, else the options ticked and what is said of them.

    Neither: the authors have to answer.
    """

    text: str = ""
    ticked: tuple[int, ...] = ()


UNITS = {4: "Text: subsentential unit of text", 5: "Text: sentence"}
QUESTIONS = (
    SheetQuestion("1.1.1", f"{_PAPER}-paper-link", "Where the main reference can be found"),
    SheetQuestion("1.1.2", f"{_PAPER}-paper-experiment_identification", "Which experiment this is"),
    SheetQuestion("1.2", f"{_PAPER}-resources-links", "Where the resources can be found"),
    *(
        SheetQuestion(f"1.3.{at}.{part}", f"{_NAMES}-{who}-{what}", f"{whose}: {what}")
        for at, who, whose in (
            (1, "person_completing_this_sheet", "Who completes this sheet"),
            (2, "contact_author", "Contact author"),
        )
        for part, what in enumerate(("name", "affiliation", "email"), 1)
    ),
    SheetQuestion("2.1", "heds-system-input_types", "Input of the systems", UNITS),
    SheetQuestion("2.2", "heds-system-output_types", "Output of the systems", UNITS),
    SheetQuestion("2.3", "heds-system-tasks", "Task", {13: "Paraphrasing/lossless simplification"}),
    SheetQuestion("2.4", "heds-system-input_languages", "Languages of the input"),
    SheetQuestion("2.5", "heds-system-output_languages", "Languages of the output"),
    SheetQuestion("3.1.1", f"{_SAMPLE}-number_of_system_outputs", "Outputs evaluated per system"),
    SheetQuestion("3.1.2", f"{_SAMPLE}-system_output_selection", "How the outputs were selected"),
    SheetQuestion("3.1.3.1", f"{_SAMPLE}-statistical_power-method", "Method of power analysis"),
    SheetQuestion("3.1.3.2", f"{_SAMPLE}-statistical_power-value", "Statistical power"),
    SheetQuestion("3.1.3.3", f"{_SAMPLE}-statistical_power-script", "Code of the power analysis"),
    SheetQuestion("3.2.1", f"{_PEOPLE}-number_of_evaluators", "Number of evaluators"),
    SheetQuestion("3.2.2.1", f"{_PEOPLE}-evaluators-expertise", "Are they domain experts?"),
    SheetQuestion("3.2.2.2", f"{_PEOPLE}-evaluators-payment", "Were they paid?"),
    SheetQuestion(
        "3.2.2.3",
        f"{_PEOPLE}-evaluators-known_to_authors",
        "Did the authors know them?",
    ),
    SheetQuestion("3.2.2.4", f"{_PEOPLE}-evaluators-are_authors", "Were researchers among them?"),
    SheetQuestion("3.2.3", f"{_PEOPLE}-recruitment_method", "How they were recruited"),
    SheetQuestion("3.2.4", f"{_PEOPLE}-training_practice", "Training and practice"),
    SheetQuestion("3.2.5", f"{_PEOPLE}-characteristics", "Other characteristics of evaluators"),
    SheetQuestion("3.3.1", f"{_DESIGN}-preregistered", "Preregistration"),
    SheetQuestion("3.3.2", f"{_DESIGN}-collection_method", "Medium of the responses"),
    SheetQuestion(
        "3.3.3.1",
        f"{_DESIGN}-quality_assurance-method",
        "Kinds of quality assurance",
        {
            2: "Automatic quality checking methods",
            4: "Evaluators are excluded if they fail quality checks",
            5: "Some evaluations are excluded because of failed quality checks",
        },
    ),
    SheetQuestion("3.3.3.2", f"{_DESIGN}-quality_assurance-description", "Quality assurance"),
    SheetQuestion(
        "3.3.4.1",
        f"{_DESIGN}-what_evaluators_see-link",
        "Where the interface can be seen",
    ),
    SheetQuestion("3.3.4.2", f"{_DESIGN}-what_evaluators_see-description", "What evaluators see"),
    SheetQuestion(
        "3.3.5",
        f"{_DESIGN}-evaluator_freedom",
        "Freedom of when and how quickly to evaluate",
        {5: "None of the above"},
    ),
    SheetQuestion(
        "3.3.6",
        f"{_DESIGN}-evaluators_can_ask_questions",
        "Questions and feedback",
        {4: "Other"},
    ),
    SheetQuestion("3.3.7", f"{_DESIGN}-experimental_conditions", "Conditions of the evaluation"),
    SheetQuestion("3.3.8", f"{_DESIGN}-evaluators_place_of_choosing", "How the conditions vary"),
    SheetQuestion("5.1", "heds-ethics-review_body", "Research ethics committee"),
    SheetQuestion("5.2", "heds-ethics-personal_data", "Personal data"),
    SheetQuestion("5.3", "heds-ethics-special_category_data", "Special category data"),
    SheetQuestion("5.4", "heds-ethics-impact_assessments", "Impact assessments"),
)
OF_CRITERION = (
    SheetQuestion("4.1.1", f"{CRITERIA}-criteria-quality_type", "Type of quality"),
    SheetQuestion("4.1.2", f"{CRITERIA}-criteria-output_aspect", "Aspect of the output"),
    SheetQuestion("4.1.3", f"{CRITERIA}-criteria-self_vs_external_frame", "Frame of reference"),
    SheetQuestion("4.2.1", f"{_MODE}-objective_or_subjective", "Judgment", {2: "Subjective"}),
    SheetQuestion(
        "4.2.2", f"{_MODE}-absolute_or_relative", "Assessment", {1: "Absolute", 2: "Relative"}
    ),
    SheetQuestion("4.2.3", f"{_MODE}-intrinsic_or_extrinsic", "Evaluation", {1: "Intrinsic"}),
    SheetQuestion("4.3.1.1", f"{_ASKED}-qc_name-participant_criterion_name", "Name for evaluators"),
    SheetQuestion("4.3.1.2", f"{_ASKED}-qc_name-mapped_criterion_name", "Standardised name"),
    # The form itself spells it so.
    SheetQuestion(
        "4.3.2",
        f"{_ASKED}-participant_criterion_definiiton",
        "Definition for evaluators",
    ),
    SheetQuestion("4.3.3", f"{_ASKED}-size_of_scale", "Size of the scale"),
    SheetQuestion("4.3.4", f"{_ASKED}-list_or_range", "Values of the scale"),
    SheetQuestion(
        "4.3.5",
        f"{_ASKED}-scale_presented_as",
        "How the scale is presented",
        {1: "Multiple-choice options", 5: "Other"},
    ),
    SheetQuestion("4.3.6", f"{_ASKED}-task_description", "Task without a rating instrument"),
    SheetQuestion("4.3.7", f"{_ASKED}-verbatim_question", "SheetQuestion, verbatim"),
    SheetQuestion(
        "4.3.8",
        f"{_ASKED}-form_of_response",
        "Form of response",
        {2: "Direct quality estimation", 7: "Output classification or labelling"},
    ),
    SheetQuestion("4.3.9", f"{_ASKED}-response_aggregation", "Aggregation"),
    SheetQuestion("4.3.10", f"{_ASKED}-effect_size_method", "Effect size and significance"),
    SheetQuestion(
        "4.3.11.1",
        f"{_ASKED}-inter_annotator-agreement",
        "Inter-annotator agreement by",
    ),
    SheetQuestion(
        "4.3.11.2",
        f"{_ASKED}-inter_annotator-agreement_score",
        "Inter-annotator agreement",
    ),
    SheetQuestion(
        "4.3.12.1",
        f"{_ASKED}-intra_annotator-intra_annotator_agreement",
        "Intra-annotator agreement by",
    ),
    SheetQuestion(
        "4.3.12.2",
        f"{_ASKED}-intra_annotator-intra_annotator_agreement_score",
        "Intra-annotator agreement",
    ),
)
Answers = Mapping[str, SheetAnswer]


def heds_json(answers: Answers, criteria: Mapping[str, Answers]) -> dict[str, object]:
    """What the form loads: answers by number, and those about each criterion by its name.

    Questions without an answer are left out: the form marks them for the authors.
    """
    found: dict[str, object] = {}
    for question in QUESTIONS:
        found.update(_fields(question, {"": answers.get(question.number, SheetAnswer())}))
    names = {_named(name): told for name, told in criteria.items()}
    for question in OF_CRITERION:
        found.update(
            _fields(
                question,
                {name: told.get(question.number, SheetAnswer()) for name, told in names.items()},
            )
        )
    shown = {name: at == 0 for at, name in enumerate(names)}
    found[CRITERIA] = {"data": {}, "control": shown, "text": {}}
    return found


def _named(criterion: str) -> str:
    """The form reads names back from its buttons as HTML."""
    return criterion.replace("&", "and").replace("<", "(").replace(">", ")")


def _fields(
    question: SheetQuestion, told: Mapping[str, SheetAnswer]
) -> Iterable[tuple[str, object]]:
    told = {name: one for name, one in told.items() if one.text or one.ticked}
    if not told:
        return
    numbered = {"control": {}, "number": question.number}
    texts = {name: one.text for name, one in told.items() if one.text}
    ticked = sorted({place for one in told.values() for place in one.ticked})
    for place in ticked:
        chosen = [name for name, one in told.items() if place in one.ticked]
        label = question.options.get(place, "")
        yield (
            f"{question.element}-{place}",
            {
                "data": dict.fromkeys(chosen, True),
                "text": dict.fromkeys(chosen, f"{place}. {label}") if label else {},
                **numbered,
            },
        )
    if texts:
        element = f"{question.element}-other_text" if ticked else question.element
        yield element, {"data": texts, **numbered}


# The languages that the form of HEDS 3.0 lists, by their ISO 639-1 codes in its order.


# Its first option is "not applicable", its last "other".
CODES = TWO_LETTERS
PLACES = {code: at for at, code in enumerate(CODES, 2)}
OTHER = len(CODES) + 2


def place_of(language: str) -> int:
    """The option of a language in BCP 47; "other" for one that is not listed."""
    return PLACES.get(primary(language), OTHER)


# What a campaign answers to the questions of HEDS 3.0; the rest is for the authors.
#
# Answers about a criterion are about one scale. Of judgments that were imported the product knows
# neither interface nor conditions.


Report = Mapping[str, Any]
MOST_CHOSEN = 9  # Values of a scale that are chosen; those of a larger one are typed.
PHRASE, SENTENCE, PARAPHRASING, NONE_OF_THEM, OTHER_FEEDBACK = 4, 5, 13, 5, 4
AUTOMATIC, EXCLUDES, SOME_EXCLUDED = 2, 4, 5
SUBJECTIVE, ABSOLUTE, RELATIVE, INTRINSIC = 2, 1, 2, 1
CHOICES, OTHER_SCALE, ESTIMATION, LABELLING = 1, 5, 2, 7
NOT_ASSESSED = "IntraAA not assessed"
TOLD = (
    "percent_agreement",
    "within_one",
    "cohen_kappa_pooled_quadratic",
    "alpha_nominal",
    "alpha_ordinal",
    "alpha_interval",
    "gwet_ac2",
    "icc_2_1",
    "icc_2_k",
)
TESTS = (
    "Means and shares with intervals by drawing whole phrases again (percentile bootstrap); "
    "differences between systems by permutation tests that swap systems in whole phrases, "
    "adjusted over all pairs (Holm)"
)


def answers_of(facts: Facts, signature: str) -> dict[str, SheetAnswer]:
    """Answers by number of the question, without those about criteria."""
    found = {
        "1.1.2": _experiment(facts),
        **_systems(facts),
        "3.1.1": _outputs(facts),
        **_evaluators(facts),
        **_quality(facts),
    }
    if facts.in_browser:
        found |= _interface(facts, signature)
    return {number: one for number, one in found.items() if one.text or one.ticked}


def _experiment(facts: Facts) -> SheetAnswer:
    scales = joined([scale.name for scale in facts.scales]) if facts.scales else "no scale"
    systems = f" of {counted(len(facts.systems), 'system')}" if facts.systems else ""
    return SheetAnswer(
        f"{facts.name} ({facts.slug}): ratings of {scales} for "
        f"{counted(facts.texts, 'paraphrase')}{systems}, for {contexts(facts)}"
    )


def _systems(facts: Facts) -> dict[str, SheetAnswer]:
    kinds = [PHRASE] if facts.items > facts.design.whole or not facts.design.whole else []
    units = (*kinds, *([SENTENCE] if facts.design.whole else []))
    known = [name for name in facts.design.languages if name]
    places = sorted({place_of(name) for name in known})
    told = joined(languages(facts)) if OTHER in places else ""
    spoken = SheetAnswer(told, tuple(places))
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
    each = "; ".join(f"{label} {n:,}" for label, n in sorted(made.items()))
    return SheetAnswer(
        f"{each} (distinct texts; equal texts of several systems are judged once, and not every "
        "system gave a text for every item)"
    )


def _evaluators(facts: Facts) -> dict[str, SheetAnswer]:
    people = facts.n_annotators - facts.simulated
    known = not facts.annotators.get("anonymous")
    told = list(facts.design.told)
    if facts.simulated:
        what = f"{facts.simulated} of {facts.n_annotators} SIMULATED by a program"
        only = ": this is not a human evaluation"
        told.insert(0, what if people else f"all {what}{only}")
    elif known and not told and facts.in_browser:
        told = ["not asked"]
    return {
        "3.2.1": SheetAnswer(str(people) if known else ""),
        "3.2.4": _training(facts) if facts.in_browser else SheetAnswer(),
        "3.2.5": SheetAnswer("; ".join(told)),
    }


def _training(facts: Facts) -> SheetAnswer:
    told = []
    if facts.guideline_version:
        told.append(f"guidelines (version {facts.guideline_version}), at hand while rating")
    if facts.practice_required and facts.practice_share is not None:
        told.append(
            "practice with feedback on each answer, then a test; "
            f"pass mark {facts.practice_share:.0%} correct"
        )
    return SheetAnswer("; ".join(told) or "none")


def _quality(facts: Facts) -> dict[str, SheetAnswer]:
    hidden, ruled = checks(facts), [one for one in facts.design.exclusions if one.rule]
    tested = facts.practice_required
    ticked = [AUTOMATIC] if hidden or facts.rules else []
    ticked += [EXCLUDES] if tested or any("exclude who" in one for one in facts.rules) else []
    ticked += [SOME_EXCLUDED] if ruled else []
    told = [f"hidden among the sheets: {joined(hidden)}"] if hidden else []
    told += [f"rules: {'; '.join(facts.rules)}"] if facts.rules else []
    told += ["a test before the first sheet"] if tested else []
    told += [f"excluded: {one}" for one in excluded(facts)]
    if not told and facts.in_browser:
        told = ["no checks, rules or test in the software"]
    return {
        "3.3.3.1": SheetAnswer("", tuple(ticked)),
        "3.3.3.2": SheetAnswer(". ".join(one[:1].upper() + one[1:] for one in told)),
    }


def excluded(facts: Facts) -> Iterator[str]:
    """Every exclusion in force with its reason."""
    for one in facts.design.exclusions:
        by = "own wish" if one.withdrawal else f'rule "{one.rule}"' if one.rule else "researchers"
        yield f"{one.kind} {one.name} since {one.since} ({by}: {one.reason})"


def _interface(facts: Facts, signature: str) -> dict[str, SheetAnswer]:
    shown = "one paraphrase at a time" if facts.layout == "single" else "its paraphrases"
    most = f", at most {facts.max_per_sheet} on a sheet" if facts.max_per_sheet else ""
    guided = "the guidelines, " if facts.guideline_version else ""
    return {
        "3.3.2": SheetAnswer(f"{signature}, in a browser"),
        "3.3.4.2": SheetAnswer(
            f"the original and, below, {shown}{most}, with the scales, their labels and anchors; "
            f'{guided}and a button for "cannot judge". System names, metric '
            "scores and other evaluators' judgments are hidden; the order of presentation is "
            "random for each evaluator"
        ),
        "3.3.5": SheetAnswer(
            "The software sets no time limit; a sheet that is not finished is given to others "
            "after a while",
            (NONE_OF_THEM,),
        ),
        "3.3.6": SheetAnswer(
            "Evaluators can flag a text and comment on it at any time", (OTHER_FEEDBACK,)
        ),
    }


def criterion_of(
    facts: Facts, scale: ScaleFacts, agreement: Report, names: Mapping[str, str]
) -> dict[str, SheetAnswer]:
    """Answers about one scale by number of the question."""
    chosen = scale.size <= MOST_CHOSEN
    many = facts.texts > facts.items and facts.layout != "single"
    labelled = scale.level == "nominal"
    values = [_point(*point) for point in scale.points]
    found = {
        "4.2.1": SheetAnswer("", (SUBJECTIVE,)),
        "4.2.3": SheetAnswer("", (INTRINSIC,)),
        "4.3.1.1": SheetAnswer(scale.name),
        "4.3.2": SheetAnswer(
            "; ".join([scale.question, *values]).strip("; ") or "no definition given"
        ),
        "4.3.3": SheetAnswer(str(scale.size)),
        "4.3.4": SheetAnswer(_values(scale)),
        "4.3.6": SheetAnswer("N/A"),
        "4.3.7": SheetAnswer(scale.question or scale.name),
        "4.3.8": SheetAnswer("", (LABELLING if labelled else ESTIMATION,)),
        "4.3.9": SheetAnswer(_aggregated(scale, labelled=labelled)),
        "4.3.10": SheetAnswer(TESTS),
        **_agreement(scale, agreement["scales"].get(scale.name, {}), names),
        **_again(facts, scale, labelled=labelled),
    }
    if facts.in_browser:
        found["4.2.2"] = SheetAnswer("", (RELATIVE if many else ABSOLUTE,))
        found["4.3.5"] = (
            SheetAnswer("", (CHOICES,))
            if chosen
            else SheetAnswer("A number is typed", (OTHER_SCALE,))
        )
    return {number: one for number, one in found.items() if one.text or one.ticked}


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
    keys = block["leads"] if "specific" in block else TOLD
    found = {names[key]: block[key] for key in keys if key in names and key in block}
    each = block.get("specific", {})
    found |= {f"Agreement on {scale.called(value)}": one for value, one in each.items()}
    return {
        "4.3.11.1": SheetAnswer("; ".join(found)),
        "4.3.11.2": SheetAnswer(
            "; ".join(f"{name}: {value_of(one)}" for name, one in found.items())
        ),
    }


def value_of(found: Report) -> str:
    """A coefficient with its interval, or why it is undefined."""
    if found["value"] is None:
        return str(found["reason"])
    if found.get("ci_low") is None:
        return f"{found['value']:.3f} (n = {found['n']})"
    return (
        f"{found['value']:.3f} [{found['ci_low']:.3f}, {found['ci_high']:.3f}], "
        f"for {found['generalises_to']} (n = {found['n']})"
    )


def _again(facts: Facts, scale: ScaleFacts, *, labelled: bool) -> dict[str, SheetAnswer]:
    one = facts.design.repeats.get(scale.name)
    if one is None:
        return {"4.3.12.1": SheetAnswer(NOT_ASSESSED), "4.3.12.2": SheetAnswer(NOT_ASSESSED)}
    asked = f"{counted(one.n, 'judgment')} repeated by the same evaluator, unannounced"
    if labelled:
        return {
            "4.3.12.1": SheetAnswer(f"{asked}: share with the same value"),
            "4.3.12.2": SheetAnswer(f"{one.equal:.3f} the same"),
        }
    return {
        "4.3.12.1": SheetAnswer(
            f"{asked}: shares with the same value, and at most one point from it"
        ),
        "4.3.12.2": SheetAnswer(f"{one.equal:.3f} the same, {one.within:.3f} within one point"),
    }
