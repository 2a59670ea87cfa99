"""Who gets a place, who waits, who is refused, and for how long."""

import pytest

from paraanno.gate.admission import MOST, Gate, Queued, Rank


def ask(gate, kind=Rank.JUDGING, *, came=0.0, patience=10.0, now=0.0, item="x"):
    return gate.enter(Queued(item, kind, came, patience), now)


def leave(gate, now=0.0):
    return [(one.item, one.kind, in_time) for one, in_time in gate.next(now)]


def test_judging_comes_first_and_leaves_a_place_to_each_kind_behind_it():
    gate = Gate(8)
    for kind in (Rank.FILE, Rank.PAGE, Rank.JUDGING):
        for _ in range(10):
            assert ask(gate, kind)
    assert [kind for _, kind, _ in leave(gate)] == [Rank.JUDGING] * 7 + [Rank.PAGE]
    gate.done(Rank.JUDGING, 0.05)
    assert [kind for _, kind, _ in leave(gate)] == [Rank.JUDGING]


@pytest.mark.parametrize(("kind", "places"), [(Rank.JUDGING, 7), (Rank.PAGE, 6), (Rank.FILE, 2)])
def test_no_kind_takes_all_places(kind, places):
    gate = Gate(8)
    for _ in range(9):
        ask(gate, kind)
    assert len(leave(gate)) == places
    others = [one for one in Rank if one != kind]
    for other in others:
        assert ask(gate, other)
    assert [one for _, one, _ in leave(gate)] == others[: 8 - places]


def test_one_thread_serves_every_kind():
    for kind in Rank:
        gate = Gate(1)
        assert ask(gate, kind) and len(leave(gate)) == 1


def test_a_queue_is_as_long_as_is_carried_out_in_a_moment():
    gate = Gate(8)
    lengths = []
    for seconds in (0.05, 0.5):
        gate.seconds[Rank.JUDGING] = seconds
        while ask(gate):
            leave(gate)
        lengths.append(gate.waiting())
        gate.queues[Rank.JUDGING].clear()
    assert lengths == [84, 8]  # Three fifths of a second of seven places.


def test_what_waited_elsewhere_is_counted_where_a_queue_stands():
    gate = Gate(8)
    assert ask(gate, came=-0.9), "a free place is given to whoever still waits"
    for _ in range(7):
        ask(gate)
    leave(gate)
    assert ask(gate) and not ask(gate, came=-0.6)


def test_what_waits_twice_as_long_as_was_estimated_is_told_to_come_back():
    gate = Gate(1)
    assert ask(gate, item="held") and leave(gate)
    assert ask(gate, Rank.PAGE, item="page") and ask(gate, item="late")
    assert leave(gate, now=1.1) == []
    assert leave(gate, now=1.3) == [("late", Rank.JUDGING, False)]
    assert leave(gate, now=5.9) == []
    assert leave(gate, now=6.1) == [("page", Rank.PAGE, False)]


def test_what_has_waited_longer_than_its_sender_does_gets_no_place():
    gate = Gate(1)
    for item, patience in (("held", 10), ("short", 0.4), ("long", 10)):
        assert ask(gate, patience=patience, item=item)
        leave(gate)
    assert leave(gate, now=0.3) == []
    assert leave(gate, now=0.5) == [("short", Rank.JUDGING, False)]
    gate.done(Rank.JUDGING, 0.5)
    assert leave(gate, now=0.5) == [("long", Rank.JUDGING, True)]
    # What came long ago, and waited elsewhere, is not even queued.
    assert not ask(gate, came=-11, patience=10)


def test_those_refused_come_back_one_after_the_other():
    gate = Gate(8)
    while ask(gate):
        leave(gate)
    times = [gate.retry_after(Rank.JUDGING, 0.0) for _ in range(5000)]
    assert times == sorted(times) and times[0] <= 2 and times[-1] == MOST
    # In each second as many as it takes to do them: 7 places, 0.05 s each.
    assert all(120 <= times.count(second) <= 160 for second in range(3, MOST - 1))
    # When they are through, the next one is not asked to wait for them.
    gate.queues[Rank.JUDGING].clear()
    assert gate.retry_after(Rank.JUDGING, 100.0) == 1


def test_the_time_that_requests_take_is_learnt():
    gate = Gate(8)
    for _ in range(60):
        gate.running[Rank.JUDGING] += 1
        gate.done(Rank.JUDGING, 0.2)
    assert gate.seconds[Rank.JUDGING] == pytest.approx(0.2, rel=0.01)
