"""The file that the form of HEDS 3.0 loads (github.com/nlp-heds/nlp-heds.github.io, index.html):
`importJson` puts every key into the browser's store, and a field reads `data` of its own key, under
the criterion that is shown or, outside of section 4, under the empty name."""

from scoring.paper import ScaleFacts, datasheet_json
from scoring.paper.heds import CRITERIA
from tests.scoring.paper.campaign import AGREEMENT, MEANING, NAMES, facts
from tests.scoring.paper.test_datasheet import DESIGN

KINDS = ScaleFacts("KIND & SORT", "Which?", "nominal", 1, 3, 1, True, None)


def form(**changes):
    told = facts(**{"scales": (MEANING, KINDS), "design": DESIGN, **changes})
    return datasheet_json(told, AGREEMENT, names=NAMES, signature="paraanno 9")


def shown(found, element, criterion=""):
    """What the form's field reads: `dict["data"][curr]`."""
    return found.get(element, {"data": {}})["data"].get(criterion)


def test_every_field_has_the_parts_that_the_form_reads():
    for element, kept in form().items():
        assert element.startswith("heds-")
        assert isinstance(kept["data"], dict) and isinstance(kept["control"], dict)
        if element != CRITERIA:
            assert kept["data"] and kept["control"] == {}
            assert kept["number"][0] in "12345"


def test_texts_options_and_what_is_said_of_them():
    found = form()
    design = "heds-sample_evaluators_design"
    assert shown(found, f"{design}-evaluators-number_of_evaluators") == "2"  # Digits alone.
    assert shown(found, "heds-system-tasks-13") is True
    assert found["heds-system-tasks-13"]["text"] == {"": "13. Paraphrasing/lossless simplification"}
    # "41. English" and "89. Korean" of the form: its first option is "not applicable".
    languages = [name for name in found if name.startswith("heds-system-input_languages")]
    assert languages == ["heds-system-input_languages-42", "heds-system-input_languages-90"]
    questions = f"{design}-experimental_design-evaluators_can_ask_questions"
    assert shown(found, f"{questions}-4") is True
    assert "comment" in shown(found, f"{questions}-other_text")


def test_a_language_that_the_form_does_not_list_is_named():
    found = form(design=type(DESIGN)(languages={"gsw": 3}))
    assert shown(found, "heds-system-output_languages-185") is True
    assert shown(found, "heds-system-output_languages-other_text") == "gsw"


def test_criteria_have_their_own_answers_and_the_first_is_shown():
    found = form()
    # The form makes buttons of the names, and reads them back as HTML.
    assert found[CRITERIA]["control"] == {"MEANING": True, "KIND and SORT": False}
    asked = f"{CRITERIA}-response_elicitation"
    assert shown(found, f"{asked}-size_of_scale", "MEANING") == "5"
    assert shown(found, f"{asked}-size_of_scale", "KIND and SORT") == "3"
    assert shown(found, f"{asked}-form_of_response-2", "MEANING") is True
    assert shown(found, f"{asked}-form_of_response-2", "KIND and SORT") is None
    assert shown(found, f"{asked}-form_of_response-7", "KIND and SORT") is True


def test_what_the_authors_have_to_answer_is_left_to_the_form():
    found = form()
    assert not [name for name in found if name.startswith("heds-ethics")]
    assert "TO BE FILLED IN" not in str(found)
