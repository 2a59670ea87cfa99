"""Rights that the navigation asks for."""

import pytest
from django.contrib.auth.models import AnonymousUser

from annotation.templatetags.labels import researches
from tests.factories import make_campaign, make_user


@pytest.mark.django_db
def test_researchers_of_any_campaign_are_known_in_one_query(django_assert_num_queries, campaign):
    make_campaign("other", items=1)
    found = {}
    for name in ("alice", "dora", "vera", "bob", "charlie"):
        user = make_user(name)
        with django_assert_num_queries(1):
            found[name] = researches(user)
    assert found == {"alice": True, "dora": True, "vera": False, "bob": False, "charlie": False}
    assert not researches(AnonymousUser())
