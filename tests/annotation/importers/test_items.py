"""What an items file may say, and what is wrong with it."""

import json

import pytest

from annotation.importers.items import ItemRow
from tests.annotation.importers.reading import check_first, problems_of, read_item_rows


def test_a_whole_row():
    parsed = read_item_rows(
        "item,phrase,sentence,start,end,paraphrase,system,rank,role,reference,reference_2,attr.x\n"
        'a1,more likely,"it is more likely, he said",6,17,likelier,moses,2,output,r1,r2,7\n'
    )
    assert parsed.problems == ()
    assert parsed.rows == (
        ItemRow(
            line=2,
            item="a1",
            phrase="more likely",
            sentence="it is more likely, he said",
            start=6,
            end=17,
            paraphrase="likelier",
            system="moses",
            rank=2,
            role="output",
            references=("r1", "r2"),
            attributes={"output": {"x": "7"}},
        ),
    )


@pytest.mark.parametrize(
    ("header", "row", "said"),
    [
        ("phrase,sentence", "is,is it is", "occurs 2 times in the sentence (0-2, 6-8)"),
        ("phrase,sentence", "IS,so it is", "only in different case"),
        ("phrase,sentence", "was,so it is", "nowhere"),
        ("phrase,sentence,start,end", "is,so it is,5,7", "it occurs at 6-8"),
        ("sentence,start", "so it is,5", "'end': is empty although start is given"),
        ("sentence,end", "so it is,5", "'start': is empty although end is given"),
        ("sentence,start,end", "so it is,5,5", "empty"),
        ("sentence,start,end", "so it is,5,9", "beyond the text, which has 8"),
        ("sentence,start,end", "so it is,-1,3", "'start'"),
        ("sentence,start,end", "so it is,a,3", "'start': 'a' is not a whole number"),
        ("sentence,start,end", "cafe\u0301,0,4", "inside a composed character"),
        ("sentence,paraphrase,rank", "a,b,1", "'system': is empty"),
        ("sentence,paraphrase,system,rank", "a,b,s,0", "'rank'"),
        ("sentence,paraphrase,role", "a,b,boss", "is none of output, control"),
        ("sentence,role", "a,control", "'paraphrase': is empty"),
        ("sentence,attr.system.x", "a,b", "no system that could carry it"),
        ("item,paraphrase", "i1,b", "neither a sentence nor a phrase"),
        ("sentence,own_sentence", "a,b", "need a text and a paraphrase"),
        ("sentence,paraphrase,own_sentence", "a,b,b b", "exactly once"),
        ("item,sentence", "x" * 201 + ",b", "at most 200 are allowed"),
    ],
)
def test_a_wrong_row_is_told_with_its_line_and_gives_nothing(header, row, said):
    parsed = read_item_rows(f"{header}\n{row}\n")
    check_first(parsed, 2, said)
    assert parsed.rows == ()


def test_a_system_that_gave_none_and_one_with_several():
    parsed = read_item_rows("sentence,paraphrase,system,rank\nA,,s,\nA,x,t,1\nA,y,t,2\n")
    assert [(row.paraphrase, row.system, row.rank) for row in parsed.rows] == [
        (None, "s", 1),
        ("x", "t", 1),
        ("y", "t", 2),
    ]


@pytest.mark.parametrize(
    ("text", "parts", "lines"),
    [
        (
            "item,sentence\n1,First text\n2,Other\n1,Second text\n",
            ["First text", "Second text"],
            [2, 3],
        ),
        ("sentence,paraphrase,system\nA,x,s\nA,x,s\nA,y,s\nB,y,s\n", ["'s'"], [2, 3, 5]),
        ("sentence,attr.genre\nA,news\nB,web\nA,web\n", ["genre"], [2, 3]),
    ],
    ids=["a text of an outside id", "a paraphrase of a rank", "a value of an attribute"],
)
def test_what_contradicts_an_earlier_line_names_both_and_is_left_out(text, parts, lines):
    parsed = read_item_rows(text)
    (problem,) = problems_of(parsed)
    assert problem.startswith("items.csv:4: ")
    assert all(part in problem for part in ("line 2", *parts))
    assert [row.line for row in parsed.rows] == lines


@pytest.mark.parametrize(
    ("header", "row", "place"),
    [
        ("sentence", "it is so", ("it is so", "it is so", 0, 8)),
        ("phrase", "is so", ("is so", "is so", 0, 5)),
        ("phrase,sentence", "is,it is so", ("is", "it is so", 3, 5)),
        ("phrase,sentence,start", "is,is is,3", ("is", "is is", 3, 5)),
        ("sentence,start,end", "is is,3.0,5", ("is", "is is", 3, 5)),
        ("phrase,sentence", "is is,is is", ("is is", "is is", 0, 5)),
        ("sentence,start,end", "cafe\u0301 noir,6,10", ("noir", "café noir", 5, 9)),
    ],
)
def test_places(header, row, place):
    (only,) = read_item_rows(f"{header}\n{row}\n").rows
    assert only.identity == place
    assert (only.paraphrase, only.system, only.rank) == (None, None, None)


def test_an_own_sentence():
    header = "sentence,paraphrase,own_sentence,own_start,own_end\n"
    parsed = read_item_rows(header + "A,x,see x here,,\nB,x,see y here,4,5\n")
    assert [(row.own_sentence, row.own_start, row.own_end) for row in parsed.rows] == [
        ("see x here", 4, 5),
        ("see y here", 4, 5),
    ]


def jsonl(*records):
    return read_item_rows("\n".join(json.dumps(record) for record in records), "items.jsonl")


def test_attributes_go_to_their_level():
    record = {"sentence": "A b", "phrase": "b", "paraphrase": "c", "system": "s"}
    explicit = {
        f"attr.{level}.k": [level, 1.5]
        for level in ("item", "phrase", "substitution", "system", "output")
    }
    parsed = jsonl(
        record | explicit,
        {"sentence": "B", "paraphrase": "c", "attr.free": {"deep": [True, None]}},
        {"sentence": "C", "attr.free.of": None},
    )
    assert parsed.ok
    assert parsed.rows[0].attributes == {
        key.split(".")[1]: {"k": value} for key, value in explicit.items()
    }
    assert parsed.rows[1].attributes == {"substitution": {"free": {"deep": [True, None]}}}
    assert parsed.rows[2].attributes == {"item": {"free.of": None}}


def test_json_types():
    parsed = jsonl(
        {"item": 12, "sentence": "A", "references": ["r", "s", "r"], "start": 0.0, "end": 1},
        {"sentence": 5},
        {"sentence": "A", "references": "r"},
        {"sentence": "A", "start": True, "end": 1},
        {"sentence": "A", "paraphrase": "b", "system": 1.5},
        {"sentence": "A\0"},
        {"sentence": "\ud800", "paraphrase": "x"},
    )
    assert [(row.item, row.references) for row in parsed.rows] == [("12", ("r", "s"))]
    assert [(p.line, p.column) for p in parsed.problems] == [
        (2, "sentence"),
        (3, "references"),
        (4, "start"),
        (5, "system"),
        (6, "sentence"),
        (7, "sentence"),
    ]
