"""Rows about the same text that come again: as they were, judged anew, or of another system.

An equal row says nothing new. Where time stamps say which row is the later one, it holds. The same
text of another system is judged by itself: the next occasion.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from hashlib import blake2b
from operator import itemgetter
from typing import Any

from annotation.importers.tables.books import Cell, Row, key_of, letters

MOST_SEEN = 200_000  # rows that are compared
MOST_AGAIN, MOST_EQUAL = 0.1, 0.25  # shares of rows, beyond which a column may be missing
MOST_APART = 0.4  # share of rows whose text another system has too
_MOMENT = re.compile(
    r"(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})\.?"
    r"(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\s*([AaPp][Mm])?)?"
)
_CENTURY = 100
Read = tuple[datetime, ...]


def moments(cell: Cell) -> Read:
    """Return what a cell may mean as a time: none, one, or two where day and month may be
    exchanged."""
    if isinstance(cell, datetime):
        return (_bare(cell),)
    if isinstance(cell, date):
        return (datetime.combine(cell, time()),)
    if isinstance(cell, bool) or cell is None:
        return ()
    text = str(cell).strip()
    try:
        number = float(text)
    except ValueError:
        return _spoken(text)
    for seconds in (number, number / 1000):  # since 1970
        if 1e9 < seconds < 3e9:
            return (datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None),)
    return ()


def _bare(moment: datetime) -> datetime:
    return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)


def _spoken(text: str) -> Read:
    try:
        return (_bare(datetime.fromisoformat(text)),)
    except ValueError:
        match = _MOMENT.fullmatch(text)
    if match is None:
        return ()
    one, two, three = (int(part) for part in match.groups()[:3])
    hour, minute = (int(part or 0) for part in match.groups()[3:5])
    seconds = float(match[6] or 0)
    if match[7]:
        hour = hour % 12 + 12 * (match[7].lower() == "pm")
    days = [(one, two, three)] if one >= _CENTURY else [(three, two, one)]
    if one < _CENTURY and "." not in match[0].split(":")[0]:
        days.append((three, one, two))
    read = []
    for year, month, day in days:
        try:
            day_itself = date(year if year >= _CENTURY else 2000 + year, month, day)
            whole = datetime.combine(day_itself, time(hour, minute))
        except ValueError:
            continue
        read.append(whole + timedelta(seconds=seconds))
    return tuple(dict.fromkeys(read))


def is_later(one: Sequence[Cell], two: Sequence[Cell]) -> bool | None:
    """Whether the first of two rows is the later one by all of its times; None if these do not
    say."""
    answers: set[bool] = set()
    for here, there in zip(map(moments, one), map(moments, two), strict=True):
        if not here or not there:
            continue
        pairs = list(zip(here, there, strict=False))
        if len(here) != len(there) or any(a == b for a, b in pairs):
            return None
        answers |= {a > b for a, b in pairs}
    return answers.pop() if len(answers) == 1 else None


def digest(cells: Sequence[Cell], places: Sequence[int]) -> bytes:
    """Return what the cells of a key are compared by."""
    text = "\x1f".join([key_of(cells, at) for at in places])
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()


def taken(cells: Sequence[Cell], places: Sequence[int]) -> tuple[str, ...]:
    """Return the cells of some columns as they are compared."""
    return tuple([key_of(cells, at) for at in places])


def _times(cells: Sequence[Cell], places: Sequence[int]) -> tuple[Cell, ...]:
    return tuple([cells[at] if at < len(cells) else None for at in places])


def differ(one: Sequence[str], two: Sequence[str]) -> bool:
    """Whether two rows of values have different ones, and are no parts of one."""
    return any(a and b and a != b for a, b in zip(one, two, strict=True))


# The repairs: rows that come again are left out, those of other systems are numbered.


def once(
    rows: Callable[[], Iterator[Row]],
    keys: Sequence[int],
    values: Sequence[int],
    times: Sequence[int],
) -> Iterator[Row]:
    """Yield each row once: of rows with the same key, the first of those with equal values, and
    the latest of others where times say which. Rows of which nothing says this all stay."""
    if times:
        whole = list(rows())
        seen: dict[bytes, list[int]] = {}
        left: set[int] = set()
        for at, (_, cells) in enumerate(whole):
            others = seen.setdefault(digest(cells, keys), [])
            for other in others:
                if other in left:
                    continue
                there = whole[other][1]
                here, before = taken(cells, values), taken(there, values)
                if here == before:
                    left.add(at)
                    break
                later = is_later(_times(cells, times), _times(there, times))
                if later is not None and differ(here, before):
                    left.add(other if later else at)
            others.append(at)
        yield from (row for at, row in enumerate(whole) if at not in left)
        return
    read: dict[bytes, set[tuple[str, ...]]] = {}
    for number, cells in rows():
        earlier, own = read.setdefault(digest(cells, keys), set()), taken(cells, values)
        if own not in earlier:
            earlier.add(own)
            yield number, cells


def occasions(
    rows: Iterable[Row], keys: Sequence[int], apart: Sequence[int], width: int
) -> Iterator[Row]:
    """Yield the rows with the number of their system among those with the same key."""
    seen: dict[bytes, list[tuple[str, ...]]] = {}
    for number, cells in rows:
        systems, own = seen.setdefault(digest(cells, keys), []), taken(cells, apart)
        if own not in systems:
            systems.append(own)
        whole = [*cells, *[None] * (width - len(cells))][:width]
        yield number, [*whole, systems.index(own) + 1]


# Whether a table needs them.


@dataclass(slots=True)
class RowRepeats:
    """The rows of a table, compared: `keys` are the places of columns that say who judged which
    text, `apart` those of systems, `values` and `times` theirs."""

    keys: Sequence[int]
    values: Sequence[int]
    apart: Sequence[int] = ()
    times: Sequence[int] = ()
    n: int = 0
    equal: int = 0
    again: int = 0
    unclear: int = 0
    systems: int = 0
    _seen: dict[int, Any] = field(default_factory=dict)

    def see(self, rows: Iterable[Row]) -> None:
        """Compare rows with all before them."""
        width = 1 + max((*self.keys, *self.values, *self.apart, *self.times))
        key_of_row = itemgetter(*self.keys)
        rest = [*self.values, *self.apart, *self.times, self.values[0]]
        rest_of_row = itemgetter(*rest)
        for _, cells in rows:
            self.n += 1
            if self.n > MOST_SEEN:
                return
            whole = cells if len(cells) >= width else [*cells, *[None] * (width - len(cells))]
            key, entry = hash(key_of_row(whole)), rest_of_row(whole)
            before = self._seen.setdefault(key, entry)
            if before is entry:
                continue
            entries = before if isinstance(before, list) else [before]
            self._compare(self._parts(entry), [self._parts(one) for one in entries])
            self._seen[key] = [*entries, entry]

    def _parts(self, entry: Sequence[Cell]) -> Any:
        """Return the values, the system and the times of a row as they are compared."""
        first, second = len(self.values), len(self.values) + len(self.apart)
        third = second + len(self.times)
        return (
            taken(entry, range(first)),
            taken(entry, range(first, second)),
            entry[second:third],
        )

    def _compare(self, entry: Any, entries: Sequence[Any]) -> None:
        values, apart, times = entry
        alike = [one for one in entries if one[1] == apart]
        self.systems += not alike
        if any(one[0] == values for one in alike):
            self.equal += 1
            return
        others = [one for one in alike if differ(one[0], values)]
        if others:
            clear = all(is_later(times, one[2]) is not None for one in others)
            self.again += clear
            self.unclear += not clear

    def steps(self) -> list[Mapping[str, Any]]:
        """Return the repairs that leave no choice; none where rows stay that only somebody can
        tell apart, or where so many come again that a column may be missing."""
        if self.unclear or self.n > MOST_SEEN or self.systems > MOST_APART * self.n:
            return []
        more = self.again + self.equal
        if more > (MOST_AGAIN if self.again else MOST_EQUAL) * self.n:
            return []
        steps: list[Mapping[str, Any]] = []
        if more:
            named = {
                "columns": [*map(letters, (*self.keys, *self.apart))],
                "values": [*map(letters, self.values)],
            }
            times = {"times": [*map(letters, self.times)]} if self.again else {}
            steps.append({"step": "once", **named, **times})
        if self.systems:
            keys, apart = [*map(letters, self.keys)], [*map(letters, self.apart)]
            steps.append({"step": "occasions", "columns": keys, "apart": apart})
        return steps
