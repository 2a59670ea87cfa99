"""Two texts of which one is the translation of the other."""

import pytest

from tests.scoring.building.alignment.test_aligner import sentences


@pytest.fixture
def texts(tmp_path):
    """An invented language in which DOG and HOUND are one word."""
    english, foreign, _ = sentences(300)
    other = [[{"dog": "hound"}.get(word, word) for word in words] for words in english]
    paths = {"english": tmp_path / "en.txt", "foreign": tmp_path / "de.txt"}
    for role, lines in (("english", [*english, *other, []]), ("foreign", [*foreign * 2, ["x"]])):
        paths[role].write_text("".join(" ".join(words) + "\n" for words in lines))
    return paths
