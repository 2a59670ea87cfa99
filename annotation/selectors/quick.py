"""The reads of a save and of a claim, as SQL.

They are by far the commonest requests, and building their queries with the ORM takes several times
as long as running them: written out they cost a fifth. The rows come back as models; columns that
are not read here are fetched when somebody asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Model

from annotation.models import Annotator, Campaign, Judgment, Scale, Sheet, Slot, Substitution

Row = TypeVar("Row", bound=Model)

VOICE = """
SELECT voice.*, campaign.slug AS campaign_slug, campaign.status AS campaign_status,
  campaign.lease_minutes AS campaign_lease_minutes,
  campaign.allow_revision AS campaign_allow_revision, campaign."order" AS campaign_order
FROM annotation_annotator voice
JOIN annotation_campaign campaign ON campaign.id = voice.campaign_id
WHERE voice.key = %s AND voice.user_id = %s AND (%s OR EXISTS (
  SELECT 1 FROM annotation_membership member
  WHERE member.campaign_id = voice.campaign_id AND member.user_id = voice.user_id
    AND member.role IN ('owner', 'researcher', 'annotator')))
"""
PLACE = """
SELECT sheet.id, sheet.campaign_id, sheet.occasion, entry.substitution_id,
  scale.id AS scale_id, scale.name AS scale_name, scale.minimum AS scale_minimum,
  scale.maximum AS scale_maximum, scale.step AS scale_step, scale.required AS scale_required,
  (SELECT id FROM annotation_guideline guideline
   WHERE guideline.campaign_id = sheet.campaign_id
   ORDER BY version DESC LIMIT 1) AS guideline_id
FROM annotation_sheet sheet
JOIN annotation_sheetentry entry ON entry.sheet_id = sheet.id
JOIN annotation_substitution substitution ON substitution.id = entry.substitution_id
JOIN annotation_scale scale ON scale.campaign_id = sheet.campaign_id
WHERE sheet.key = %s AND sheet.campaign_id = %s AND substitution.key = %s AND scale.key = %s
"""
HOLD = """
SELECT campaign.status
FROM annotation_campaign campaign
JOIN annotation_annotator voice ON voice.campaign_id = campaign.id
JOIN annotation_sheet sheet ON sheet.campaign_id = campaign.id
WHERE voice.id = %s AND sheet.id = %s
"""
OWN_SLOT = "SELECT * FROM annotation_slot WHERE sheet_id = %s AND annotator_id = %s"
RATING = """
SELECT * FROM annotation_judgment
WHERE annotator_id = %s AND substitution_id = %s AND scale_id = %s AND occasion = %s
  AND kind = 'rating'
"""

RATINGS = """
SELECT judgment.* FROM annotation_sheetentry entry
JOIN annotation_judgment judgment ON judgment.substitution_id = entry.substitution_id
WHERE entry.sheet_id = %s AND judgment.annotator_id = %s AND judgment.occasion = %s
  AND judgment.kind = 'rating'
"""
SUBSTITUTIONS = """
SELECT substitution.* FROM annotation_sheetentry entry
JOIN annotation_substitution substitution ON substitution.id = entry.substitution_id
WHERE entry.sheet_id = %s ORDER BY substitution.key
"""
MISSING = """
SELECT substitution.key, scale.key
FROM annotation_sheetentry entry
JOIN annotation_substitution substitution ON substitution.id = entry.substitution_id
JOIN annotation_scale scale ON scale.campaign_id = %s AND scale.required
WHERE entry.sheet_id = %s AND NOT EXISTS (
  SELECT 1 FROM annotation_judgment judgment
  WHERE judgment.annotator_id = %s AND judgment.substitution_id = entry.substitution_id
    AND judgment.scale_id = scale.id AND judgment.occasion = %s AND judgment.kind = 'rating'
    AND (judgment.value IS NOT NULL OR judgment.reason <> ''))
