"""The file that the form of HEDS 3.0 loads (github.com/nlp-heds/nlp-heds.github.io, index.html):
`importJson` puts every key into the browser's store, and a field reads `data` of its own key, under
the criterion that is shown or, outside of section 4, under the empty name."""

import pytest

from scoring.paper.datasheet import PHRASE, SENTENCE, answers_of, datasheet_json
from scoring.paper.facts import ScaleFacts
from scoring.paper.heds import CODES, CRITERIA, OTHER, place_of
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


# What a campaign answers to HEDS by itself; the rest is left to the authors.


def test_phrases_and_whole_sentences_are_units_of_their_own():
    units = {
        whole: answers_of(facts(items=10, design=type(DESIGN)(whole=whole)), "p")["2.1"].ticked
        for whole in (0, 4, 10)
    }
    assert units == {0: (PHRASE,), 4: (PHRASE, SENTENCE), 10: (SENTENCE,)}


def test_simulated_annotators_are_no_people():
    found = answers_of(facts(annotators={"simulated": 3}, design=DESIGN), "p")
    assert found["3.2.1"].text == "0"
    assert "SIMULATED by a program: this is not a human evaluation" in found["3.2.5"].text


def test_the_number_of_people_without_identity_is_unknown():
    assert "3.2.1" not in answers_of(facts(annotators={"anonymous": 3}, design=DESIGN), "p")


def test_outputs_are_counted_by_system_where_they_differ():
    made = {"A": 5, "B": 7}
    text = answers_of(facts(design=type(DESIGN)(outputs=made)), "p")["3.1.1"].text
    assert text.startswith("A 5; B 7 (distinct texts")
    same = answers_of(facts(design=type(DESIGN)(outputs={"A": 5, "B": 5})), "p")["3.1.1"].text
    assert same == "5"


# Languages by their place in the form of HEDS 3.0.


@pytest.mark.parametrize(
    ("language", "place"),
    [
        ("en", 42),
        ("ko", 90),
        ("en-GB", 42),
        ("KO", 90),
        ("ab", 2),
        ("zu", OTHER - 1),
        ("gsw", OTHER),
    ],
)
def test_the_place_of_a_language(language, place):
    assert place_of(language) == place


def test_no_language_is_listed_twice():
    assert len(set(CODES)) == len(CODES) == 183
