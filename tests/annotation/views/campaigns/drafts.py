"""A campaign that is a draft, and the page of its imports."""

from tests.factories import make_campaign

PAGE = "/c/camp/import/"


def draft():
    return make_campaign(items=2, open_it=False)
