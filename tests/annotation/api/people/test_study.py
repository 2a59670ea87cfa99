"""Sixty simulated people over HTTP finish a study, on both databases."""

import pytest

from annotation.accounts.tokens import token_make
from tests.annotation.crowd import FarBrowser
from tests.annotation.crowd_study import Study, as_owner, study_walk
from tests.factories import make_campaign, make_user
from tests.live import Site


@pytest.mark.slow
@pytest.mark.parametrize(
    "database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
)
def test_sixty_people_finish_a_study(database, django_db_blocker):
    unblock = django_db_blocker.unblock
    site = Site(database=database, unblock=unblock)
    try:
        site.start("web")
        with site.database():
            campaign = make_campaign(items=60, systems=1, k=3, cast=False)
            _token, text = token_make(user=make_user("alice"), label="study")
            study = Study(
                slug="camp",
                quota=4,
                browser=lambda: FarBrowser(site.url),
                owner=as_owner(FarBrowser(site.url), text),
            )
            study_walk(study, campaign, people=60, late=8, k=3)
    finally:
        site.close()
