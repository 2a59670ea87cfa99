"""Which substitution a record of judgments or of gold speaks about."""

from tests.annotation.importers.test_judgments import read


def test_the_ways_to_name_a_substitution():
    parsed = read(
        "item,phrase,sentence,start,paraphrase,annotator,scale,value\n"
        "1,,,,x,A,M,1\n,,Whole,,x,A,M,1\n,whole,,,x,A,M,1\n2,a,a b a,4,x,A,M,1\n3,a,,,x,A,M,1\n"
    )
    targets = [row.target for row in parsed.rows]
    named = [(one.item, one.phrase, one.sentence, one.start, one.end) for one in targets]
    assert named == [
        ("1", None, None, None, None),
        (None, "Whole", "Whole", 0, 5),
        (None, "whole", "whole", 0, 5),
        ("2", "a", "a b a", 4, 5),
        ("3", "a", None, None, None),
    ]
