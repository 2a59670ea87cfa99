"""What the readers of other tools share."""

import json
from io import BytesIO

import pyarrow
import pytest

from annotation.importers.tables import TableError
from annotation.importers.tables.tools.common.answer_tables import (
    OutputGrid,
    of_texts,
    table_of_answers,
)
from annotation.importers.tables.tools.common.answers import (
    Answered,
    Occasions,
    Tool,
    key_of,
    parts_of,
    sampled,
    split_data,
    split_of,
)
from annotation.importers.tables.tools.common.zipped import (
    class_labels,
    labels_of,
    open_arrow,
    open_folder,
)
from tests.annotation.importers.tables.tools.checking import zipped


def made(*records, what="judgments", scales=("MEANING",)):
    return table_of_answers(Tool("t"), lambda: iter(records), what, scales)


def test_what_is_shown_alone_names_a_text_of_the_campaign():
    shown = {"text": "<b>It is so.</b> is shown with: So it is."}
    [column, *_] = made(Answered(1, shown, "bo", {"meaning": 1})).columns
    assert column.role == "displayed"


def test_rows_of_a_stream():
    table = pyarrow.table({"a": ["x", None], "b": [[1], [2, 3]]})
    out = BytesIO()
    with pyarrow.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    data = out.getvalue()
    rows = list(open_arrow(BytesIO(data), "d.arrow").rows(""))
    assert rows == [(0, ["a", "b"]), (1, ["x", "[1]"]), (2, [None, "[2, 3]"])]
    with pytest.raises(TableError, match="truncated or damaged"):
        list(open_arrow(BytesIO(data[:200]), "d.arrow").rows(""))


FEATURES = {"m": {"names": ["1", "2"], "_type": "ClassLabel"}, "t": {"dtype": "string"}}


def test_names_of_classes():
    about = {b"huggingface": json.dumps({"info": {"features": FEATURES}}).encode()}
    assert class_labels(about) == {"m": ["1", "2"]} == labels_of(FEATURES)
    assert class_labels(None) == class_labels({b"huggingface": b"{"}) == labels_of([]) == {}


A, B = "It is so.", "So it is."
PAIR = {"sentence": A, "paraphrase": B}


@pytest.mark.parametrize(
    ("shown", "parts"),
    [
        (f"Original: {A}\nParaphrase: {B}", PAIR),
        (f"<p><b>Original:</b> {A}</p><p>Paraphrase:<br>{B}</p>", PAIR),
        (f"원문: {A}\n바꿔쓰기: {B}", PAIR),
        (
            f"Originalsatz：{A}\nUmschreibung：{B}\nWie gut ist sie?",
            {**PAIR, "rest": "Wie gut ist sie?"},
        ),
        (
            "Rate it.\nOriginal: It is,\nso.\nParaphrase: So,\nit is.",
            {"sentence": "It is, so.", "paraphrase": "So, it is."},
        ),
        (f"Original:\nIt is.\nSo.\nParaphrase: {B}", {"sentence": "It is. So.", "paraphrase": B}),
        (f"{A}\n{B}", [A, B]),
        (f"{A} ||| {B}", [A, B]),
        (f"Note: {A}\n{B}", [f"Note: {A}", B]),
        (A, [A]),
    ],
)
def test_parts(shown, parts):
    assert parts_of(shown) == parts


def test_what_is_split():
    """One original over several paraphrases says which is which; else it is asked."""
    two = [{"text": f"{A}\n{B}"}, {"text": f"{A}\nThus."}]
    assert split_of(two).column == "text" and split_of(two).ask is None
    assert split_of([{"text": f"{A}\n{B}"}]).ask is not None
    assert dict(split_data(two[0], split_of(two))) == {"original": A, "paraphrase": B}
    assert split_of([{"text": A}, {"text": B}]).column == ""
    aside = split_of([{"text": f"{A}\n{B}", "a": A, "b": B}])
    assert set(aside.set_aside) == {"text"} and aside.column == ""
    assert sampled(lambda: iter([Answered(1, {"a": A})])) == [{"a": A}]


def shows(*pairs):
    return [{"text": f"Original: {one}\nParaphrase: {two}"} for one, two in pairs]


def test_quotation_marks_around_all_texts_are_no_part_of_them():
    records = shows((f"«{A}»", f"«{B}»"), (f"«{B}»", f"«{A}»"))
    assert dict(split_data(records[0], split_of(records))) == {"original": A, "paraphrase": B}
    records += shows((f"«{A}»", B))
    whole = {"original": f"«{A}»", "paraphrase": f"«{B}»"}
    assert dict(split_data(records[0], split_of(records))) == whole


def test_lines_behind_a_whole_text_ask_unless_all_records_have_them():
    first, second = shows((A, B), (B, A))
    assert split_of([{"text": f"{first['text']}\nOf it."}, second]).ask is not None
    same = [{"text": f"{one['text']}\nRate it."} for one in (first, second)]
    assert split_of(same).ask is None


def roles(records):
    sample = [Answered(1, one) for one in records]
    columns = of_texts(Tool("t"), list(records[0]), sample, "items", ("MEANING",))
    return {one.name: one.role for one in columns}


@pytest.mark.parametrize(
    ("other", "role"),
    [
        ({"original": "It is so."}, "paraphrase"),
        ({"paraphrase": "So it is."}, "sentence"),
        ({"original": "It is so.", "paraphrase": "So it was."}, "ignore"),
    ],
)
def test_text_is_what_the_other_field_is_not(other, role):
    assert roles([{"text": "So it was.", **other}])["text"] == role


def parts(data, answers):
    grid = OutputGrid(list(data), list(answers))
    return list(grid.parts(data, answers)) if grid else None


def test_numbered_questions():
    """With one original, numbered outputs are systems; with numbered originals they are places."""
    one = parts({"original": "o", "out1": "a", "out2": "b"}, {"m1": 1, "m2": 2})
    assert [(data["paraphrase"], data["system"], answers) for data, answers in one] == [
        ("a", "out1", {"m": 1}),
        ("b", "out2", {"m": 2}),
    ]
    several = parts({"src1": "x", "out1": "a", "src2": "y", "out2": ""}, {"m1": 1, "m2": 2})
    assert several[0] == ({"src": "x", "out": "a"}, {"m": 1}) and several[1][0]["src"] == "y"


def test_equal_rows_are_doubles_and_others_occasions_in_the_order_of_their_times():
    late, early = (
        Answered(1, {"a": "x"}, "bo", {"m": m}, judged_at=at) for m, at in ((1, "2"), (2, "1"))
    )
    other, nobody = Answered(1, {"a": "y"}, "bo", {"m": 1}), Answered(1, {"a": "x"}, "", {"m": 1})
    rows = [late, early, late, other, nobody, nobody]
    occasions = Occasions(lambda: iter(rows), ["a"])
    assert [occasions.of(one) for one in rows] == [2, 1, None, 1, 1, 1]
    assert key_of({"b": 1, "a": 2}) == key_of({"a": 2, "b": 1})


def test_a_damaged_file_is_refused():
    book = open_folder(BytesIO(zipped({"a.json": "[{"})), "z.zip")
    with pytest.raises(TableError, match="not JSON"):
        list(book.rows("a.json"))
    with pytest.raises(TableError, match="more than"):
        open_folder(BytesIO(zipped({f"{n}.csv": "" for n in range(1001)})), "z.zip")
