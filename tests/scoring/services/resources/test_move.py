"""Who may use a resource changes: what moves with it, and what does not move."""

import pytest

from annotation.access import place_of
from annotation.errors import Conflict
from annotation.models import Ownership
from scoring.builds.services import build_start
from scoring.resources.services import resource_move
from tests.factories import make_user
from tests.scoring.builds import made
from tests.scoring.services.test_scope import added, campaign, rival, stored

__all__ = ["campaign", "rival"]


def test_only_what_is_not_bound_moves_and_not_under_those_who_use_it(tmp_path, campaign, rival):
    dora, (other, _rosa) = make_user("dora"), rival
    one = added(tmp_path, dora, place_of(dora, campaign))
    built, _new = build_start(recipe="lm", inputs={"text": one.key}, options={}, actor=dora)
    assert (built.campaign, built.bound) == (campaign, False)
    # Of what a colleague gave, Alice makes something for the campaign alone.
    of_alice, _new = build_start(
        recipe="lm", inputs={"text": one.key}, options={"order": 1}, actor=make_user("alice")
    )
    assert of_alice.bound
    with pytest.raises(Conflict, match="is being made from it"):
        resource_move(resource=one, place=place_of(dora, None), actor=dora)
    of_alice.delete()
    built = made(built)
    moved = resource_move(resource=built.resource, place=Ownership("site"), actor=dora)
    built.refresh_from_db()
    assert (moved.scope, moved.created_by, built.scope) == ("site", dora, "site")
    there = stored(dora, place_of(dora, other), built.resource.kind, built.resource.sha256)
    with pytest.raises(Conflict, match="there already"):
        resource_move(resource=moved, place=there.place, actor=dora)
