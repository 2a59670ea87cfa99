from annotation.importers.tables.tools.common.answer_tables import table_of_answers
from annotation.importers.tables.tools.common.answers import DRAFT, Answered, Tool

DATA = {"original": "It is so.", "paraphrase": "So it is."}


def made(*records, what="judgments", scales=("MEANING",)):
    return table_of_answers(Tool("t"), lambda: iter(records), what, scales)


def test_columns_and_rows():
    one = Answered(3, DATA, "bo", {"Meaning": "4 good", "why": "Because it is so."}, "Yes.", "2026")
    table = made(one, Answered(4, DATA, "cy", {"Meaning": "2 bad"}, why=DRAFT))
    assert [(c.name, c.role, c.of) for c in table.columns][2:] == [
        ("Meaning", "value_of", "MEANING"),
        ("annotator", "annotator", ""),
        ("judged_at", "judged_at", ""),
        ("comment", "comment", ""),
        ("occasion", "occasion", ""),
    ]
    rows = list(table.rows())
    assert rows[1] == (3, [*DATA.values(), 4, "bo", "2026", "Yes.\nBecause it is so.", None])
    assert rows[2] == (4, [*DATA.values(), None, None, None, None, None])
    assert rows == list(table.rows()) and [str(n) for n, _ in table.left_out] == ["1 text"]


def test_what_asks():
    """A second column of a scale, a scale that the campaign does not have, and nobody."""
    table = made(Answered(1, DATA, "", {"meaning": 1, "meaning 2": 2, "beauty": 3}))
    assert [one.name for one in table.columns if one.ask] == ["meaning 2", "beauty"]
    assert "who judged" in str(table.asks[0])


def test_what_is_shown_alone_names_a_text_of_the_campaign():
    shown = {"text": "<b>It is so.</b> is shown with: So it is."}
    [column, *_] = made(Answered(1, shown, "bo", {"meaning": 1})).columns
    assert column.role == "displayed"
