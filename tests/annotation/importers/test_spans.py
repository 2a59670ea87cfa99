"""Where a record's phrase stands in its sentence."""

import pytest

from tests.annotation.importers.reading import read_item_rows


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
