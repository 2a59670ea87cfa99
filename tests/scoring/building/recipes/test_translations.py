"""The recipe `translations`."""

from collections import Counter

import pytest

from scoring.building.recipes.paraphrases import TRANSLATIONS
from scoring.building.recipes.recipe import make
from scoring.metrics import Pair, create
from scoring.metrics.files import FileRefused


@pytest.mark.slow
def test_two_texts_make_translations_for_pivot_f1(texts, tmp_path):
    made, again = (
        make(TRANSLATIONS, texts, tmp_path / name, {"min_count": 2}) for name in ("one", "two")
    )
    assert made.kind == "translations"
    assert made.plain.read_bytes() == again.plain.read_bytes()
    rows = [line.split(" ||| ") for line in made.plain.read_text().splitlines()]
    sums = Counter()
    for _, phrase, scores in rows:
        sums[phrase] += float(scores.split()[0])
    assert all(total == pytest.approx(1) for total in sums.values())
    pair = Pair("old hound sees cat", "old dog sees cat")
    for path in (made.store, made.plain):
        found = create("pivot_f1", {"translations": str(path)}).score(pair).value
        assert found == pytest.approx(1)
    with pytest.raises(FileRefused, match="no phrase"):
        make(TRANSLATIONS, texts, tmp_path / "none", {"min_count": 1000})
