"""The queries of saves and claims, written as SQL.

These are by far the most frequent requests, and building their queries with the ORM takes several
times as long as running them; raw SQL takes a fifth of the time. Rows come back as model instances;
columns not selected here are deferred.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Count, Exists, F, Min, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import (
    Annotator,
    Campaign,
    Judgment,
    Sheet,
    Skip,
    Slot,
    WorkList,
    WorkListEntry,
    WorkRule,
)

# What decides about an annotator's next sheet, in one statement: see `sql.claim_state`.


# The sheets that an annotator may have, perhaps a fraction above; NULL where nothing bounds them.
AT_MOST = """
SELECT min(bound) FROM (
  SELECT COALESCE(annotator.sheets_at_most,
    (SELECT mine.sheets_at_most FROM annotation_workgroup mine WHERE mine.id = annotator.group_id),
    (SELECT rule.sheets_at_most FROM annotation_workrule rule
     WHERE rule.campaign_id = annotator.campaign_id)) AS bound
  UNION ALL
  SELECT rule.largest_share * (
    SELECT count(*) FROM annotation_sheet sheet
    WHERE sheet.campaign_id = rule.campaign_id AND sheet.for_annotator_id IS NULL) + 1e-9
  FROM annotation_workrule rule
  WHERE rule.campaign_id = annotator.campaign_id AND rule.largest_share IS NOT NULL
  UNION ALL
  SELECT own.total_at_most - (
    SELECT count(*) FROM annotation_slot slot
    JOIN annotation_annotator other ON other.id = slot.annotator_id
    WHERE other.group_id = own.id AND other.id <> annotator.id
      AND slot.state IN ('claimed', 'done'))
  FROM annotation_workgroup own
  WHERE own.id = annotator.group_id AND own.total_at_most IS NOT NULL) bounds
"""
BOUNDS = """
SELECT annotator.id, ({at_most}) FROM annotation_annotator annotator WHERE annotator.id IN ({ids})
""".replace("{at_most}", AT_MOST)
# The columns of ClaimState in its order; the last ones are the steps before the next sheet, in the
# order of `STEPS` in annotation/quality/practice.py.
# Whether a participant's part has ended: `quota_full` is open again where a slot is free.
# For practice only what a simple query can tell: it is required, and neither a researcher's grant
# nor a passed test has let the annotator in.
CLAIM_STATE = """
SELECT
  EXISTS (SELECT 1 FROM annotation_exclusion exclusion
          WHERE exclusion.annotator_id = annotator.id AND exclusion.ends_at IS NULL)
  OR EXISTS (SELECT 1 FROM annotation_withdrawal withdrawal
             WHERE withdrawal.annotator_id = annotator.id AND withdrawal.ended_at IS NULL),
  EXISTS (SELECT 1 FROM annotation_slot slot
          WHERE slot.annotator_id = annotator.id AND slot.state = 'claimed'),
  EXISTS (SELECT 1 FROM annotation_sheet sheet
          WHERE sheet.for_annotator_id = annotator.id AND NOT EXISTS (
            SELECT 1 FROM annotation_slot slot
            WHERE slot.sheet_id = sheet.id AND slot.annotator_id = annotator.id)),
  EXISTS (SELECT 1 FROM annotation_sheet sheet
          WHERE sheet.campaign_id = annotator.campaign_id AND sheet.shared AND NOT EXISTS (
            SELECT 1 FROM annotation_slot slot
            WHERE slot.sheet_id = sheet.id AND slot.annotator_id = annotator.id)),
  (SELECT count(*) FROM annotation_slot slot
   WHERE slot.annotator_id = annotator.id AND slot.state IN ('claimed', 'done')) > ({at_most}) - 1,
  annotator.ineligible_since IS NOT NULL,
  EXISTS (SELECT 1 FROM annotation_participant part
          WHERE part.annotator_id = annotator.id AND part.outcome NOT IN ('', 'quota_full')
            AND NOT EXISTS (SELECT 1 FROM annotation_participant newer
                            WHERE newer.annotator_id = annotator.id AND newer.id > part.id)),
  EXISTS (SELECT 1 FROM annotation_workrule rule
          WHERE rule.campaign_id = annotator.campaign_id AND rule.lists <> ''),
  EXISTS (SELECT 1 FROM annotation_workgroup own
          WHERE own.id = annotator.group_id AND own.total_at_most IS NOT NULL),
  EXISTS (
    SELECT 1 FROM annotation_consenttext text
    WHERE text.campaign_id = annotator.campaign_id AND text.text <> ''
      AND NOT EXISTS (SELECT 1 FROM annotation_consenttext newer
                      WHERE newer.campaign_id = text.campaign_id AND newer.version > text.version)
      AND NOT EXISTS (SELECT 1 FROM annotation_consent consent
                      WHERE consent.text_id = text.id AND consent.annotator_id = annotator.id
                        AND consent.ended_at IS NULL)),
  EXISTS (
    SELECT 1 FROM annotation_backgroundquestion question
    WHERE question.campaign_id = annotator.campaign_id AND question.hidden_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM annotation_backgroundanswer answer
                      WHERE answer.question_id = question.id
                        AND answer.annotator_id = annotator.id)),
  EXISTS (SELECT 1 FROM annotation_practicerule asked
          WHERE asked.campaign_id = annotator.campaign_id AND asked.required)
  AND NOT EXISTS (SELECT 1 FROM annotation_practicegrant given
                  WHERE given.annotator_id = annotator.id AND given.kind = 'pass')
  AND NOT EXISTS (SELECT 1 FROM annotation_practiceattempt test
                  WHERE test.annotator_id = annotator.id AND test.part = 'test' AND test.passed),
  EXISTS (SELECT 1 FROM annotation_qualityaction act JOIN annotation_qualityrule rule
            ON rule.id = act.rule_id
          WHERE act.annotator_id = annotator.id AND act.lifted_at IS NULL
            AND act.taken_at IS NOT NULL AND rule.act = 'pause'),
  EXISTS (SELECT 1 FROM annotation_qualityaction act JOIN annotation_qualityrule rule
            ON rule.id = act.rule_id
          WHERE act.annotator_id = annotator.id AND act.lifted_at IS NULL
            AND act.taken_at IS NOT NULL AND act.read_at IS NULL AND rule.act = 'warn')
