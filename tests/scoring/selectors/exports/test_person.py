"""The exports that a person ordered are theirs alone."""

from scoring.exports.rows import exports_of
from scoring.exports.services import export_order
from tests.factories import make_campaign, make_user


def test_they_are_told_to_nobody_else():
    alice = make_user("alice")
    campaign = make_campaign(items=1)
    export_order(campaign=campaign, what="judgments", format="csv", actor=alice)
    assert [row["what"] for row in exports_of(alice)["exports"]] == ["judgments"]
    assert list(exports_of(make_user("bob"))["exports"]) == []
