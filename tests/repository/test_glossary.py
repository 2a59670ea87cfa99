"""The glossary: each word once, in order, with the Korean word that pages show."""

from collections import Counter

from tests import HOME
from tests.repository.texts import entries

GLOSSARY = HOME / "docs" / "glossary.md"


def rows():
    """Word, meaning and Korean word of each row."""
    lines = GLOSSARY.read_text("utf-8").splitlines()
    table = lines[lines.index("|---|---|---|") + 1 :]
    found = []
    for line in table:
        word, meaning, korean = (cell.strip() for cell in line.strip("|").split("|"))
        found.append((word, meaning, korean))
    return found


def test_each_word_has_one_row_with_a_meaning_in_alphabetical_order():
    words = [word for word, _, _ in rows()]
    assert [word for word, times in Counter(words).items() if times > 1] == []
    assert words == sorted(words) and len(words) > 80
    assert [word for word, meaning, _ in rows() if not meaning.endswith((".", ".)"))] == []


def test_each_korean_word_is_one_that_pages_show():
    shown = "\n".join(text for entry in entries() for text in entry.translations)
    assert [(word, korean) for word, _, korean in rows() if korean not in shown] == []


def test_the_glossary_can_be_found():
    for page in ("README.md", "CONTRIBUTING.md", "docs/languages.md"):
        assert "glossary.md)" in (HOME / page).read_text("utf-8"), page
