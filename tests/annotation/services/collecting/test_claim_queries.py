"""What a claim costs in statements: the same, however much comes before the first sheet."""

from annotation.people.background import (
    Given,
)
from annotation.quality.practice import next_step, practice_grant
from tests.annotation.acts import add_rule
from tests.annotation.claimed import offer
from tests.annotation.school import ask_practice
from tests.clients import captured
from tests.factories import (
    agree,
    ask_consent,
    ask_question,
    give_answers,
    make_annotator,
    make_campaign,
)


def statements(act, annotator):
    """The reads and writes of an action, without savepoints."""
    with captured() as queries:
        act(annotator)
    return [one["sql"] for one in queries if "SAVEPOINT" not in one["sql"]]


def everything(bob):
    """Bob has consented, answered, practised; a campaign with rules watches him."""
    campaign = bob.campaign
    ask_consent(campaign, "You judge.")
    agree(bob)
    question = ask_question(campaign, "How old?")
    give_answers(bob, {question.key: Given(["40"])})
    ask_practice(campaign)
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
