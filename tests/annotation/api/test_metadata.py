"""OPTIONS names what the route reads and writes; the walk over all routes asks each."""

from tests.factories import make_campaign


def test_a_route_that_takes_files_says_so(login):
    make_campaign()
    answer = login("alice").options("/api/v1/campaigns/camp/imports/items")
    assert answer.status_code == 200
    assert answer.json()["parses"] == ["multipart/form-data"]
    assert answer.json()["renders"] == ["application/json"]
