import pytest

from annotation.importers.tables.tools.common.answers import Answered
from annotation.importers.tables.tools.common.displayed import (
    parts_of,
    sampled,
    split_data,
    split_of,
)

A, B = "It is so.", "So it is."
PAIR = {"sentence": A, "paraphrase": B}


@pytest.mark.parametrize(
    ("shown", "parts"),
    [
        (f"Original: {A}\nParaphrase: {B}", PAIR),
        (f"<p><b>Original:</b> {A}</p><p>Paraphrase:<br>{B}</p>", PAIR),
        (f"원문: {A}\n바꿔쓰기: {B}", PAIR),
        (f"Originalsatz：{A}\nUmschreibung：{B}\nWie gut ist sie?", PAIR),
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
    assert dict(split_data(two[0], "text")) == {"original": A, "paraphrase": B}
    assert split_of([{"text": A}, {"text": B}]).column == ""
    aside = split_of([{"text": f"{A}\n{B}", "a": A, "b": B}])
    assert set(aside.set_aside) == {"text"} and aside.column == ""
    assert sampled(lambda: iter([Answered(1, {"a": A})])) == [{"a": A}]
