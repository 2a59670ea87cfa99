"""Counts of judgments and slots that triggers keep, so that no page counts millions of rows.

On PostgreSQL a statement that writes judgments or slots adds a row for each kind that it changes:
an update of one row for all would make writers wait for each other. `tally_fold` sums them up. On
SQLite, which has one writer anyway, the row of a kind is updated. `tally_ensure` makes the triggers
after every migration: SQLite drops them with the table that a migration makes anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Sum

from annotation.models import Annotator, Campaign, Slot, Tally

KEY = "campaign_id, annotator_id, scale_id, state"
# What a row of each table is counted as. A slot that was done before it became void is one that
# was handed in.
UNDONE = "undone"
OF_TABLE = {
    "annotation_judgment": "{row}campaign_id, {row}annotator_id, {row}scale_id, {row}status",
    "annotation_slot": "{row}campaign_id, COALESCE({row}annotator_id, 0), 0,"
    f" CASE WHEN {{row}}state = 'void' AND {{row}}done_at IS NOT NULL THEN '{UNDONE}'"
    " ELSE {row}state END",
}
# More rows than these of one kind are folded into one.
MANY = 10
_FOLDING = 7_214_055_301  # The number of the lock of those who fold.


def _key(table: str, row: str = "") -> str:
    return OF_TABLE[table].format(row=row)


def _counted(table: str, rows: str, sign: int = 1, writes: str = "count(*)") -> str:
    return f"SELECT {_key(table)}, {sign} * count(*), {writes} FROM {rows} GROUP BY 1, 2, 3, 4"


def _with(inner: str) -> str:
    return f"WITH counted ({KEY}, n, writes) AS ({inner})"


def _postgresql() -> Iterator[str]:
    add = f"INSERT INTO annotation_tally ({KEY}, n, writes)"
    for table in OF_TABLE:
        name = table.replace("annotation_", "annotation_tally_")
        new, old = _counted(table, "new_rows"), _counted(table, "old_rows", -1)
        both = _with(f"{new} UNION ALL {_counted(table, 'old_rows', -1, '0')}")
        summed = (
            f"{both} SELECT {KEY}, sum(n), sum(writes) FROM counted GROUP BY 1, 2, 3, 4"
            " HAVING sum(n) <> 0 OR sum(writes) <> 0"
        )
        yield (
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            f" IF TG_OP = 'INSERT' THEN {add} {new};"
            f" ELSIF TG_OP = 'DELETE' THEN {add} {old};"
            f" ELSE {add} {summed}; END IF; RETURN NULL; END $$"
        )
        for event, rows in (
            ("INSERT", "NEW TABLE AS new_rows"),
            ("DELETE", "OLD TABLE AS old_rows"),
            ("UPDATE", "OLD TABLE AS old_rows NEW TABLE AS new_rows"),
        ):
            yield (
                f"CREATE OR REPLACE TRIGGER {name}_{event.lower()} AFTER {event} ON {table}"
                f" REFERENCING {rows} FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
            )
    yield f"CREATE INDEX IF NOT EXISTS annotation_tally_of_campaign ON annotation_tally ({KEY})"


def _sqlite() -> Iterator[str]:
    yield f"CREATE UNIQUE INDEX IF NOT EXISTS annotation_tally_once ON annotation_tally ({KEY})"
    for table in OF_TABLE:
        name = table.replace("annotation_", "annotation_tally_")
        # A deleted row was counted, unless its count went first, as tests empty all tables.
        less = (
            "UPDATE annotation_tally SET n = n - 1, writes = writes + 1"
            f" WHERE ({KEY}) = ({_key(table, 'OLD.')});"
        )
        more = (
            f"INSERT INTO annotation_tally ({KEY}, n, writes) VALUES ({_key(table, 'NEW.')}, 1, 1)"
            f" ON CONFLICT ({KEY}) DO UPDATE SET n = n + 1, writes = writes + 1;"
        )
        for event, does in (("INSERT", more), ("DELETE", less), ("UPDATE", f"{less} {more}")):
            yield (
                f"CREATE TRIGGER IF NOT EXISTS {name}_{event.lower()} AFTER {event} ON {table}"
                f" BEGIN {does} END"
            )


def tally_ensure(**_: Any) -> None:
    """Make the triggers, and count everything anew where one of them was missing."""
    with transaction.atomic(), connection.cursor() as cursor:
        postgres = connection.vendor == "postgresql"
        names = (
            "SELECT count(*) FROM pg_trigger WHERE tgname"
            if postgres
            else ("SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name")
        )
        cursor.execute(f"{names} LIKE 'annotation_tally_%%'", [])
        there = cursor.fetchone()[0] == 3 * len(OF_TABLE)
        if there:
            return
        if postgres:
            # Nobody writes between the count and the first trigger.
            cursor.execute(f"LOCK TABLE {', '.join(OF_TABLE)} IN SHARE ROW EXCLUSIVE MODE")
        for statement in _postgresql() if postgres else _sqlite():
            cursor.execute(statement)
        cursor.execute("DELETE FROM annotation_tally")
        for table in OF_TABLE:
            cursor.execute(
                f"INSERT INTO annotation_tally ({KEY}, n, writes) {_counted(table, table)}"
            )


def tally_fold() -> None:
    """Make one row of many of a kind, and drop those of campaigns that are gone. On PostgreSQL."""
    if connection.vendor != "postgresql":
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_FOLDING])
        if not cursor.fetchone()[0]:
            return
        cursor.execute(
            f"""
            WITH many AS (
              SELECT {KEY} FROM annotation_tally GROUP BY {KEY} HAVING count(*) > %s
            ), gone AS (
              DELETE FROM annotation_tally tally USING many
              WHERE tally.campaign_id = many.campaign_id
                AND tally.annotator_id = many.annotator_id
                AND tally.scale_id = many.scale_id AND tally.state = many.state
              RETURNING tally.*
            )
            INSERT INTO annotation_tally ({KEY}, n, writes)
            SELECT {KEY}, sum(n), sum(writes) FROM gone GROUP BY {KEY}
            """,
            [MANY],
        )
        cursor.execute(
            "DELETE FROM annotation_tally WHERE campaign_id NOT IN"
            " (SELECT id FROM annotation_campaign)"
        )


def slots_by_state(campaigns: Collection[Campaign]) -> dict[int, dict[str, int]]:
    """How many slots each campaign has in each state, by campaign; one query."""
    states = {one.pk: dict.fromkeys(Slot.State.values, 0) for one in campaigns}
    rows = Tally.objects.filter(campaign_id__in=states, scale_id=0).order_by()
    for pk, state, n in rows.values_list("campaign_id", "state").annotate(Sum("n")):
        states[pk][_of_slot(state)] += int(n)
    return states


def _of_slot(state: str) -> str:
    return Slot.State.VOID if state == UNDONE else state


@dataclass(frozen=True, slots=True)
class CampaignTally:
    """What is counted of a campaign.

    slots      numbers by state
    judgments  their scale, status and number, in this order, without those of which there is none
    written    grows with every judgment that is saved, revised, counted or deleted
    """

    slots: dict[str, int]
    judgments: list[tuple[int, str, int]]
    written: int


def campaign_tally(campaign: Campaign) -> CampaignTally:
    """All that is counted of the campaign; one query."""
    slots, judgments, written = dict.fromkeys(Slot.State.values, 0), [], 0
    rows = Tally.objects.filter(campaign_id=campaign.pk).order_by()
    kinds = rows.values_list("scale_id", "state").annotate(Sum("n"), Sum("writes"))
    for scale, state, n, writes in kinds:
        if not scale:
            slots[_of_slot(state)] += int(n)
            continue
        written += int(writes)
        if n:
            judgments.append((scale, state, int(n)))
    return CampaignTally(slots, sorted(judgments), written)


def by_annotator(annotators: Collection[Annotator]) -> tuple[Counter[tuple[int, str]], ...]:
    """The numbers of slots and of judgments by annotator and state; one query.

    By campaign too, as the index begins with it: browsers ask after every sheet.
    """
    slots: Counter[tuple[int, str]] = Counter()
    judgments: Counter[tuple[int, str]] = Counter()
    rows = Tally.objects.filter(
        campaign_id__in={one.campaign_id for one in annotators},
        annotator_id__in=[one.pk for one in annotators],
    ).order_by()
    kinds = rows.values_list("annotator_id", "scale_id", "state").annotate(Sum("n"))
    for pk, scale, state, n in kinds:
        (judgments if scale else slots)[pk, state] += int(n)
    return slots, judgments


def tally_differences(campaign: Campaign) -> list[tuple[int, int, str, int]]:
    """Kinds whose count is not the number of their rows: annotator, scale, state, and how many too
    many. One statement for each table, so that what is saved meanwhile is in both or in none."""
    wrong = []
    with connection.cursor() as cursor:
        for table, scale in (
            ("annotation_judgment", "scale_id > 0"),
            ("annotation_slot", "scale_id = 0"),
        ):
            real = _counted(table, f"{table} WHERE campaign_id = %s", -1, "0")
            tallied = (
                f"SELECT {KEY}, sum(n), 0 FROM annotation_tally"
                f" WHERE campaign_id = %s AND {scale} GROUP BY {KEY}"
            )
            cursor.execute(
                f"{_with(f'{real} UNION ALL {tallied}')}"
                " SELECT annotator_id, scale_id, state, sum(n) FROM counted"
                " GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3",
                [campaign.pk, campaign.pk],
            )
            wrong += cursor.fetchall()
    return wrong
