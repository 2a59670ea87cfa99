"""What controls and practice texts should get: one record for each text and scale."""

from io import BytesIO

from annotation.importers import read_expected

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
