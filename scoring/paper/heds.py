"""The questions of HEDS 3.0 (Belz and Thomson 2025), and the file that its form loads.

The form (nlp-heds.github.io) keeps every field under the id of its element, and loads and saves a
JSON object of them: {id: {"data": {criterion or "": value}, "control": {}, "number": ...}}; options
have "text" as well, and "control" of the list of criteria names the one that is shown.
Questions are paraphrased here, and options are those that a campaign can answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from paraanno.common.cells import TWO_LETTERS, primary

FORM = "https://nlp-heds.github.io"
CRITERIA = "heds-criteria-criterion"
_PAPER, _PEOPLE = "heds-paper_and_resources", "heds-sample_evaluators_design-evaluators"
_SAMPLE = "heds-sample_evaluators_design-sample"
_DESIGN = "heds-sample_evaluators_design-experimental_design"
_NAMES = f"{_PAPER}-names_and_affiliations"
_MODE, _ELICITATION = f"{CRITERIA}-evaluation_mode", f"{CRITERIA}-response_elicitation"


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
    SheetQuestion(
        "4.3.1.1", f"{_ELICITATION}-qc_name-participant_criterion_name", "Name for evaluators"
    ),
    SheetQuestion("4.3.1.2", f"{_ELICITATION}-qc_name-mapped_criterion_name", "Standardised name"),
    # The form itself spells it so.
    SheetQuestion(
        "4.3.2",
        f"{_ELICITATION}-participant_criterion_definiiton",
        "Definition for evaluators",
    ),
    SheetQuestion("4.3.3", f"{_ELICITATION}-size_of_scale", "Size of the scale"),
    SheetQuestion("4.3.4", f"{_ELICITATION}-list_or_range", "Values of the scale"),
    SheetQuestion(
        "4.3.5",
        f"{_ELICITATION}-scale_presented_as",
        "How the scale is presented",
        {1: "Multiple-choice options", 5: "Other"},
    ),
    SheetQuestion("4.3.6", f"{_ELICITATION}-task_description", "Task without a rating instrument"),
    SheetQuestion("4.3.7", f"{_ELICITATION}-verbatim_question", "Question, verbatim"),
    SheetQuestion(
        "4.3.8",
        f"{_ELICITATION}-form_of_response",
        "Form of response",
        {2: "Direct quality estimation", 7: "Output classification or labelling"},
    ),
    SheetQuestion("4.3.9", f"{_ELICITATION}-response_aggregation", "Aggregation"),
    SheetQuestion("4.3.10", f"{_ELICITATION}-effect_size_method", "Effect size and significance"),
    SheetQuestion(
        "4.3.11.1",
        f"{_ELICITATION}-inter_annotator-agreement",
        "Inter-annotator agreement by",
    ),
    SheetQuestion(
        "4.3.11.2",
        f"{_ELICITATION}-inter_annotator-agreement_score",
        "Inter-annotator agreement",
    ),
    SheetQuestion(
        "4.3.12.1",
        f"{_ELICITATION}-intra_annotator-intra_annotator_agreement",
        "Intra-annotator agreement by",
    ),
    SheetQuestion(
        "4.3.12.2",
        f"{_ELICITATION}-intra_annotator-intra_annotator_agreement_score",
        "Intra-annotator agreement",
    ),
)
Answers = Mapping[str, SheetAnswer]


def heds_json(answers: Answers, criteria: Mapping[str, Answers]) -> dict[str, object]:
    """What the form loads: answers by number, and those about each criterion by its name.

    Questions without an answer are left out: the form marks them for the authors.
    """
    fields: dict[str, object] = {}
    for question in QUESTIONS:
        fields.update(_fields(question, {"": answers.get(question.number, SheetAnswer())}))
    names = {_named(name): criterion for name, criterion in criteria.items()}
    for question in OF_CRITERION:
        fields.update(
            _fields(
                question,
                {
                    name: criterion.get(question.number, SheetAnswer())
                    for name, criterion in names.items()
                },
            )
        )
    shown = {name: at == 0 for at, name in enumerate(names)}
    fields[CRITERIA] = {"data": {}, "control": shown, "text": {}}
    return fields


def _named(criterion: str) -> str:
    """The form reads names back from its buttons as HTML."""
    return criterion.replace("&", "and").replace("<", "(").replace(">", ")")


def _fields(
    question: SheetQuestion, answers: Mapping[str, SheetAnswer]
) -> Iterable[tuple[str, object]]:
    answers = {name: one for name, one in answers.items() if one.text or one.ticked}
    if not answers:
        return
    numbered = {"control": {}, "number": question.number}
    texts = {name: one.text for name, one in answers.items() if one.text}
    ticked = sorted({place for one in answers.values() for place in one.ticked})
    for place in ticked:
        chosen = [name for name, one in answers.items() if place in one.ticked]
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
