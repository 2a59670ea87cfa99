"""How far long work is: said by its loops, heard by whoever waits (the row of a job, a terminal).

A loop takes its things from `steps`; a loop inside one of them divides that step. Where nobody
listens this costs a look at a variable.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TypeVar

COUNTED = 1000
T = TypeVar("T")
Tell = Callable[[float], object]


class _Listener:
    """Is told at most once in `every` seconds, and never less than before."""

    def __init__(self, tell: Tell, every: float) -> None:
        self.tell, self.every = tell, every
        self.furthest, self.told_at = 0.0, time.monotonic()

    def hear(self, share: float) -> None:
        if share <= self.furthest:
            return
        self.furthest, now = share, time.monotonic()
        if now - self.told_at >= self.every:
            self.told_at = now
            self.tell(min(share, 1.0))


@dataclass(frozen=True, slots=True)
class _Span:
    """A part of the work, from 0 to 1, that begins at `low` and is `size` of the whole."""

    hear: Tell
    low: float
    size: float


_part: ContextVar[_Span | None] = ContextVar("part", default=None)


@contextmanager
def listening(tell: Tell, *, every: float = 1.0) -> Iterator[None]:
    """Call `tell` with the share that is done, from 0 to 1, of what is done inside.

    At most once in `every` seconds, and not before the first of them is over. What `tell` raises
    ends the work. Inside a step of other work that hears of it, too.
    """
    listener, outer = _Listener(tell, every), _part.get()

    def hear(share: float) -> None:
        if outer is not None:
            outer.hear(outer.low + outer.size * share)
        listener.hear(share)

    token = _part.set(_Span(hear, 0.0, 1.0))
    try:
        yield
    finally:
        _part.reset(token)


@contextmanager
def relayed(relay: Callable[[Callable[[], object]], object]) -> Iterator[None]:
    """Hand over what listeners are to be told inside to `relay`, which calls it."""
    part = _part.get()
    if part is None:
        yield
        return
    hear = part.hear
    token = _part.set(replace(part, hear=lambda share: relay(lambda: hear(share))))
    try:
        yield
    finally:
        _part.reset(token)


def done(share: float) -> None:
    """Say that so much of this part is done, from 0 to 1."""
    part = _part.get()
    if part is not None:
        part.hear(part.low + part.size * share)


@contextmanager
def step(low: float, high: float) -> Iterator[None]:
    """What is done inside is this much of the part, from `low` to `high`."""
    part = _part.get()
    if part is None:
        yield
        return
    token = _part.set(_Span(part.hear, part.low + part.size * low, part.size * (high - low)))
    try:
        yield
    finally:
        _part.reset(token)
    done(high)


def counted(things: Iterable[T], *, total: int, before: int = 0) -> Iterator[T]:
    """Yield the things, and say after each thousand which share of `total` they are with those
    that came `before`."""
    for number, thing in enumerate(things, before + 1):
        yield thing
        if number % COUNTED == 0 and total:
            done(number / total)


def steps(things: Sequence[T]) -> Iterator[T]:
    """Yield the things; what is done with each is an equal step of the part."""
    for number, thing in enumerate(things):
        with step(number / len(things), (number + 1) / len(things)):
            yield thing