FROM annotation_annotator annotator WHERE annotator.id = %s
""".replace("{at_most}", AT_MOST)


Row = TypeVar("Row", bound=Model)

OWN_ANNOTATOR = """
SELECT annotator.*, campaign.slug AS campaign_slug, campaign.status AS campaign_status,
  campaign.lease_minutes AS campaign_lease_minutes,
  campaign.allow_revision AS campaign_allow_revision, campaign."order" AS campaign_order
FROM annotation_annotator annotator
JOIN annotation_campaign campaign ON campaign.id = annotator.campaign_id
WHERE annotator.key = %s AND annotator.user_id = %s AND campaign.archived_at IS NULL
AND (%s OR EXISTS (
  SELECT 1 FROM annotation_membership member
  WHERE member.campaign_id = annotator.campaign_id AND member.user_id = annotator.user_id
    AND member.role IN ('owner', 'researcher', 'annotator')))
"""
LOCK_FOR_SAVE = """
SELECT campaign.status
FROM annotation_campaign campaign
JOIN annotation_annotator annotator ON annotator.campaign_id = campaign.id
JOIN annotation_sheet sheet ON sheet.campaign_id = campaign.id
WHERE annotator.id = %s AND sheet.id = %s
"""
OWN_SLOT = "SELECT * FROM annotation_slot WHERE sheet_id = %s AND annotator_id = %s"

RATINGS = """
SELECT judgment.* FROM annotation_sheetentry entry
JOIN annotation_judgment judgment ON judgment.substitution_id = entry.substitution_id
WHERE entry.sheet_id = %s AND judgment.annotator_id = %s AND judgment.occasion = %s
  AND judgment.kind = 'rating'
"""
NEXT_TIER = """
SELECT tier FROM annotation_slot
WHERE campaign_id = %s AND state = 'free' AND tier > %s
ORDER BY tier, scan_key LIMIT 1
"""
FREE_SLOT_IDS = """
SELECT slot.id, slot.sheet_id FROM annotation_slot slot
WHERE slot.campaign_id = %s AND slot.state = 'free' AND slot.tier = %s
  AND slot.scan_key >= %s AND slot.scan_key <= %s
  AND NOT EXISTS (SELECT 1 FROM annotation_slot mine
                  WHERE mine.sheet_id = slot.sheet_id AND mine.annotator_id = %s)
  AND NOT EXISTS (SELECT 1 FROM annotation_skip skip
                  WHERE skip.sheet_id = slot.sheet_id AND skip.annotator_id = %s)
