import pytest

from annotation.importers.tables.guessing.roles import guess_roles
from annotation.importers.tables.profiles import profile

S = ["The bridge gave way.", "They look into it.", "Most stayed put.", "It is a dead end."]
P = ["gave way", "look into", "stayed put", "a dead end"]
X = ["broke", "examine", "remained", "stuck"]
Y = ["collapsed", "see to", "stood still", "hopeless"]


def roles(columns, what, scales=None):
    profiles = [profile(cells, ".") for cells in columns.values()]
    names = [name.strip("0123456789") if name.isdigit() else name for name in columns]
    found = guess_roles(names, profiles, what=what, scales=scales or ["MEANING", "GRAMMAR"]).guesses
    assert all(str(one.reason) for one in found)
    return [f"{one.role} {one.of}".strip() + ("?" if one.ask else "") for one in found]


def test_references_much_shorter_than_the_sentences_ask():
    """They may replace the phrase; those that are sentences do not ask."""
    whole = [one.replace(".", " again.") for one in S]
    columns = {"sentence": S, "phrase": P, "paraphrase": X, "reference": Y}
    assert roles(columns, "items") == ["sentence", "phrase", "paraphrase", "reference?"]
    assert roles({**columns, "reference": whole}, "items")[3] == "reference"


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        # By contents alone, in any order.
        ({"1": X, "2": P, "3": S}, ["paraphrase", "phrase", "sentence"]),
        (
            {"x": [*S], "y": [*P], "m1": X, "m2": Y},
            ["sentence", "phrase", "output_of m1", "output_of m2"],
        ),
        # What a name says of another column is overruled by what stands in it.
        ({"Phrase": S, "Expression": P, "Reformulation": X}, ["sentence", "phrase", "paraphrase"]),
        # An id beside different sentences is none.
        (
            {"id": [1, 1, 2, 2], "sentence": S, "paraphrase": X},
            ["ignore", "sentence", "paraphrase"],
        ),
        (
            {"sentence": S, "paraphrase": X, "where": ["a", "a", "b", "a"]},
            ["sentence", "paraphrase", "attr item.where"],
        ),
        (
            {"sentence": S, "paraphrase": X, "score": [1, 2, 3, 4]},
            ["sentence", "paraphrase", "ignore"],
        ),
    ],
)
def test_items(columns, found):
    assert roles(columns, "items") == found


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        (
            {"id": [1, 2, 3, 4], "paraphrase": X, "who": ["a", "b", "a", "b"], "v": [1, 2, 2, 3]},
            ["item", "paraphrase", "annotator?", "value"],
        ),
        (
            {"id": [1, 2, 3, 4], "text": X, "r1": [1, 2, 2, 3], "r2": [3, 3, 2, 3]},
            ["item", "paraphrase", "voice_of r1", "voice_of r2"],
        ),
        (
            {"id": [1, 2, 3, 4], "paraphrase": X, "rater": list("abab"), "의미": [1, 2, 2, 3]},
            ["item", "paraphrase", "annotator", "value_of MEANING"],
        ),
    ],
)
def test_judgments(columns, found):
    assert roles(columns, "judgments") == found


def test_gold():
    columns = {
        "id": [1, 2, 3, 4],
        "paraphrase": X,
        "mean MEANING": [1.5, 2, 2, 3],
        "sd MEANING": [0, 1, 1, 0],
    }
    assert roles(columns, "gold") == ["item", "paraphrase", "value_of MEANING", "sd_of MEANING"]
