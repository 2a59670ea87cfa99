"""What controls and practice texts should get: one record for each text and scale."""

from io import BytesIO

import pytest

from annotation.importers import read_expected
from tests.annotation.importers.reading import check_first

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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("i,output,a b,c,MEANING,4,5,,\n", "must be control or practice"),
        ("i,control,a b,c,,4,5,,\n", "name the scale"),
        ("i,control,a b,c,MEANING,,5,,\n", "give the lowest right value"),
        ("i,control,a b,c,MEANING,5,4,,\n", "is below low"),
    ],
)
def test_a_wrong_row_is_told_and_gives_nothing(line, said):
    check_first(read(line), 2, said)


def test_one_text_on_one_scale_stands_once():
    line = "i,control,a b,c,MEANING,4,5,,\n"
    found = read(line, line)
    assert len(found.rows) == 1
    assert "line 2" in str(found.problems[0])