ORDER BY slot.scan_key LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The steps that an annotator has not completed, by code.

    `practice` may be true for people who have done enough: see `practice_wanted`
    in annotation/quality/overview.py."""

    consent: bool
    background: bool
    practice: bool
    paused: bool
    warned: bool

    @property
    def any_step(self) -> bool:
        return any(astuple(self))


@dataclass(frozen=True, slots=True)
class ClaimState:
    """What is available to an annotator besides free slots, and the steps that come first.

    `full`: they have as many sheets as they may be given. `ineligible`: a background answer says
    that they are not asked for. `ended`: their part in a panel is over. `listed`: sheets come from
    fixed lists. `group_bound`: `full` depends on what their group does, too.
    """

    excluded: bool
    has_open: bool
    has_repeats: bool
    has_shared: bool
    full: bool
    ineligible: bool
    ended: bool
    listed: bool
    group_bound: bool
    waiting: Waiting

    @property
    def stopped(self) -> bool:
        """Whether no new sheet may be given, whatever is free."""
        return self.excluded or self.full or self.ineligible or self.ended


def select(columns: dict[str, str], row: type[Any], rest: str) -> str:
    """Return the statement whose columns are the fields of the named tuple, in its order."""
    if tuple(columns) != row._fields:
        raise TypeError(f"the columns of {row.__name__} must be named in its order")
    named = ", ".join(f'{what} AS "{name}"' for name, what in columns.items())
    return f"SELECT {named} {rest}"


def _rows(sql: str, *params: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _locked(sql: str, how: str = "FOR UPDATE") -> str:
    """Add a row lock on PostgreSQL; on SQLite the transaction already holds the only write lock."""
    return f"{sql} {how}" if connection.vendor == "postgresql" else sql


def _all(model: type[Row], sql: str, *params: Any) -> list[Row]:
    native = connection.features.has_native_uuid_field
    adapted = [one.hex if isinstance(one, UUID) and not native else one for one in params]
    return list(model._default_manager.raw(sql, adapted))


def _first(model: type[Row], sql: str, *params: Any) -> Row | None:
    return next(iter(_all(model, sql, *params)), None)


def _part(row: Any, model: type[Row], prefix: str, *names: str) -> Row:
    """Build the related model from the row's columns `prefix_name`, with its other columns
    deferred.

    `names` must follow the model's field order: `from_db` takes values by position, so any other
    order would mix up the columns.
    """
    if names not in _ordered(model, frozenset(names)):
        raise ValueError(f"Name columns of {model.__name__} once each, in its order: {names}")
    values = [getattr(row, f"{prefix}_{name}") for name in names]
    return model.from_db(connection.alias, names, values)


@lru_cache(maxsize=64)
def _ordered(model: type[Model], names: frozenset[str]) -> set[tuple[str, ...]]:
    """Return the only valid order of these columns; empty if the model lacks one of them."""
    columns = tuple(f.attname for f in model._meta.concrete_fields if f.attname in names)
    return {columns} if len(columns) == len(names) else set()


def own_annotator(*, key: UUID, user_id: int, everywhere: bool) -> Annotator | None:
    """Return the user's annotator with its campaign, if the user may still annotate there (or
    `everywhere`).
    """
    row = _first(Annotator, OWN_ANNOTATOR, key, user_id, everywhere)
    if row is not None:
        row.campaign = _part(
            row,
            Campaign,
            "campaign",
            "id",
            "slug",
            "status",
            "order",
            "lease_minutes",
            "allow_revision",
        )
    return row


def lock_for_save(annotator: Annotator, sheet: Sheet) -> str:
    """Lock the rows that decide whether an answer counts; return the campaign's current status.

    Until the end of the transaction the campaign is not opened or closed, the annotator is not
    excluded and cannot claim, and the sheet gets no new slots. Saves by other annotators continue.
    """
    locks = "FOR KEY SHARE OF campaign FOR NO KEY UPDATE OF annotator, sheet"
    [row] = _rows(_locked(LOCK_FOR_SAVE, locks), annotator.pk, sheet.pk)
    return str(row[0])


def own_slot(annotator: Annotator, sheet: Sheet, *, lock: bool = True) -> Slot | None:
    """Return the annotator's slot of the sheet, locked until the end of the transaction."""
    return _first(Slot, _locked(OWN_SLOT) if lock else OWN_SLOT, sheet.pk, annotator.pk)


