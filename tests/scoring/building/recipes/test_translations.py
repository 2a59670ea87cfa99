"""The recipe `translations`."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.building.recipes.recipe import make
from scoring.building.recipes.translations import TRANSLATIONS
from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused
from tests.scoring.building.alignment.test_aligner import sentences


def test_two_texts_make_translations_for_pivot_f1(tmp_path: Path) -> None:
    """An invented language in which dog and hound are one word."""
    english, foreign, _ = sentences(300)
    other = [[{"dog": "hound"}.get(word, word) for word in words] for words in english]
    paths = {"english": tmp_path / "en.txt", "foreign": tmp_path / "de.txt"}
    for role, lines in (("english", [*english, *other]), ("foreign", [*foreign, *foreign])):
        paths[role].write_text("".join(" ".join(words) + "\n" for words in lines))
    made = make(TRANSLATIONS, paths, tmp_path / "one", {"min_count": 2})
    assert made.kind == "translations"
    again = make(TRANSLATIONS, paths, tmp_path / "two", {"min_count": 2})
    assert made.plain.read_bytes() == again.plain.read_bytes()
    rows = [line.split(" ||| ") for line in made.plain.read_text().splitlines()]
    sums: dict[str, float] = {}
    for _, phrase, scores in rows:
        sums[phrase] = sums.get(phrase, 0) + float(scores.split()[0])
    assert all(total == pytest.approx(1) for total in sums.values())
    pair = Pair("old hound sees cat", "old dog sees cat")
    for path in (made.store, made.plain):
        found = create("pivot_f1", {"translations": str(path)}).score(pair).value
        assert found == pytest.approx(1)
    with pytest.raises(FileRefused, match="no phrase"):
        make(TRANSLATIONS, paths, tmp_path / "none", {"min_count": 1000})
