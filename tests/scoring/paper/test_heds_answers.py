"""What a campaign answers to HEDS by itself; the rest is left to the authors."""

from scoring.paper.datasheet import PHRASE, SENTENCE, answers_of
from tests.scoring.paper.campaign import facts
from tests.scoring.paper.test_datasheet import DESIGN


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