"""
# From the fifth column on: what comes before the next sheet (`selectors/entry.py`), in its order.
# Of practice only what one look can tell: it is asked for, and neither a researcher's word nor a
# test has let them in.
STANDING = """
SELECT
  EXISTS (SELECT 1 FROM annotation_exclusion exclusion
          WHERE exclusion.annotator_id = voice.id AND exclusion.ends_at IS NULL)
  OR EXISTS (SELECT 1 FROM annotation_withdrawal withdrawal
             WHERE withdrawal.annotator_id = voice.id AND withdrawal.ended_at IS NULL),
  EXISTS (SELECT 1 FROM annotation_slot slot
          WHERE slot.annotator_id = voice.id AND slot.state = 'claimed'),
  EXISTS (SELECT 1 FROM annotation_sheet sheet
          WHERE sheet.for_annotator_id = voice.id AND NOT EXISTS (
            SELECT 1 FROM annotation_slot slot
            WHERE slot.sheet_id = sheet.id AND slot.annotator_id = voice.id)),
  EXISTS (SELECT 1 FROM annotation_sheet sheet
          WHERE sheet.campaign_id = voice.campaign_id AND sheet.shared AND NOT EXISTS (
            SELECT 1 FROM annotation_slot slot
            WHERE slot.sheet_id = sheet.id AND slot.annotator_id = voice.id)),
  EXISTS (
    SELECT 1 FROM annotation_consenttext text
    WHERE text.campaign_id = voice.campaign_id AND text.text <> ''
      AND NOT EXISTS (SELECT 1 FROM annotation_consenttext newer
                      WHERE newer.campaign_id = text.campaign_id AND newer.version > text.version)
      AND NOT EXISTS (SELECT 1 FROM annotation_consent consent
                      WHERE consent.text_id = text.id AND consent.annotator_id = voice.id
                        AND consent.ended_at IS NULL)),
  EXISTS (
    SELECT 1 FROM annotation_backgroundquestion question
    WHERE question.campaign_id = voice.campaign_id AND question.hidden_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM annotation_backgroundanswer answer
                      WHERE answer.question_id = question.id
                        AND answer.annotator_id = voice.id)),
  EXISTS (SELECT 1 FROM annotation_practicerule asked
          WHERE asked.campaign_id = voice.campaign_id AND asked.required)
  AND NOT EXISTS (SELECT 1 FROM annotation_practicegrant given
                  WHERE given.annotator_id = voice.id AND given.kind = 'pass')
  AND NOT EXISTS (SELECT 1 FROM annotation_practiceattempt test
                  WHERE test.annotator_id = voice.id AND test.part = 'test' AND test.passed),
  EXISTS (SELECT 1 FROM annotation_qualityaction act JOIN annotation_qualityrule rule
            ON rule.id = act.rule_id
          WHERE act.annotator_id = voice.id AND act.lifted_at IS NULL
            AND act.taken_at IS NOT NULL AND rule.act = 'pause'),
  EXISTS (SELECT 1 FROM annotation_qualityaction act JOIN annotation_qualityrule rule
            ON rule.id = act.rule_id
          WHERE act.annotator_id = voice.id AND act.lifted_at IS NULL
            AND act.taken_at IS NOT NULL AND act.read_at IS NULL AND rule.act = 'warn')
FROM annotation_annotator voice WHERE voice.id = %s
"""
NEXT_TIER = """
SELECT tier FROM annotation_slot
WHERE campaign_id = %s AND state = 'free' AND tier > %s
ORDER BY tier, scan_key LIMIT 1
"""
FREE_SLOT = """
SELECT slot.* FROM annotation_slot slot
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
    """What an annotator still has to go through, by the code of the step.

    `practice` may be true of one who has done enough: see `selectors/practice.py`.
    """

    consent: bool
    background: bool
    practice: bool
    paused: bool
    warned: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """What there is for an annotator beside free slots, and what comes before them."""

    excluded: bool
    has_open: bool
    has_repeats: bool
    has_shared: bool
    waiting: Waiting


