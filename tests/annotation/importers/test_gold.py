"""Gold values, and values that controls and practice texts should get."""

from io import BytesIO

import pytest

from annotation.importers.gold import ambiguous, read_expected, read_gold
from annotation.importers.items import Target
from tests.annotation.strategies import stream


def test_gold_by_scale():
    parsed = read_gold(
        stream(
            "item,phrase,sentence,paraphrase,systems,M,M_n,M_sd,M_method,G,G_n,G_sd,G_method,pass\n"
            "1,,A b,x,s|t,4.5,2,0.7,mean,,0,,,true\n2,,B,y,s,1,,,,2,,,,\n"
        ),
        name="g.csv",
        scales=["M", "G"],
    )
    assert parsed.problems == ()
    assert [(g.line, g.scale, g.value, g.n, g.sd, g.method) for g in parsed.rows] == [
        (2, "M", 4.5, 2, 0.7, "mean"),
        (3, "M", 1, None, None, None),
        (3, "G", 2, None, None, None),
    ]
    assert parsed.rows[0].target == Target("1", "A b", "A b", 0, 3, "x")


@pytest.mark.parametrize(
    ("rows", "line", "column"),
    [
        ("1,x,4,-1\n", 2, "M_sd"),
        ("1,x,,1\n", 2, "M"),
        ("1,x,a,1\n", 2, "M"),
        ("1,x,4,1\n1,x,5,1\n", 3, "M"),
        ("1,x,4,1\n1,x,4,1\n", 3, "M"),
    ],
)
def test_wrong_gold(rows, line, column):
    parsed = read_gold(stream("item,paraphrase,M,M_sd\n" + rows), name="g.csv", scales=["M"])
    assert [(p.line, p.column) for p in parsed.problems] == [(line, column)]
    assert line not in {row.line for row in parsed.rows}


@pytest.mark.parametrize("scales", [["A", "A_n"], ["phrase"], ["pass"], ["M", "M"]])
def test_scales_whose_columns_cannot_be_told_apart(scales):
    parsed = read_gold(stream("item,paraphrase\ni,p\n"), name="g.csv", scales=scales)
    assert not parsed.ok and not parsed.rows
    assert parsed.problems[0].column in ambiguous(scales)
    assert "g.csv:1" in str(parsed.problems[0])


HEADER = "item,role,phrase,paraphrase,scale,low,high,explanation,part\n"


def read(*lines):
    return read_expected(BytesIO((HEADER + "".join(lines)).encode()), name="expected.csv")


def test_a_band_or_one_value():
    found = read("i,control,a b,c,MEANING,4,5,,\n", "i,practice,a b,d,MEANING,2,,Too free.,test\n")
    assert found.problems == ()
    control, practice = found.rows
    assert (control.low, control.high, control.target.role) == (4, 5, "control")
    assert (practice.low, practice.high) == (2, 2)
    assert (practice.explanation, practice.part) == ("Too free.", "test")
