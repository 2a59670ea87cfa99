"""A short soak: every part is killed, frozen or cut off once while people judge; `python -m
tools.soak` is the long one."""

import pytest

from tests import needs
from tools.soak.book import Book, Fault, Request
from tools.soak.run import Plan, run


@pytest.mark.nightly
def test_nothing_acknowledged_is_lost_while_each_part_fails_once(django_db_blocker):
    needs.need("postgres")
    needs.need("redis")
    with django_db_blocker.unblock():
        result = run(Plan(seconds=70, annotators=8, pace=1, every=5, fault=2))
    told = "\n".join(result.lines())
    assert result.lost == [], told
    assert result.broken == [], told
    assert result.too_many == 0, told
    assert result.unfinished == [], told
    assert result.book.refused == [], told
    assert result.stored >= len(result.book.acknowledged) > 100, told
    assert len(result.book.faults) >= 8, told


def test_a_request_is_slow_unless_a_fault_of_its_host_explains_it():
    book = Book(faults=[Fault("frozen", frozenset("b"), 10, 20)])
    book.requests = [
        Request(12, 9, "b", "sheets", 200), Request(12, 9, "a", "sheets", 200),
        Request(5, 6, "b", "sheets", 200), Request(24, 6, "b", "sheets", 200),
        Request(12, 4, "a", "sheets", 200),
    ]  # fmt: skip
    assert book.slow() == [book.requests[1], book.requests[3]]


def test_the_slope_of_memory_is_that_of_each_life():
    points = [(at, 100 + at / 60) for at in range(0, 300, 5)]
    again = [(at, 400 + at / 60) for at in range(300, 600, 5)]
    book = Book(memory={("web", 1): points, ("web", 2): again, ("worker", 1): points[:8]})
    assert book.slope("web", 60) == pytest.approx(60)
    assert book.slope("worker", 60) is None
