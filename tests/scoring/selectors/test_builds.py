"""Builds: which are listed, and who may cancel them."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models.functions import Now

from annotation.access import creation_grant
from annotation.errors import Conflict, NotAllowed, NotFound
from scoring.builds.queries import build_get, build_rows, builds_for, recipe_offers
from scoring.builds.services import build_cancel
from scoring.models import Build
from scoring.runs.queries import matched_sample
from tests.factories import make_admin, make_campaign, make_user
from tests.scoring.builds import asked, corpus
from tests.scoring.services.test_matches import campaign, scored

pytestmark = pytest.mark.usefixtures("data_dir")


def test_active_ones_are_listed_and_those_that_failed_today(tmp_path):
    make_campaign()
    alice, source = make_user("alice"), corpus(tmp_path)
    builds = [asked(source, order=order) for order in (1, 2, 3, 4)]
    build_cancel(build=builds[2], actor=None)
    for build, when in ((builds[1], Now()), (builds[3], "2026-01-01T00:00Z")):
        Build.objects.filter(pk=build.pk).update(
            status="failed", error="it broke", finished_at=when
        )
    assert [(row.build, row.own) for row in build_rows(user=alice)] == [
        (builds[1], True),
        (builds[0], True),
    ]
    assert builds_for(user=alice).count() == 4


def test_only_researchers_see_them_and_only_who_asked_cancels(tmp_path):
    campaign = make_campaign()
    build = asked(corpus(tmp_path))
    Build.objects.update(scope="site")
    rita = make_user("rita")
    for user in (rita, AnonymousUser()):
        with pytest.raises(NotFound):
            build_get(user=user, key=build.key)
    campaign.memberships.create(user=rita, role="researcher")
    assert build_get(user=rita, key=build.key) == build
    with pytest.raises(NotAllowed):
        build_get(user=rita, key=build.key, cancel=True)
    with pytest.raises(NotAllowed):
        builds_for(user=rita, add=True)
    creation_grant(user=rita)
    assert builds_for(user=make_user("rita"), add=True).exists()
    assert build_get(user=make_admin(), key=build.key, cancel=True) == build
    with pytest.raises(NotFound, match="no such build"):
        build_get(user=rita, key="none")


def test_recipes_offer_what_is_ready(tmp_path):
    make_campaign()
    alice = make_user("alice")
    assert not any(offer.possible for offer in recipe_offers(user=alice))
    source = corpus(tmp_path)
    offers = {offer.recipe.name: offer for offer in recipe_offers(user=alice)}
    lacking = ["parametric", "pem_style", "near_words"]
    assert list(offers) == ["corpus", "lm", "vectors", "paraphrases", "translations", *lacking]
    assert [name for name, offer in offers.items() if not offer.possible] == lacking
    assert offers["lm"].inputs == (("text", [source]),)
    asked = {"english": [source], "foreign": [source], "links": [], "parses": []}
    further = {f"{name}_{n}": files for n in range(2, 6) for name, files in asked.items()}
    assert dict(offers["paraphrases"].inputs) == asked | further


# The matches of a run are those of its stored details.


__all__ = ["campaign"]


def test_the_same_seed_draws_the_same(campaign, tmp_path):
    run = scored(campaign, tmp_path)
    found = matched_sample(run=run, n=2, seed=3)
    assert found == matched_sample(run=run, n=2, seed=3)
    assert len(found) == 2
    run.options["tokenize"] = "ko"
    with pytest.raises(Conflict, match="tokenized into words"):
        matched_sample(run=run, n=2, seed=3)
