"""The database of the site, read with plain SQL and nothing of the product."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote, urlsplit
from uuid import UUID

AHEAD = timedelta(minutes=10)  # Later than this run could have written.


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server acknowledged, by public keys.

    version   of the judgment; 0 of a form without scripts, which is told none
    repeated  the same value was there: the answer may have no row of its own
    """

    annotator: UUID
    substitution: UUID
    scale: UUID
    value: float | None
    version: int = 0
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """`stored` versions with an id of their own; acknowledged answers that are `lost`; what is
    `wrong`, in sentences; versions with a time in the future (`ahead`)."""

    stored: int
    lost: list[UUID]
    wrong: list[str]
    ahead: int


@dataclass(frozen=True, slots=True)
class _Version:
    request: UUID | None
    number: int
    value: float | None
    place: tuple[UUID, UUID, UUID]


_VERSIONS = """
SELECT v.request_id, v.version, v.value, a.key, t.key, c.key
FROM annotation_judgmentversion v
JOIN annotation_judgment j ON j.id = v.judgment_id
JOIN annotation_annotator a ON a.id = j.annotator_id
JOIN annotation_substitution t ON t.id = j.substitution_id
JOIN annotation_scale c ON c.id = j.scale_id
"""
# Each finds the rows that break it.
RULES = {
    "versions are counted from 1 without gaps": """
        SELECT j.id FROM annotation_judgment j
        LEFT JOIN annotation_judgmentversion v ON v.judgment_id = j.id
        GROUP BY j.id, j.version
        HAVING COUNT(v.id) <> j.version OR COUNT(DISTINCT v.version) <> j.version
            OR MIN(v.version) <> 1 OR MAX(v.version) <> j.version""",
    "a judgment is its newest version": """
        SELECT j.id FROM annotation_judgment j
        JOIN annotation_judgmentversion v ON v.judgment_id = j.id AND v.version = j.version
        WHERE COALESCE(v.value, -1e9) <> COALESCE(j.value, -1e9)
            OR v.reason <> j.reason OR v.comment <> j.comment""",
    "an id stands for one save": """
        SELECT MIN(id) FROM annotation_judgmentversion WHERE request_id IS NOT NULL
        GROUP BY request_id HAVING COUNT(*) > 1""",
    "at most k judgments of a text count": """
        SELECT j.substitution_id FROM annotation_judgment j
        JOIN annotation_sheetentry e
            ON e.substitution_id = j.substitution_id AND e.occasion = j.occasion
        JOIN annotation_sheet s ON s.id = e.sheet_id
        WHERE j.status = 'counted' AND j.kind = 'rating'
            AND s.for_annotator_id IS NULL AND NOT s.shared
        GROUP BY j.substitution_id, j.scale_id, s.id, s.slots_wanted
        HAVING COUNT(*) > s.slots_wanted""",
    "at most k are done with a sheet": """
        SELECT s.id FROM annotation_sheet s JOIN annotation_slot p ON p.sheet_id = s.id
        WHERE p.state = 'done' AND NOT s.shared
        GROUP BY s.id, s.slots_wanted HAVING COUNT(*) > s.slots_wanted""",
    "done is complete": """
        SELECT DISTINCT p.id FROM annotation_slot p
        JOIN annotation_sheetentry e ON e.sheet_id = p.sheet_id
        JOIN annotation_scale c ON c.campaign_id = p.campaign_id AND c.required
        LEFT JOIN annotation_judgment j ON j.slot_id = p.id AND j.scale_id = c.id
            AND j.substitution_id = e.substitution_id AND j.annotator_id = p.annotator_id
            AND j.status = 'counted' AND j.kind = 'rating'
            AND (j.value IS NOT NULL OR j.reason <> '')
        WHERE p.state = 'done' AND j.id IS NULL""",
    "what counts has a done place of its annotator, with its text": """
        SELECT DISTINCT j.id FROM annotation_judgment j
        LEFT JOIN annotation_slot p ON p.id = j.slot_id
        LEFT JOIN annotation_sheetentry e ON e.sheet_id = p.sheet_id
            AND e.substitution_id = j.substitution_id AND e.occasion = j.occasion
        WHERE j.status = 'counted' AND j.kind = 'rating' AND j.batch_id IS NULL
            AND (p.id IS NULL OR p.state <> 'done' OR p.annotator_id <> j.annotator_id
                OR e.id IS NULL)""",
}


def read(url: str, acknowledged: Mapping[UUID, Answer]) -> Findings:
    """Read the database at the address, of all campaigns, at one moment."""
    address = urlsplit(url)
    if address.scheme == "sqlite":
        with closing(sqlite3.connect(unquote(address.path[1:]), timeout=60)) as connection:
            connection.execute("BEGIN")
            return findings(connection, acknowledged)
    import psycopg

    with psycopg.connect(url) as server:
        server.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        return findings(server, acknowledged)


def findings(connection: Any, acknowledged: Mapping[UUID, Answer]) -> Findings:
    """What an open connection of `sqlite3` or `psycopg` shows."""
    versions = [
        _Version(_uuid(row[0]), row[1], row[2], _place(*row[3:]))
        for row in _rows(connection, _VERSIONS)
    ]
    requests = {one.request: one for one in versions if one.request is not None}
    numbers = {(one.place, one.number): one for one in versions}
    lost, wrong = [], []
    for key, answer in acknowledged.items():
        place = (answer.annotator, answer.substitution, answer.scale)
        version = requests.get(key)
        if version is None and answer.repeated:
            version = numbers.get((place, answer.version))
        if version is None:
            lost.append(key)
        elif (version.place, version.value) != (place, answer.value):
            wrong.append(f"{key}: acknowledged {place} {answer.value}, stored {version}")
        elif answer.version not in (0, version.number) and not answer.repeated:
            wrong.append(f"{key}: acknowledged as version {answer.version}, stored {version}")
    for rule, statement in RULES.items():
        if broken := [row[0] for row in _rows(connection, statement)]:
            wrong.append(f"{rule}: not so of {len(broken)}, such as {broken[:3]}")
    late = (datetime.now(UTC) + AHEAD).replace(tzinfo=None).isoformat(" ")
    # SQLite compares texts, in which what follows the digits does not matter.
    times = f"SELECT COUNT(*) FROM annotation_judgmentversion WHERE recorded_at > '{late}+00'"
    [(ahead,)] = _rows(connection, times)
    return Findings(len(requests), lost, wrong, ahead)


def _rows(connection: Any, statement: str) -> Iterator[tuple[Any, ...]]:
    with closing(connection.cursor()) as cursor:
        cursor.execute(statement)
        yield from cursor.fetchall()


def _place(*keys: Any) -> tuple[UUID, UUID, UUID]:
    annotator, substitution, scale = map(_uuid, keys)
    assert annotator and substitution and scale
    return annotator, substitution, scale


def _uuid(stored: Any) -> UUID | None:
    """SQLite stores the 32 digits."""
    return stored if stored is None or isinstance(stored, UUID) else UUID(stored)
