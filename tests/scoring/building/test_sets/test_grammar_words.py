"""Words of grammar."""

from scoring.building.test_sets.drawing import GRAMMAR_WORDS, read_grammar_words


def test_the_english_words_are_lower_case_and_no_content():
    assert {"the", "of", "is", "n't"} <= GRAMMAR_WORDS
    assert not {"dog", "run", "big", ""} & GRAMMAR_WORDS
    assert all(word == word.lower() for word in GRAMMAR_WORDS)


def test_words_of_another_language_are_read_from_a_file(tmp_path):
    path = tmp_path / "words"
    path.write_text("Der die\n\ndas\n", "utf-8")
    assert read_grammar_words(path) == {"der", "die", "das"}
