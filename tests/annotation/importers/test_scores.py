"""Files of scores of somebody's own metric."""

import pytest

from annotation.importers.judgments import column_label, read_scores
from tests.annotation.strategies import stream


def read(text, name="s.csv", **options):
    return read_scores(stream(text), name=name, **options)


def test_texts_by_id_or_by_place_with_a_score_or_without():
    parsed = read("item,phrase,sentence,paraphrase,score\n1,,,x,.5\n,a,b a,y,-2e1\n2,,,z,\n")
    assert parsed.problems == () and parsed.columns == ("score",)
    assert [(row.line, dict(row.values)) for row in parsed.rows] == [
        (2, {"score": 0.5}),
        (3, {"score": -20}),
        (4, {}),
    ]
    targets = [row.target for row in parsed.rows if row.target is not None]
    assert [(one.item, one.start, one.paraphrase) for one in targets] == [
        ("1", None, "x"),
        (None, 2, "y"),
        ("2", None, "z"),
    ]


def test_several_columns_and_systems_as_a_whole():
    parsed = read("item,paraphrase,system,score.a,score.b\n1,x,S,1,\n,,S,3,4\n")
    assert parsed.columns == ("score.a", "score.b")
    assert [(row.system, dict(row.values)) for row in parsed.rows] == [
        (None, {"score.a": 1}),
        ("S", {"score.a": 3, "score.b": 4}),
    ]
    assert [column_label(column, "mine") for column in ("score", "score.b")] == ["mine", "b"]


def test_a_copy_of_an_items_file_with_a_column_more():
    parsed = read(
        "item,phrase,sentence,paraphrase,system,rank,reference,reference_2,role,attr.x,score\n"
        "1,a,b a,c,S,1,r,,,q,7\n1,a,b a,,T,,,,,,\n1,a,b a,d,,,,,control,,7\n"
    )
    assert [(row.line, row.values["score"]) for row in parsed.rows] == [(2, 7)]
    [warning] = parsed.problems
    assert str(warning) == (
        "s.csv:4: warning: is skipped: metrics score texts of the role output only, not control"
    )


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("item,paraphrase,score\n1,x,high\n", "s.csv:2: column 'score'", "not a number"),
        ("item,paraphrase,score\n1,x,nan\n", "s.csv:2: column 'score'", "not a number"),
        ("item,paraphrase,score\n1,x,1e999\n", "s.csv:2: column 'score'", "not a number"),
        ("item,paraphrase,score\n1,,3\n", "s.csv:2: column 'paraphrase'", "is empty"),
        ("paraphrase,score\nx,3\n", "s.csv:2: column 'item'", "is empty"),
        ("item,paraphrase\n1,x\n", "s.csv:1", "name the column 'score'"),
        ("item,paraphrase,bleu\n1,x,3\n", "s.csv:1: column 'bleu'", "unknown column"),
        ("item,paraphrase,score.\n1,x,3\n", "s.csv:1: column 'score.'", "unknown column"),
        ("", "s.csv:1", "the file is empty"),
        ("item,system,score\n1,S,3\n", "s.csv:2: column 'paraphrase'", "is empty"),
    ],
)
def test_problems_name_the_line_and_what_to_do(text, where, what):
    parsed = read(text)
    messages = [str(problem) for problem in parsed.problems]
    assert any(one.startswith(where) and what in one for one in messages), messages
    assert not parsed.ok