def _rows(sql: str, *params: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _locked(sql: str, how: str = "FOR UPDATE") -> str:
    """With a row lock on PostgreSQL; SQLite's transaction has the only write lock already."""
    return f"{sql} {how}" if connection.vendor == "postgresql" else sql


def _all(model: type[Row], sql: str, *params: Any) -> list[Row]:
    native = connection.features.has_native_uuid_field
    adapted = [one.hex if isinstance(one, UUID) and not native else one for one in params]
    return list(model._default_manager.raw(sql, adapted))


def _first(model: type[Row], sql: str, *params: Any) -> Row | None:
    return next(iter(_all(model, sql, *params)), None)


def _part(row: Any, model: type[Row], prefix: str, *names: str) -> Row:
    """The model that the columns `prefix_name` of a row belong to, its other columns deferred."""
    values = [getattr(row, f"{prefix}_{name}") for name in names]
    return model.from_db(connection.alias, names, values)


def voice(*, key: UUID, user_id: int, everywhere: bool) -> Annotator | None:
    """The user's voice with its campaign, if they may still annotate there (or `everywhere`)."""
    row = _first(Annotator, VOICE, key, user_id, everywhere)
    if row is not None:
        row.campaign = _part(
            row, Campaign, "campaign",
            "id", "slug", "status", "lease_minutes", "allow_revision", "order",
        )  # fmt: skip
    return row


def place(
    *, campaign_id: int, sheet: UUID, substitution: UUID, scale: UUID
) -> tuple[Sheet, int, Scale, int | None] | None:
    """The sheet, the id of the substitution on it, the scale, and the newest guideline's id."""
    row: Any = _first(Sheet, PLACE, sheet, campaign_id, substitution, scale)
    if row is None:
        return None
    question = _part(row, Scale, "scale", "id", "name", "minimum", "maximum", "step", "required")
    return row, row.substitution_id, question, row.guideline_id


def hold(annotator: Annotator, sheet: Sheet) -> str:
    """Lock what decides whether an answer may count; the campaign's status as it is now.

    Until the end of the transaction the campaign is not opened or closed, the annotator is not
    excluded and claims nothing, and the sheet gets no other places. Answers of others go on.
    """
    locks = "FOR KEY SHARE OF campaign FOR NO KEY UPDATE OF voice, sheet"
    [row] = _rows(_locked(HOLD, locks), annotator.pk, sheet.pk)
    return str(row[0])


def own_slot(annotator: Annotator, sheet: Sheet, *, lock: bool = True) -> Slot | None:
    """The annotator's slot of the sheet, locked until the end of the transaction."""
    return _first(Slot, _locked(OWN_SLOT) if lock else OWN_SLOT, sheet.pk, annotator.pk)


def rating(
    *, annotator: Annotator, substitution_id: int, scale: Scale, occasion: int
) -> Judgment | None:
    """The annotator's present answer to one question."""
    return _first(Judgment, RATING, annotator.pk, substitution_id, scale.pk, occasion)


def ratings(*, annotator: Annotator, sheet: Sheet) -> list[Judgment]:
    """The annotator's present answers on the sheet."""
    return _all(Judgment, RATINGS, sheet.pk, annotator.pk, sheet.occasion)


def substitutions(sheet: Sheet) -> list[Substitution]:
    """What is on the sheet, in an order that says nothing: that of the random keys."""
    return _all(Substitution, SUBSTITUTIONS, sheet.pk)


def missing(*, annotator: Annotator, sheet: Sheet) -> list[tuple[str, str]]:
    """The keys of substitution and scale of the required answers that are not given yet."""
    rows = _rows(MISSING, annotator.campaign_id, sheet.pk, annotator.pk, sheet.occasion)
    # SQLite keeps a UUID as text without its dashes.
    return [(str(UUID(str(one))), str(UUID(str(other)))) for one, other in rows]


def standing(annotator: Annotator) -> Standing:
    """Locks the annotator until the end of the transaction: two tabs wait for each other."""
    if connection.vendor == "postgresql":
        # A statement of its own: what the second one reads must be as it is after the wait.
        _rows("SELECT id FROM annotation_annotator WHERE id = %s FOR NO KEY UPDATE", annotator.pk)
    [row] = _rows(STANDING, annotator.pk)
    excluded, has_open, has_repeats, has_shared, *steps = map(bool, row)
    return Standing(excluded, has_open, has_repeats, has_shared, Waiting(*steps))


def waiting(annotator: Annotator) -> Waiting:
    """What the annotator still has to go through."""
    [row] = _rows(STANDING, annotator.pk)
    return Waiting(*map(bool, row[4:]))


def next_tier(*, campaign_id: int, above: int) -> int | None:
    """The lowest tier with a free slot."""
    rows = _rows(NEXT_TIER, campaign_id, above)
    return rows[0][0] if rows else None


def free_slot(*, annotator: Annotator, tier: int, first: int, last: int) -> Slot | None:
    """The first free slot with a scan key from `first` to `last` on a sheet new to the annotator.

    On PostgreSQL slots that somebody else is taking at this moment are passed over.
    """
    sql = _locked(FREE_SLOT, "FOR UPDATE OF slot SKIP LOCKED")
    return _first(Slot, sql, annotator.campaign_id, tier, first, last, annotator.pk, annotator.pk)
