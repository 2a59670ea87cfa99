"""Paraphrases that were generated."""

import pytest

from annotation.errors import NotFound
from scoring.builds import queries
from scoring.builds.queries import GENERATED, generated, rating_figure
from scoring.models import Build, Resource
from tests.factories import make_user
from tests.scoring.services.builds.conftest import campaign
from tests.scoring.services.builds.test_generated import built, set_built, vectors

__all__ = ["campaign", "vectors"]
pytestmark = pytest.mark.usefixtures("data_dir")


def test_the_preview_has_the_first_texts_and_shares_until_they_are_removed(campaign, vectors):
    alice, build = make_user("alice"), built(campaign, vectors)
    found = generated(build=build)
    text, paraphrases = found.shown()[0]
    assert (text, paraphrases[0]) == ("A good film.", ("PG1", "A fine movie."))
    assert found.shares()[0] == ("PG1", 4, 0.8)
    other = Build.objects.create(recipe="lm", name="M", options_hash="x", created_by=alice)
    assert GENERATED.get(user=alice, campaign=campaign, key=build.key) == build
    with pytest.raises(NotFound):
        GENERATED.get(user=alice, campaign=campaign, key=other.key)
    assert GENERATED.builds(user=alice, campaign=campaign) == [build]
    Resource.objects.filter(kind="texts").delete()
    assert GENERATED.builds(user=alice, campaign=campaign) == []
    assert generated(build=Build.objects.get(pk=build.pk)) is None


# The preview of test sets.


def test_figures_and_the_first_phrases(monkeypatch):
    monkeypatch.setattr(queries, "SHOWN_PHRASES", 2)
    found = queries.preview(build=set_built())
    steps = found.steps()
    assert steps[0] == ("grammar words and marks alone", 2, found.figures["every"] - 2)
    # What is left at the end was drawn: three of three.
    assert steps[-1][2] == found.figures["phrases"] == 3
    assert found.coverage() == [("0", 6, 1.0)]
    assert len(found.phrases) == 2
    gives = {"dog": "hound", "cat": "kitten", "ran": "sprinted"}
    for phrase, items in found.phrases:
        assert len(items) == 2
        for item in items:
            assert item.phrase == phrase
            assert item.outputs == [("0", gives[phrase])]
            item.outputs.append(("1", gives[phrase]))
            assert item.texts() == [(gives[phrase], ["0", "1"])]
            assert f"{item.before}{item.phrase}{item.after}".split()[0] in ("a", "the")


# The figure of a rating.


def test_points_are_least_probabilities():
    rows = [
        {"least": 0, "precision": 0.5, "recall": 0.8},
        {"least": 0.1, "precision": 1, "recall": 0.2},
        {"least": 0.5, "precision": None, "recall": 0},
    ]
    (points,) = rating_figure({"rows": rows}).series
    assert (points.x, points.y, points.texts) == ((0.8, 0.2), (0.5, 1), ("0", "0.1"))
    with pytest.raises(NotFound, match="nothing to draw"):
        rating_figure({"rows": rows[2:]})
