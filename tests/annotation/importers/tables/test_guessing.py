"""The roles of columns, guessed by names and contents."""

import pytest

from annotation.importers.tables.books import Book
from annotation.importers.tables.guessing.roles import guess_roles
from annotation.importers.tables.heads import find_head
from annotation.importers.tables.names import (
    ROLES,
    numbered_role,
    plain_name,
    roles_named,
    says,
    scale_named,
)
from annotation.importers.tables.profiles import profile

S = ["The bridge gave way.", "They look into it.", "Most stayed put.", "It is a dead end."]
P = ["gave way", "look into", "stayed put", "a dead end"]
X = ["broke", "examine", "remained", "stuck"]
Y = ["collapsed", "see to", "stood still", "hopeless"]


def roles(columns, what):
    profiles = [profile(cells, ".") for cells in columns.values()]
    names = [name.strip("0123456789") if name.isdigit() else name for name in columns]
    found = guess_roles(names, profiles, what=what, scales=["MEANING", "GRAMMAR"]).guesses
    assert all(str(one.reason) for one in found)
    return [f"{one.role} {one.of}".strip() + ("?" if one.ask else "") for one in found]


def test_references_much_shorter_than_the_sentences_ask():
    """Unless they are as long as what replaces the phrase; those that are sentences do not ask."""
    whole = [one.replace(".", " again.") for one in S]
    columns = {"sentence": S, "phrase": P, "reference": Y}
    assert roles(columns, "items")[2] == "reference?"
    assert roles({**columns, "paraphrase": X}, "items")[2] == "phrase_reference"
    assert roles({**columns, "reference": whole}, "items")[2] == "reference"


@pytest.mark.parametrize(
    ("name", "asks"),
    [("Human (reference)", True), ("사람(참조)", True), ("Human", False), ("KoBART", False)],
)
def test_references_among_the_systems_ask(name, asks):
    columns = {"sentence": [*S, *S], "system": ["A"] * 4 + [name] * 4, "paraphrase": [*X, *Y]}
    profiles = [profile(cells, ".") for cells in columns.values()]
    seen = guess_roles(list(columns), profiles, what="items", scales=["MEANING"])
    assert any("are its texts references?" in str(one) for one in seen.questions) is asks


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


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("PARAPHRASE", "paraphrase"),
        ("Source_Sentence", "sentence"),
        ("targetPhrase", "phrase"),
        ("Umschreibung", "paraphrase"),
        ("Gutachter", "annotator"),
        ("N°", "item"),
        ("Phrase complète", "sentence"),
        ("문장", "sentence"),
        ("평가자", "annotator"),
        ("oración", "sentence"),
        ("改写", "paraphrase"),
        ("言い換え", "paraphrase"),
        ("item", "item"),
        ("sentence2", "paraphrase"),
        ("Lfd. Nr.", "item"),
    ],
)
def test_names_in_any_case_and_language(name, role):
    assert roles_named(name)[0] == role


def test_words_are_written_as_names_are_compared():
    wrong = [word for words in ROLES.values() for word in words if plain_name(word) != word]
    assert wrong == []


def test_numbers_scales_and_unknown_names():
    assert numbered_role("Output_B") == numbered_role("paraphrase 12") == "paraphrase"
    assert numbered_role("Output") is None and roles_named("xyzzy") == ()
    assert scale_named("Meaning (1-5)", ["MEANING", "GRAMMAR"]) == "MEANING"
    assert scale_named("문법", ["MEANING", "GRAMMAR"]) == "GRAMMAR"
    assert scale_named("n", ["MEANING"]) is None
    assert says("MEANING SD", "sd") and not says("MEANING", "sd")


def book(rows):
    return Book("a.xlsx", "xlsx", ("S",), lambda _: iter(rows))


DATA = (9, ["The bridge gave way last winter.", "gave way", 3])


def test_somebody_says_where_the_head_is():
    rows = [(2, ["A text. Yes.", "a", "b"]), DATA]
    head = find_head(book(rows), rows, (2,))
    assert (head.rows, head.names) == ((2,), ("A text. Yes.", "a", "b"))
    assert find_head(book(rows), rows, ()).names == ()
