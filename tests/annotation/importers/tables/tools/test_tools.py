"""Files of other tools: what comes out of each, and what asks."""

import csv
import io

import pytest

from annotation.importers.judgments import read_judgments
from tests.annotation.importers.tables.tools.checking import (
    asks,
    check,
    inspected,
    rows,
    table,
    values,
    zipped,
)
from tests.annotation.importers.tables.tools.tool_files import FILES


@pytest.mark.parametrize("name", FILES)
def test_what_comes_out(name):
    check(name)


PAIR = {"original": "It is so.", "paraphrase": "So it is."}


def argilla(**status):
    one = {"value": 4, "user_id": "u", **status}
    responses = {"meaning": [one], "grammar": [{**one, "value": 2}]}
    return [{"id": "r", "fields": PAIR, "metadata": {}, "responses": responses}]


def test_a_status_decides():
    """A response without one asks; a draft is no judgment."""
    given = {("u", "So it is.", "MEANING"): 4, ("u", "So it is.", "GRAMMAR"): 2}
    assert values(argilla(status="submitted")) == given
    assert "handed in" in asks(table(argilla()))
    assert "nobody has judged" in table(argilla(status="draft"))


def doccano(labels):
    text, original = PAIR["paraphrase"], PAIR["original"]
    return {"id": 1, "text": text, "original": original, "label": labels, "Comments": []}


@pytest.mark.parametrize(
    ("labels", "result"),
    [
        (["MEANING 4", "grammar_3"], {"MEANING": 4, "GRAMMAR": 3}),
        ("GRAMMAR-2#MEANING:5", {"MEANING": 5, "GRAMMAR": 2}),
        (["MEANING 4", "MEANING 5"], "asks"),
        (["MEANING good"], "asks"),
        (["4"], "asks"),
    ],
)
def test_labels(labels, result):
    data = zipped({"bo.json": [doccano(labels)], "admin.json": [doccano([])]})
    seen = inspected(data, "d.zip", "judgments")
    if result == "asks":
        assert asks(seen)
    else:
        given = rows(data, "d.zip", seen, read_judgments)
        assert {one.scale: one.value for one in given} == result
        assert {one.annotator for one in given} == {"bo"} and "admin" in str(seen.ledger.line)


def test_tables_that_have_nothing_to_do_with_it():
    """Files of one zip that are no export of one project, and a table with a column label."""
    assert "doccano" not in str(
        inspected(
            zipped({"a/x.json": [doccano([])], "b/y.json": [{"id": 1}]}), "z.zip", "items"
        ).tool
    )
    assert inspected(b"id,text,label\n1,It is so.,4\n", "t.csv", "items").tool == ""


def test_a_plain_table_is_left_to_the_table():
    assert table([{**PAIR, "meaning": 3}]).tool == ""


def test_lists_of_different_lengths_are_no_judgments():
    seen = table([{**PAIR, "annotators": ["a", "b"], "meaning": [4]}])
    assert isinstance(seen, str) or asks(seen)


@pytest.mark.parametrize(
    "features",
    ["features: [words]", "features: [{name: meaning, dtype: {class_label: {names: {a: b}}}}]"],
)
def test_a_card_that_says_nothing_of_use_is_no_obstacle(features):
    card = f"---\ndataset_info:\n  {features}\n---\n"
    data = zipped({"README.md": card, "train.jsonl": {**PAIR, "meaning": 3}})
    assert not isinstance(inspected(data, "set.zip", "items"), str)


def test_a_prediction_of_label_studio_is_no_annotation():
    rating = {"from_name": "meaning", "to_name": "t", "type": "rating", "value": {"rating": 4}}
    task = {"id": 5, "data": PAIR, "annotations": [], "predictions": [{"result": [rating]}]}
    assert "nobody has judged" in table([task])


def test_submitted_work_of_mechanical_turk_counts_and_rejected_does_not():
    texts = {f"Input.{name}": text for name, text in PAIR.items()}
    submitted = {"WorkerId": "W", "AssignmentStatus": "Submitted", **texts, "Answer.meaning": 3}
    assert values([submitted])
    rejected = submitted | {"AssignmentStatus": "Rejected"}
    assert "nobody has judged" in table([rejected])


def potato(labels, reached=0):
    return {
        "user_id": "bo",
        "instance_id_ordering": ["a", "b"],
        "current_instance_index": reached,
        "instance_id_to_label_to_value": labels,
    }


TEXTS = [{"id": one, "original": f"It is {one}.", "paraphrase": f"So it is {one}."} for one in "ab"]


@pytest.mark.parametrize(
    ("labels", "reached", "result", "skips"),
    [
        ({"a": [[{"schema": "MEANING", "name": "4"}, "4"]]}, 1, {"a": 4}, True),
        ({"a": [[{"schema": "MEANING", "name": "4"}, True]]}, 0, {"a": 4}, False),
        ({"a": {"MEANING": {"3": "3"}}, "b": {"MEANING": "2"}}, 1, {"a": 3, "b": 2}, False),
    ],
)
def test_states_with_the_data_of_their_project(labels, reached, result, skips):
    """A text is skipped once the annotator has gone past it, or stands at the last one."""
    data = zipped(
        {
            "p/annotation_output/bo/user_state.json": potato(labels, reached),
            "p/data/d.json": TEXTS,
        }
    )
    seen = inspected(data, "p.zip", "judgments")
    given = {
        one.target.paraphrase[-2]: one.value for one in rows(data, "p.zip", seen, read_judgments)
    }
    assert given == result and ("skipped" in str(seen.ledger.line)) == skips


