import pytest

from annotation.importers.tables.names import (
    ROLES,
    numbered_role,
    plain_name,
    roles_named,
    says,
    scale_named,
)


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
