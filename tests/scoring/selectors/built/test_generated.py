"""Paraphrases that were generated."""

import pytest

from annotation.errors import NotFound
from scoring.builds.queries import generated, generated_builds, generated_get
from scoring.models import Build, Resource
from tests.factories import make_user
from tests.scoring.services.builds.test_generated import built, campaign, vectors

__all__ = ["campaign", "vectors"]
pytestmark = pytest.mark.usefixtures("data_dir")


def test_the_preview_has_the_first_texts_and_shares_until_they_are_removed(campaign, vectors):
    alice, build = make_user("alice"), built(campaign, vectors)
    found = generated(build=build)
    text, paraphrases = found.shown()[0]
    assert (text, paraphrases[0]) == ("A good film.", ("PG1", "A fine movie."))
    assert found.shares()[0] == ("PG1", 4, 0.8)
    other = Build.objects.create(recipe="lm", name="M", options_hash="x", created_by=alice)
    assert generated_get(user=alice, campaign=campaign, key=build.key) == build
    with pytest.raises(NotFound):
        generated_get(user=alice, campaign=campaign, key=other.key)
    assert generated_builds(user=alice, campaign=campaign) == [build]
    Resource.objects.filter(kind="texts").delete()
    assert generated_builds(user=alice, campaign=campaign) == []
    assert generated(build=Build.objects.get(pk=build.pk)) is None