def ratings(*, annotator: Annotator, sheet: Sheet) -> list[Judgment]:
    """Return the annotator's current answers on the sheet."""
    return _all(Judgment, RATINGS, sheet.pk, annotator.pk, sheet.occasion)


def claim_state(annotator: Annotator, *, locked: bool = False) -> ClaimState:
    """Lock the annotator until the transaction ends, so that two tabs wait for each other, and
    read the state. `locked`: the transaction has locked them before."""
    if connection.vendor == "postgresql" and not locked:
        # A separate statement: the second one must read the state after the wait for the lock.
        _rows("SELECT id FROM annotation_annotator WHERE id = %s FOR NO KEY UPDATE", annotator.pk)
    [row] = _rows(CLAIM_STATE, annotator.pk)
    names = [one.name for one in fields(ClaimState)]
    columns: list[Any] = [*map(bool, row[: len(names) - 1]), _waiting(row)]
    return ClaimState(**dict(zip(names, columns, strict=True)))


def at_most_of(annotators: Collection[Annotator]) -> dict[int, int | None]:
    """Return the number of sheets that each annotator may have; None where nothing bounds them."""
    if not annotators:
        return {}
    ids = ", ".join(["%s"] * len(annotators))
    rows = _rows(BOUNDS.replace("{ids}", ids), *(one.pk for one in annotators))
    return {pk: None if bound is None else int(bound) for pk, bound in rows}


def waiting(annotator: Annotator) -> Waiting:
    """Return the steps that the annotator has not completed."""
    [row] = _rows(CLAIM_STATE, annotator.pk)
    return _waiting(row)


def _waiting(row: tuple[Any, ...]) -> Waiting:
    """The steps are the last columns of CLAIM_STATE."""
    return Waiting(*map(bool, row[-len(fields(Waiting)) :]))


def next_tier(*, campaign_id: int, above: int) -> int | None:
    """Return the lowest tier with a free slot."""
    rows = _rows(NEXT_TIER, campaign_id, above)
    return rows[0][0] if rows else None


def free_slot_ids(
    *, annotator: Annotator, tier: int, first: int, last: int
) -> tuple[int, int] | None:
    """Return the first free slot with a scan key from `first` to `last` on a sheet new to the
    annotator, as the ids of slot and sheet, without a lock."""
    me = annotator.pk
    rows = _rows(FREE_SLOT_IDS, annotator.campaign_id, tier, first, last, me, me)
    return (rows[0][0], rows[0][1]) if rows else None


# Fixed lists: whether a campaign has them, what is on them, and how far they are.


HELD = (Slot.State.CLAIMED, Slot.State.DONE)


def list_order(*, campaign_id: int) -> str:
    """Return how the campaign's lists are gone through: listed or shuffled; "" without lists."""
    rows = WorkRule.objects.filter(campaign=campaign_id).values_list("lists", flat=True)
    return rows.first() or ""


def campaigns_with_lists(campaigns: Collection[int]) -> set[int]:
    """Return those of the campaigns whose sheets come from lists."""
    rules = WorkRule.objects.filter(campaign__in=campaigns).exclude(lists=WorkRule.Lists.POOL)
    return set(rules.values_list("campaign_id", flat=True))


def lists_of(annotators: Mapping[int, Annotator | None]) -> list[int]:
    """Return the list of each annotator, by campaign, or the one that waits for them; one query.

    People who may see systems are not given one on coming: lists are for those who judge blindly.
    """
    own = Q(annotator__in=[one for one in annotators.values() if one])
    rows = WorkList.objects.filter(own | Q(annotator=None), campaign__in=annotators)
    firsts = (
        rows.order_by()
        .values("campaign")
        .annotate(own=Min("pk", filter=own), waiting=Min("pk", filter=Q(annotator=None)))
    )
    lists = []
    for row in firsts:
        annotator = annotators[row["campaign"]]
        blind = annotator is None or annotator.not_blind_since is None
        if (pk := row["own"] or (row["waiting"] if blind else None)) is not None:
            lists.append(pk)
    return lists