def test_two_values_of_one_scheme_ask():
    labels = {"a": {"MEANING": {"3": "3", "4": "4"}}}
    data = zipped({"s/user_state.json": potato(labels), "d.json": TEXTS})
    assert "MEANING" in asks(inspected(data, "p.zip", "judgments"))


def prodigy(accept, person="d-bo"):
    return {
        "text": PAIR["paraphrase"],
        "meta": {"original": PAIR["original"]},
        "accept": accept,
        "answer": "accept",
        "_input_hash": 1,
        "_task_hash": 2,
        "_annotator_id": person,
    }


def test_names_of_people_lose_the_name_of_the_data_set():
    given = values([prodigy(["MEANING_4"]), prodigy(["MEANING_2"], "d-cy")])
    assert given == {("bo", "So it is.", "MEANING"): 4, ("cy", "So it is.", "MEANING"): 2}
    assert values([prodigy(["MEANING_4"])]) == {("d-bo", "So it is.", "MEANING"): 4}
    assert values([prodigy(["MEANING_4"], "a-1"), prodigy(["MEANING_4"], "b-1")]).keys() == {
        (who, "So it is.", "MEANING") for who in ("a-1", "b-1")
    }


def test_what_is_chosen_without_a_scale_asks():
    assert "accept" in asks(table([prodigy(["4"])]))
    assert values([prodigy(["4"])], scales=["Q"]) == {("d-bo", "So it is.", "Q"): 4}


def test_a_code_of_participants_names_who_answered_a_form():
    """Not the row; and quotation marks around all texts are no part of them."""
    shown = "1. Original: «It is {0}.» Paraphrase: «{0} it is.» [{1}]"
    heads = [
        shown.format(word, scale) for word in ("so", "not") for scale in ("MEANING", "GRAMMAR")
    ]
    lines = [["Timestamp", "Participant code", *heads]]
    lines += [[f"2025-03-0{day} 10:00:00", f"P{day}", 4, 5, 1, 2] for day in (1, 2)]
    data = "\n".join(",".join(f'"{cell}"' for cell in line) for line in lines).encode()
    found = rows(data, "form.csv", inspected(data, "form.csv", "judgments"), read_judgments)
    assert {(one.annotator, one.target.paraphrase) for one in found} == {
        (person, text) for person in ("P1", "P2") for text in ("so it is.", "not it is.")
    }


HEADS = (
    ("Original: {0}\n\nHow well is the meaning kept? - {1}", "Original: {0}\n\nHow natural? - {1}"),
    ("Bedeutung (1 = gar nicht) – Original: „{0}“: {1}", "Natürlichkeit – Original: „{0}“: {1}"),
    ("Phrase originale : « {0} » Le sens ?\n{1}", "Phrase originale : « {0} » Fluide ?\n{1}"),
)


@pytest.mark.parametrize("heads", HEADS)
def test_headings_of_a_survey_show_the_texts(heads):
    """In one row, in the second, or the original above and the paraphrases below it."""
    pairs = [
        (f"{word} left - at last.", f"{new} of {word}: good.")
        for word in ("Anna", "Ben")
        for new in ("The end", "No more")
    ]
    shown = [head.format(*pair) for pair in pairs for head in heads]
    head = [["ID", *("Q" * len(shown))], ["Your number", *shown]]
    if "\n{1}" in heads[0]:
        upper = [one.partition("\n")[0] for one in shown]
        head = [["Respondent ID", *upper], ["", *(one.partition("\n")[2] for one in shown)]]
    data = io.StringIO()
    csv.writer(data).writerows([*head, ["p1", *range(1, 9)], ["p2", -9, *range(2, 9)]])
    data = data.getvalue().encode()
    seen = inspected(
        data, "s.csv", "judgments", scales := ["MEANING", "natural", "Natürlichkeit", "Fluide"]
    )
    given = rows(data, "s.csv", seen, read_judgments)
    kept = [one for one in given if one.annotator == "p1"]
    assert seen.tool == "Survey" and [one.value for one in given].count(None) == 1
    assert [(one.target.sentence, one.target.paraphrase) for one in kept][::2] == pairs
    assert [one.value for one in kept] == [*range(1, 9)] and {one.scale for one in kept} < {*scales}


def test_answers_of_numbered_texts_are_all_read_also_where_people_agree():
    row = {"annotation_id": 1, "annotator": "a", "created_at": "", "updated_at": "", "lead_time": 1}
    row |= {"original": "It is so.", "paraphrase_1": "So it is.", "paraphrase_2": "It so is."}
    answered = [
        {**row, "id": 7, "annotator": who, "MEANING_1": point, "MEANING_2": 3}
        for who, point in (("a", 4), ("b", 2))
    ]
    assert {one[1:]: value for one, value in values(answered).items() if one[0] == "a"} == {
        ("So it is.", "MEANING"): 4,
        ("It so is.", "MEANING"): 3,
    }


def test_scores_of_each_text_by_each_person_are_read():
    texts = {
        "source": "It is so.",
        "paraphrases": ["So it is.", "It so is."],
        "systems": ["A", "B"],
    }
    record = {**texts, "annotators": ["kim", "lou"], "MEANING": [[4, None], [2, 1]]}
    assert values([record], "d.json") == {
        ("kim", "So it is.", "MEANING"): 4,
        ("kim", "It so is.", "MEANING"): 2,
        ("lou", "It so is.", "MEANING"): 1,
    }
