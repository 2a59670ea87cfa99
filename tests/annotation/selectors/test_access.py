"""What a user may see. Every other read starts from here."""

import pytest

from annotation.access import Rights, Role, campaign_get, campaigns_for, campaigns_read_by, rights
from annotation.campaigns import queries
from annotation.errors import NotAllowed, NotFound
from tests.factories import give_role, make_user
from tests.site.permissions.world import make_world


def known_to(user):
    """Slugs that the user knows of, whose results they read, and where they annotate."""
    return (
        {one.slug for one in campaigns_for(user=user)},
        {one.slug for one in campaigns_read_by(user=user)},
        {one.campaign.slug for one in queries.campaigns_to_annotate(user=user)},
    )


def test_a_user_reads_their_own_campaigns_and_in_each_by_their_role_there():
    worlds = {slug: make_world(slug) for slug in ("camp", "beside")}
    for slug in worlds:
        vera, zoe = make_user(f"vera-{slug}"), make_user(f"zoe-{slug}")
        give_role(worlds[slug].campaign, vera, "viewer")
        give_role(worlds[slug].campaign, zoe, "annotator")
        assert known_to(vera) == ({slug}, {slug}, set())
        assert known_to(zoe) == ({slug}, set(), {slug})
        for other in worlds.keys() - {slug}:
            assert not rights(user=vera, campaign=worlds[other].campaign).see
            with pytest.raises(NotFound):
                campaign_get(user=vera, slug=other, right="read")
        with pytest.raises(NotAllowed):
            campaign_get(user=zoe, slug=slug, right="read")
        assert campaign_get(user=vera, slug=slug, right="read")[0] == worlds[slug].campaign
    assert known_to(make_user("charlie")) == (set(), set(), set())


@pytest.mark.parametrize(
    ("role", "granted"),
    [
        (None, ""),
        (Role.ANNOTATOR, "see annotate"),
        (Role.VIEWER, "see read"),
        (Role.RESEARCHER, "see annotate read research keep"),
        (Role.OWNER, "see annotate read research keep own"),
    ],
)
def test_what_each_role_may_do(role, granted):
    every = ("see", "annotate", "read", "research", "keep", "own")

    def given(found):
        return {right for right in every if getattr(found, right)}

    assert given(Rights(role, site_admin=False)) == set(granted.split())
    assert given(Rights(role, site_admin=True)) == set(every)
    unchanging = set(granted.split()) - {"annotate", "research"}
    assert given(Rights(role, site_admin=False, archived=True)) == unchanging
