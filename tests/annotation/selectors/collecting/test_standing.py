"""The statement about an annotator names its columns in the order of the states."""

from dataclasses import fields

from annotation.sheets.sql import ClaimState, Waiting, at_most_of, claim_state
from tests.factories import make_annotator, make_campaign


def test_who_has_just_joined_is_held_back_by_nothing():
    bob = make_annotator(make_campaign(items=1))
    state = claim_state(bob)
    assert state == ClaimState(*[False] * 9, Waiting(*[False] * 5))
    assert len(fields(ClaimState)) == 10
    assert not state.stopped
    assert at_most_of([bob])[bob.pk] is None
