"""What a claim costs in statements: the same, however much comes before the first sheet."""

from annotation.people.background import (
    Given,
    Question,
    background_answer,
    consent_give,
    consent_text_add,
    question_add,
)
from annotation.quality.practice import next_step, practice_grant, practice_set
from tests.annotation.acts import add_rule
from tests.annotation.claimed import offer
from tests.clients import captured
from tests.factories import make_annotator, make_campaign


def statements(act, annotator):
    """The reads and writes of an action, without savepoints."""
    with captured() as queries:
        act(annotator)
    return [one["sql"] for one in queries if "SAVEPOINT" not in one["sql"]]


def everything(bob):
    """Bob has consented, answered, practised; a campaign with rules watches him."""
    campaign = bob.campaign
    consent_text_add(campaign=campaign, text="You judge.", actor=None)
    consent_give(annotator=bob, version=1)
    question = question_add(campaign=campaign, question=Question("How old?"), actor=None)
    background_answer(annotator=bob, answers={question.key: Given(["40"])})
    practice_set(campaign=campaign, required=True, share=1, tries=1, tolerance={}, actor=None)
    practice_grant(annotator=bob, kind="pass", actor=None)
    add_rule(campaign, "control", "pause", least=4, share=0.5)


def test_what_comes_before_a_sheet_is_asked_in_one_look():
    campaign = make_campaign(items=2)
    bob, ben = make_annotator(campaign, "bob"), make_annotator(campaign, "ben")
    plain = statements(offer, ben)
    everything(bob)
    assert len(statements(lambda one: next_step(annotator=one), bob)) == 1
    full = statements(offer, bob)
    # Where bob starts in the order is drawn by lot: he may have to wrap round for a free slot.
    looks = [one for one in full if "scan_key >=" in one]
    others = [one for one in plain if "scan_key >=" not in one]
    assert len(full) - len(looks) == len(others)
    # Standing, tier, the sheet; on SQLite the slot and its history, whose places on PostgreSQL the
    # clock and a lock take: there a look claims.
    assert len(others) == 5
