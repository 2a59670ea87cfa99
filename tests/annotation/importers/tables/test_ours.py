from io import BytesIO

import pytest

from annotation.importers.tables.opening import is_ours


@pytest.mark.parametrize(
    ("name", "data", "ours"),
    [
        ("a.csv", b"phrase,sentence,attr.x\n", True),
        ("a.csv", b"\xef\xbb\xbfitem,paraphrase,MEANING,MEANING_sd\n", True),
        ("a.csv", b"item,paraphrase,annotator,scale,value\n", True),
        ("a.csv", b"item,paraphrase,STYLE\n", False),
        ("a.csv", b"phrase;sentence\n", False),
        ("a.tsv", b"phrase\tsentence\n", True),
        ("a.csv", b"Sentence,Phrase\n", False),
        ("a.jsonl", b'\n{"phrase": "a", "sentence": "b"}\n', True),
        ("a.jsonl", b'{"text": "a"}\n', False),
        ("a.jsonl", b"{broken\n", True),  # Told of by the reader of our files.
        ("a.txt", b"phrase,sentence\n", False),
        ("a.csv", b"", False),
    ],
)
def test_a_file_with_our_columns_is_ours(name, data, ours):
    assert is_ours(BytesIO(data), name, ["MEANING"]) is ours
