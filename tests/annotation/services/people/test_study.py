"""A crowd judges a campaign at once, on both databases: k is reached, and never more."""

import pytest

from annotation.accounts.tokens import token_make
from tests.annotation.crowd import NearBrowser
from tests.annotation.crowd_study import Study, as_owner, study_walk
from tests.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_a_small_crowd_finishes_a_study():
    campaign = make_campaign(items=8, systems=1, k=2, cast=False)
    _token, text = token_make(user=make_user("alice"), label="study")
    study = Study(slug="camp", quota=3, browser=NearBrowser, owner=as_owner(NearBrowser(), text))
    study_walk(study, campaign, people=14, late=3, k=2)
