"""The gate of a web process: places for three kinds of requests, queues, and when to come back.

Judging comes before pages of researchers, and these before files and boards. A kind that comes
first leaves one place to those behind it, and a kind that comes later never takes all places. A
queue is as long as can be carried out in a moment; whoever comes then is refused at once, which
costs little, and is given a time of their own to come back.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Rank(IntEnum):
    """What a request is for; the lower comes first."""

    JUDGING = 0
    PAGE = 1
    FILE = 2


# Seconds that a request may wait in all, as estimated when it comes; twice as long in fact.
QUEUE_SECONDS = {Rank.JUDGING: 0.6, Rank.PAGE: 3.0, Rank.FILE: 10.0}
LEAST, MOST = 1, 30  # seconds of Retry-After
WEIGHT = 0.1  # of the latest request in the mean time that requests of a kind take
FIRST_GUESS = 0.05  # seconds a request takes


@dataclass(slots=True)
class Queued(Generic[Item]):
    """A request in a queue: when it came, how many seconds its sender waits for an answer, and
    the time from which it is not carried out any more."""

    item: Item
    kind: Rank
    came: float
    patience: float
    until: float = math.inf


class Gate(Generic[Item]):
    """The queues and places of a process with so many threads.

    Times are seconds of one clock, given by the caller. One thread uses a gate.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.limits = {
            Rank.JUDGING: max(1, threads - 1),
            Rank.PAGE: max(1, threads - 2),
            Rank.FILE: max(1, threads // 4),
        }
        self.queues: dict[Rank, deque[Queued[Item]]] = {kind: deque() for kind in Rank}
        self.running = dict.fromkeys(Rank, 0)
        self.seconds = dict.fromkeys(Rank, FIRST_GUESS)
        self._back = 0.0  # the time given to the one refused last

    def wait(self, kind: Rank) -> float:
        """Estimate how long a request of this kind would wait now."""
        free = self.threads - sum(self.running.values())
        ahead = len(self.queues[kind])
        if not ahead and free > 0 and self.running[kind] < self.limits[kind]:
            return 0.0
        return (ahead + 1) * self.seconds[kind] / self._share(kind)

    def enter(self, request: Queued[Item], now: float) -> bool:
        """Put a request into its queue; False, with nothing done, if it would wait too long."""
        wait = self.wait(request.kind)
        soon = request.until = request.came + request.patience
        if wait:  # Some have waited in the kernel's queue before.
            longest = QUEUE_SECONDS[request.kind]
            soon = min(soon, request.came + longest)
            request.until = min(request.until, request.came + 2 * longest)
        if now + wait > soon:
            return False
        self.queues[request.kind].append(request)
        return True

    def next(self, now: float) -> Iterator[tuple[Queued[Item], bool]]:
        """Yield what leaves the queues now, with whether it is to be carried out.

        What is not has waited for so long that the answer would come late, or after its sender has
        given up.
        """
        for kind in Rank:
            queue = self.queues[kind]
            while queue:
                if now > queue[0].until:
                    yield queue.popleft(), False
                elif self.running[kind] < self.limits[kind] and self._free():
                    self.running[kind] += 1
                    yield queue.popleft(), True
                else:
                    break

    def done(self, kind: Rank, took: float) -> None:
        """Give a place back; the request took so many seconds."""
        self.running[kind] -= 1
        self.seconds[kind] += WEIGHT * (took - self.seconds[kind])

    def retry_after(self, kind: Rank, now: float) -> int:
        """Return in how many seconds a refused request has its turn: behind those refused before.

        So they come back as fast as they can be carried out, and not all together.
        """
        each = self.seconds[kind] / self._share(kind)
        earliest = now + max(self.wait(kind), each)
        self._back = min(max(self._back + each, earliest), now + MOST)
        return max(LEAST, min(MOST, math.ceil(self._back - now)))

    def waiting(self) -> int:
        return sum(map(len, self.queues.values()))

    def _free(self) -> bool:
        return sum(self.running.values()) < self.threads

    def _share(self, kind: Rank) -> int:
        """How many places the kind gets while those before it take theirs."""
        before = sum(self.running[one] for one in Rank if one < kind)
        return max(1, min(self.limits[kind], self.threads - before))