def on_own_list(*, annotator: Annotator, items: Iterable[int]) -> set[int]:
    """Return those of the items that the annotator may hold: all of them without lists."""
    wanted = set(items)
    if not list_order(campaign_id=annotator.campaign_id):
        return wanted
    own = WorkListEntry.objects.filter(work_list__annotator=annotator, item__in=wanted)
    return set(own.values_list("item", flat=True))


def lists_per_item(*, items: Iterable[int]) -> dict[int, int]:
    """Return on how many lists each of the items is; those on none are left out."""
    rows = WorkListEntry.objects.filter(item__in=set(items)).order_by()
    return dict(rows.values_list("item").annotate(n=Count("*")))


def free_on(*, work_list: WorkList, annotator: Annotator) -> QuerySet[Slot]:
    """Return the free slots of the list's sheets that its annotator neither had nor skipped."""
    rows = Slot.objects.filter(
        state=Slot.State.FREE,
        sheet__for_annotator=None,
        sheet__item__list_entries__work_list=work_list,
    )
    own_slots = Slot.objects.filter(sheet=OuterRef("sheet"), annotator=annotator)
    skipped = Skip.objects.filter(sheet=OuterRef("sheet"), annotator=annotator)
    return rows.filter(~Exists(own_slots), ~Exists(skipped))


def list_of(*, annotator: Annotator) -> WorkList | None:
    """Return the annotator's list, or the one that waits for them; None where there is none."""
    return WorkList.objects.filter(pk__in=lists_of({annotator.campaign_id: annotator})).first()


def list_is_done(*, annotator: Annotator) -> bool:
    """Whether the annotator has a list, and handed in a sheet of every item on it."""
    entries = WorkListEntry.objects.filter(work_list__annotator=annotator)
    if not list_order(campaign_id=annotator.campaign_id) or not entries.exists():
        return False
    done = Slot.objects.filter(
        annotator=annotator, state=Slot.State.DONE, sheet__item=OuterRef("item")
    )
    return not entries.filter(~Exists(done)).exists()


def work_lists(*, campaign_id: int) -> QuerySet[WorkList]:
    """Return the lists with their annotators, numbers of `items` and of those that are `done` and
    `skipped`; one query."""
    held = Slot.objects.filter(
        annotator=OuterRef("entries__work_list__annotator"),
        state=Slot.State.DONE,
        sheet__item=OuterRef("entries__item"),
    )
    skipped = Skip.objects.filter(
        annotator=OuterRef("entries__work_list__annotator"), sheet__item=OuterRef("entries__item")
    )
    rows = WorkList.objects.filter(campaign=campaign_id).select_related("annotator")
    return rows.annotate(
        items=Count("entries"),
        done=Count("entries", filter=Exists(held)),
        skipped=Count("entries", filter=Exists(skipped)),
    ).order_by(F("annotator__code").asc(nulls_last=True), "pk")


def sheets_off_lists(*, campaign_id: int) -> QuerySet[Slot]:
    """Return the slots that somebody holds whose list has not the item."""
    own = WorkListEntry.objects.filter(
        work_list__annotator=OuterRef("annotator"), item=OuterRef("sheet__item")
    )
    held = Slot.objects.filter(campaign=campaign_id, state__in=HELD)
    return held.filter(Q(sheet__for_annotator=None), ~Exists(own))


def sheets_with_other_slots(*, campaign_id: int) -> QuerySet[Sheet]:
    """Return the sheets that want more or fewer annotators than lists name their item."""
    listed = (
        WorkListEntry.objects.filter(item=OuterRef("item"))
        .order_by()
        .values("item")
        .annotate(n=Count("*"))
        .values("n")
    )
    rows = Sheet.objects.filter(campaign=campaign_id, for_annotator=None)
    return rows.annotate(listed=Coalesce(Subquery(listed), 0)).exclude(slots_wanted=F("listed"))
