"""Files and commands: every problem is reported with its line, output is one JSON object, and no
database is needed."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.stats.terminal.files import (
    FileProblems,
    parse_levels,
    parse_threshold,
    read_columns,
    read_ratings,
)
from tests.scoring.stats.terminal.manage import HEADER, write


def problems(path, **options):
    with pytest.raises(FileProblems) as caught:
        read_ratings(path, **options)
    return [line.removeprefix(f"{path}:") for line in caught.value.lines]


def test_reads_ratings(tmp_path):
    text = HEADER + '"a\nb",x,M,3,p\r\n"a\nb",y,M,,p\n2,y,M,4.5,q\n2,y,G,1,q\n'
    read = read_ratings(write(tmp_path, "\ufeff" + text), cluster="phrase")
    assert list(read.tables) == ["M", "G"]
    table = read.tables["M"]
    np.testing.assert_array_equal(table.dense(), [[3, np.nan], [np.nan, 4.5]])
    assert table.unit_labels == ("a\nb", "2") and table.annotator_labels == ("x", "y")
    assert read.clusters is not None and read.clusters.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            HEADER + "1,a,M,3,p\n1,b,M,3,p\n1,a,M,,p\n",
            ["4: annotator 'a' rated item '1' on scale 'M' already on line 2: keep one of the two"],
        ),
        (
            HEADER + "1,a,M,high,p\n1,b,M,inf,p\n1,c,M,1_0,p\n",
            [
                f"{n}: column 'value': {v} is not a number: write it as 4 or 3.5, or leave it empty"
                for n, v in ((2, "'high'"), (3, "'inf'"), (4, "'1_0'"))
            ],
        ),
        (HEADER + ",a,M,3,p\n", ["2: column 'item': is empty: fill it in or delete the line"]),
        (
            HEADER + "1,a,M,3\n",
            [
                "2: there are 4 cells where the header has 5: the line is "
                "truncated, or there is a delimiter or quote too few or too many"
            ],
        ),
        (
            HEADER + "1,a,M,3,p\n1,b,M,3,q\n",
            ["3: item '1' is in cluster 'q' here and in 'p' on line 2: give an item one cluster"],
        ),
        (
            "item,annotator,value\n",
            [
                "1: there is no column scale, phrase: correct the name or add "
                "the column (there are item, annotator, value)"
            ],
        ),
        ("", ["1: the file is empty: it needs at least a header"]),
        (HEADER, ["1: there is a header but no record: write the records below it"]),
        (
            HEADER + '1,"a,M,3,p\n',
            [
                "2: a quote opened in this record is not closed before the end "
                "of the file, and reading stopped here: shorten, close it, or write a quote twice "
                '("")'
            ],
        ),
        (
            HEADER.encode() + b"1,\xff,M,3,p\n",
            [
                "2: column 'annotator': the byte 0xFF (line 2, "
                "character 3) is not UTF-8: save the file as UTF-8"
            ],
        ),
        (
            HEADER + "1,a\0,M,3,p\n",
            [
                "2: column 'annotator': there is a NUL character (line 2, "
                "character 4): remove it, or save the file as UTF-8"
            ],
        ),
    ],
)
def test_problems_name_line_and_remedy(tmp_path, text, expected):
    assert problems(write(tmp_path, text), cluster="phrase") == expected


def test_apostrophes_added_by_an_export_are_removed(tmp_path):
    read = read_ratings(write(tmp_path, HEADER + "'=1,'-a,M,3,p\n'2,b,M,3,p\n"))
    assert read.tables["M"].unit_labels == ("=1", "'2")
    assert read.tables["M"].annotator_labels == ("-a", "b")


def test_unused_columns_may_be_malformed(tmp_path):
    """For example the index column written by pandas: unnamed, or duplicated."""
    text = ",item,annotator,x,scale,x,value\n0,1,a,,M,,3\n,,,,,,\n1,1,b,,M,,\n"
    table = read_ratings(write(tmp_path, text)).tables["M"]
    np.testing.assert_array_equal(table.dense(), [[3, np.nan]])


def test_values_outside_the_levels(tmp_path):
    path = write(tmp_path, HEADER + "1,a,M,6,p\n1,b,M,2.5,p\n")
    assert problems(path, levels=parse_levels("1-5")) == [
        "2: column 'value': '6' is not on the scale 1 to 5: correct it or --levels",
        "3: column 'value': '2.5' is not on the scale 1 to 5: correct it or --levels",
    ]


def test_missing_file_and_many_problems(tmp_path):
    assert "cannot be read (No such file" in problems(tmp_path / "none.csv")[0]
    found = problems(write(tmp_path, HEADER + "".join(f"{i},a,M,x,p\n" for i in range(150))))
    assert len(found) == 11 and "and 140 more errors" in found[-1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200).map(lambda t: HEADER.encode() + t.encode("utf-8", "replace")),
    )
)
def test_arbitrary_bytes_never_cause_a_traceback(tmp_path, data):
    for name in ("any.csv", "any.jsonl"):
        try:
            read_ratings(write(tmp_path, data, name), cluster="phrase")
        except FileProblems as found:
            assert all(f"{name}:" in line for line in found.lines)


def test_read_columns(tmp_path):
    path = write(tmp_path, "id,h,m,c\n1,2,0.5,x\n2,,0.7,y\n3,4,,x\n")
    read = read_columns(path, ["h", "m"], cluster="c")
    np.testing.assert_array_equal(read.values["h"], [2, np.nan, 4])
    assert read.clusters is not None and read.clusters.tolist() == [0, 1, 0]
    with pytest.raises(FileProblems, match="csv:1: there is no column z"):
        read_columns(path, ["z"])


def test_levels_and_thresholds():
    assert parse_levels("1-5").tolist() == [1, 2, 3, 4, 5]
    assert parse_levels("-2-2").tolist() == [-2, -1, 0, 1, 2]
    assert parse_levels("0,50,25").tolist() == [0, 25, 50]
    scale, threshold = parse_threshold("A=B=3.5")
    assert (scale, threshold.value) == ("A=B", 3.5)
    for text in ("5-1", "1", "a-b", "1,x", "", "1-1"):
        with pytest.raises(ValueError, match="is not a scale"):
            parse_levels(text)
    for text in ("MEANING", "=3", "M=x", "M=nan"):
        with pytest.raises(ValueError, match="is not a threshold"):
            parse_threshold(text)
