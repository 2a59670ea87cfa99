from annotation.importers.tables.tools.common.answer_tables import table_of_answers
from annotation.importers.tables.tools.common.answers import Answered, Tool

DATA = {"original": "It is so.", "paraphrase": "So it is."}


def made(*records, what="judgments", scales=("MEANING",)):
    return table_of_answers(Tool("t"), lambda: iter(records), what, scales)


def test_what_is_shown_alone_names_a_text_of_the_campaign():
    shown = {"text": "<b>It is so.</b> is shown with: So it is."}
    [column, *_] = made(Answered(1, shown, "bo", {"meaning": 1})).columns
    assert column.role == "displayed"
