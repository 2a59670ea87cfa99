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


def test_gold():
    columns = {
        "id": [1, 2, 3, 4],
        "paraphrase": X,
        "mean MEANING": [1.5, 2, 2, 3],
        "sd MEANING": [0, 1, 1, 0],
    }
    assert roles(columns, "gold") == ["item", "paraphrase", "value_of MEANING", "sd_of MEANING"]
