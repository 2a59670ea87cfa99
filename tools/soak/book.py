"""What happened: requests, faults, what was acknowledged, and memory."""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import dataclass, field
from uuid import UUID

from tools.soak.reader import Answer

LONGEST = 5.0  # Seconds that a request may take while its part is well.
AFTER = 3.0  # Seconds after a fault in which what waited for it is still answered.


@dataclass(frozen=True, slots=True)
class Request:
    """One request: when it began, how long it took, at which host, and how it ended."""

    begin: float
    took: float
    host: str
    what: str
    status: int  # 0: no answer.


@dataclass(slots=True)
class Fault:
    """What was done to which hosts ("" of `hosts`: to all), and from when to when."""

    name: str
    hosts: frozenset[str]
    begin: float
    end: float = float("inf")

    def explains(self, request: Request) -> bool:
        over = request.begin < self.end + AFTER and request.begin + request.took > self.begin
        return over and (not self.hosts or request.host in self.hosts)


@dataclass
class Book:
    """Written by all threads."""

    requests: list[Request] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    acknowledged: dict[UUID, Answer] = field(default_factory=dict)
    acknowledged_at: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    # From when to when the clocks of which hosts were ahead.
    ahead: list[tuple[float, float, list[str]]] = field(default_factory=list)
    memory: dict[tuple[str, int], list[tuple[float, float]]] = field(default_factory=dict)
    ordered: list[tuple[str, str]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def request(self, begin: float, host: str, what: str, status: int) -> None:
        with self._lock:
            self.requests.append(Request(begin, time.monotonic() - begin, host, what, status))

    def acknowledge(self, answers: dict[UUID, Answer]) -> None:
        """Of an answer that was sent more than once, what says most about its row stays."""
        with self._lock:
            for key, answer in answers.items():
                before = self.acknowledged.get(key, answer)
                if before.value != answer.value:
                    self.refused.append(f"{key}: acknowledged as {before} and as {answer}")
                if answer is before or before.repeated:
                    self.acknowledged[key] = answer
            self.acknowledged_at.append(time.monotonic())

    def refuse(self, what: str) -> None:
        with self._lock:
            self.refused.append(what)

    def order(self, kind: str, address: str) -> None:
        """Something a worker was asked for and must finish."""
        with self._lock:
            self.ordered.append((kind, address))

    def slow(self) -> list[Request]:
        """Requests above `LONGEST` that no fault explains."""
        return [
            one
            for one in self.requests
            if one.took > LONGEST and not any(fault.explains(one) for fault in self.faults)
        ]

    def saves_while_ahead(self) -> int:
        """Saves that a host received and answered while its clock was ahead."""
        return sum(
            any(
                begin < one.begin and one.begin + one.took < end and one.host in hosts
                for begin, end, hosts in self.ahead
            )
            for one in self.requests
            if one.what in {"sheets", "rate"} and one.status in {200, 302}
        )

    def worst_pause(self) -> float:
        """The longest time in which nobody's answers were acknowledged, in seconds."""
        times = sorted(self.acknowledged_at)
        return max((b - a for a, b in itertools.pairwise(times)), default=0.0)

    def slope(self, part: str, warm: float) -> float | None:
        """MB an hour that the part grew by while it lived, over all its lives, the first `warm`
        seconds of each left out: the common slope of straight lines with an intercept for each.
        None where no life was watched for a minute after that."""
        above = below = 0.0
        for (name, _), points in self.memory.items():
            later = [(at, mb) for at, mb in points if name == part and at - points[0][0] >= warm]
            if not later or later[-1][0] - later[0][0] < 60:
                continue
            middle_at = sum(at for at, _ in later) / len(later)
            middle_mb = sum(mb for _, mb in later) / len(later)
            above += sum((at - middle_at) * (mb - middle_mb) for at, mb in later)
            below += sum((at - middle_at) ** 2 for at, _ in later)
        return 3600 * above / below if below else None
