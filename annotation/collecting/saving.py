"""The save contract: one way to decide and write what an annotator sends of a sheet.

A save is a PUT of state. Each answer carries a UUID made by the browser and the version it started
from:

- repeating a request changes nothing and returns the first response;
- a request based on an older version is refused with the stored value (StaleVersion);
- clearing saves an empty answer, so undo is a save too;
- after the lease has expired the answer goes to the annotator's own slot if that is available,
  else to another slot of the sheet, else it is kept as surplus (`slots.recover`). No save is
  discarded.

A single answer is a request with one, and handing in a sheet is a request that says `done`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError
from django.utils.translation import gettext as _

from annotation.collecting.save_queries import (
    Answer,
    Assignment,
    CarriedOut,
    GivenAnswer,
    OwnQuestion,
    carried_out,
    questions,
)
from annotation.collecting.save_rows import AnswerChange, Writing, write
from annotation.database import short_write
from annotation.errors import (
    Conflict,
    DomainError,
    Incomplete,
    Invalid,
    NotFound,
    RequestReused,
    RevisionClosed,
    StaleVersion,
)
from annotation.models import (
    Annotator,
    Campaign,
    Judgment,
    JudgmentVersion,
    Sheet,
    Slot,
    SlotEvent,
    Withdrawal,
)
from annotation.models.campaigns import on_scale
from annotation.people.annotators import part_finish
from annotation.quality.rules import sheet_finished
from annotation.sheets import slots, sql
from paraanno import clock
from paraanno.observability.counted import answers_saved

REASON_LENGTH = 200
COMMENT_LENGTH = 5000
MOST_ANSWERS = 500
DONE, CLAIMED = Slot.State.DONE.value, Slot.State.CLAIMED.value
DRAFT = Judgment.Status.DRAFT.value


class CampaignClosed(Conflict):
    """No answer counts after the end of the collection."""

    code = "closed"


class LockMore(Exception):
    """More than the slot decides whether the answer counts: restart with all of it locked."""


@dataclass(frozen=True, slots=True)
class Saved:
    """The stored answer after a save; `repeated` if the request had been processed before."""

    answer: Answer
    version: int
    recorded_at: datetime
    status: str
    sheet_state: str
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class SheetSaved:
    """What a request left: for each answer, in the order sent, what is stored or why it is not.

    `state` is the slot's. `handed_in`: the sheet is done, or every slot of it was taken and the
    answers are surplus. `refusal` says why it was not handed in although every answer stands;
    `finished`, that it is done now and was not before. `stored` counts the new versions.
    """

    answers: tuple[Saved | DomainError, ...]
    state: str
    handed_in: bool = False
    refusal: DomainError | None = None
    finished: bool = False
    stored: int = 0

    @property
    def shown(self) -> str:
        """The state as the annotator may know it: claimed or done."""
        return DONE if self.handed_in or self.state == DONE else CLAIMED


def judgment_save(
    *,
    annotator: Annotator,
    sheet_key: UUID,
    substitution_key: UUID,
    scale_key: UUID,
    answer: Answer,
    request_id: UUID,
    base_version: int,
    by_program: bool = False,
    now: datetime | None = None,
) -> Saved:
    """Store an answer of `annotator` exactly once.

    `base_version` is the version that the answer replaces, 0 for a first answer; `by_program`: it
    comes with a token, not from a browser. Raises NotFound (no such question, or never this
    annotator's), Invalid (value off the scale), StaleVersion, RequestReused and RevisionClosed.
    """
    given = GivenAnswer(request_id, substitution_key, scale_key, base_version, answer)
    saved = sheet_save(
        annotator=annotator,
        sheet_key=sheet_key,
        answers=[given],
        done=False,
        by_program=by_program,
        now=now,
    ).answers[0]
    if isinstance(saved, DomainError):
        raise saved
    return saved


def sheet_submit(*, annotator: Annotator, sheet_key: UUID, now: datetime | None = None) -> str:
    """Submit the sheet: its answers count from now on. Idempotent. Returns "done" or "surplus".

    "surplus" means that the lease was lost and every slot of the sheet is taken; the answers are
    kept. Raises NotFound, CampaignClosed, and Incomplete with the missing (substitution, scale)
    keys.
    """
    saved = sheet_save(annotator=annotator, sheet_key=sheet_key, answers=(), done=True, now=now)
    if saved.refusal is not None:
        raise saved.refusal
    return DONE if saved.state == DONE else "surplus"


def sheet_save(
    *,
    annotator: Annotator,
    sheet_key: UUID,
    answers: Sequence[GivenAnswer],
    done: bool,
    by_program: bool = False,
    now: datetime | None = None,
) -> SheetSaved:
    """Store the answers, and with `done` hand the sheet in, in one transaction.

    An answer that is refused holds back none of the others, but the handing in. Repeating the
    request changes nothing. Raises NotFound if the sheet never was this annotator's, and Invalid
    for more than MOST_ANSWERS answers.
    """
    if len(answers) > MOST_ANSWERS:
        raise Invalid(_("At most %(most)s answers in one request.") % {"most": MOST_ANSWERS})
    sheet = sheet_in(annotator, sheet_key)
    everything, again = done, False
    while True:
        try:
            with short_write():
                assignment = _assignment(annotator, sheet, everything)
                assignment.by_program, assignment.now = by_program, now
                saved = save_on(assignment, answers, done=done, again=again)
            break
        except LockMore:
            everything = True
        except IntegrityError:
            # An id was used for something else, or another request stored the same value between
            # our read and our write: the second attempt finds out.
            if again:
                refused = Conflict(_("The value is being saved by another request."))
                return SheetSaved((refused,) * len(answers), CLAIMED, refusal=refused)
            again = True
    after_save(saved, annotator=annotator, sheet=sheet, now=now)
    return saved


def _assignment(annotator: Annotator, sheet: Sheet, everything: bool) -> Assignment:
    """Lock the annotator's slot of the sheet, with `everything` what decides whether answers count,
    too. Raises NotFound if they never had the sheet."""
    slot = slot_for_change(annotator, sheet) if everything else sql.own_slot(annotator, sheet)
    if slot is None and not everything:
        raise LockMore
    return Assignment(
        campaign=annotator.campaign_id,
        annotator=annotator.pk,
        sheet=sheet.pk,
        occasion=sheet.occasion,
        slot=None if slot is None else slot.pk,
        state="surplus" if slot is None else slot.state,
        lease=None if slot is None else slot.lease_expires_at,
        lease_minutes=annotator.campaign.lease_minutes,
        status=annotator.campaign.status,
        models=(annotator, sheet, slot) if everything else None,
    )


def after_save(
    saved: SheetSaved, *, annotator: Annotator, sheet: Sheet, now: datetime | None = None
) -> None:
    """Do what follows after the transaction: count the answers; if the sheet was handed in,
    evaluate the annotator, and end the part of a participant whose last sheet it was."""
    answers_saved(saved.stored)
    if saved.finished:
        sheet_finished(annotator=annotator, sheet=sheet)
        if annotator.origin == Annotator.Origin.PARTICIPANT:
            part_finish(annotator=annotator, now=now or clock.now())


def save_on(
    assignment: Assignment, answers: Sequence[GivenAnswer], *, done: bool, again: bool = False
) -> SheetSaved:
    """Do what `sheet_save` does inside the caller's transaction, which has locked the slot.

    `again`: the database has refused the rows before. Raises LockMore where the assignment has not
    locked what decides, and IntegrityError where a row is not as it was read.
    """
    return _Saving(assignment, answers, again).run(done=done)


@dataclass(slots=True)
class _Saving:
    """Decides answer by answer from rows that are read once, and writes them together.

    Where an answer follows another one of the same request (a question or an id comes twice, a
    sheet is reopened or taken back), what came before is written and the rows are read again.
    """

    at: Assignment
    answers: Sequence[GivenAnswer]
    again: bool
    rows: dict[tuple[UUID, UUID], OwnQuestion] = field(default_factory=dict)
    before: dict[UUID, CarriedOut] = field(default_factory=dict)
    used: set[UUID] = field(default_factory=set)
    changes: list[AnswerChange] = field(default_factory=list)
    stored: int = 0
    may_revise: bool | None = None
    lost: bool = False

    def run(self, *, done: bool) -> SheetSaved:
        if self.at.state == DONE:  # Most likely a request that comes again.
            self.before = carried_out(self.at, [one.request_id for one in self.answers])
        outcomes = tuple(self._outcome(number) for number in range(len(self.answers)))
        handed_in, finished, refusal = False, False, None
        if done and all(isinstance(one, Saved) for one in outcomes):
            try:
                finished = self._hand_in()
                handed_in = True
            except Conflict as error:
                refusal = error
        self._write()
        return SheetSaved(outcomes, self.at.state, handed_in, refusal, finished, self.stored)

    def _outcome(self, number: int) -> Saved | DomainError:
        try:
            return self._save(self.answers[number], number)
        except DomainError as error:
            return error

    def _save(self, given: GivenAnswer, number: int) -> Saved:
        if any(given.follows(one.given) for one in self.changes):
            self._write()
        if (repeated := self._repeated(given)) is not None:
            return repeated
        row = self._row(given, number)
        _check(given.answer, row)
        if given.base_version != (row.version or 0):
            return self._repeated_or_stale(given, row)
        if given.answer == row.answer:  # A double click: it is stored already.
            at = row.recorded_at or self._time
            status, version = row.status or DRAFT, row.version or 0
            return Saved(given.answer, version, at, status, self.at.state, repeated=True)
        if given.request_id in self.used:
            raise RequestReused
        status = self._settle(given.answer, row)
        self.changes.append(AnswerChange(self._row(given, number), given, status))
        return Saved(given.answer, given.base_version + 1, self._time, status, self.at.state)

    @property
    def _time(self) -> datetime:
        self.at.now = self.at.now or clock.now()
        return self.at.now

    def _row(self, given: GivenAnswer, number: int) -> OwnQuestion:
        if not self.rows:
            self._read(self.answers[number:])
        row = self.rows.get(given.question)
        if row is None:
            raise NotFound(_("There is no such value on this sheet."))
        return row

    def _read(self, answers: Sequence[GivenAnswer] = ()) -> None:
        """Read the questions, and what was carried out before of answers that start elsewhere."""
        rows = questions(self.at)
        self.rows = {(row.substitution_key, row.scale_key): row for row in rows}
        if rows:
            self.at.guideline, self.at.now = rows[0].guideline, self.at.now or rows[0].clock
        elsewhere = [
            one.request_id
            for one in answers
            if (row := self.rows.get(one.question)) and one.base_version != (row.version or 0)
        ]
        self.before |= carried_out(self.at, elsewhere)
        if self.again:
            ids = {one.request_id for one in answers}
            used = JudgmentVersion.objects.filter(request_id__in=ids)
            self.used = ids.intersection(used.values_list("request_id", flat=True))

    def _repeated(self, given: GivenAnswer) -> Saved | None:
        """What the request stored when it came first."""
        row = self.before.get(given.request_id)
        if row is None or row.question != given.question or row.answer != given.answer:
            return None
        return Saved(
            row.answer, row.version, row.recorded_at, row.status, self.at.state, repeated=True
        )

    def _repeated_or_stale(self, given: GivenAnswer, row: OwnQuestion) -> Saved:
        if (repeated := self._repeated(given)) is not None:
            return repeated
        if row.version is None:
            raise StaleVersion(_("This value is no longer stored."), stored=None)
        before = self.before.get(given.request_id)
        if before is not None and before.question == given.question:
            raise RequestReused(stored=_described(row))
        raise StaleVersion(_("This value has changed since."), stored=_described(row))

    def _settle(self, answer: Answer, row: OwnQuestion) -> str:
        """Find the slot that the answer belongs to, and return its status there."""
        if self.at.state == CLAIMED:
            return DRAFT
        if self.at.state == DONE:
            return self._revise(answer, row)
        self._recover()
        return DRAFT if self.at.state == CLAIMED else Judgment.Status.SURPLUS.value

    def _revise(self, answer: Answer, row: OwnQuestion) -> str:
        annotator, _sheet, slot = self._locked()
        campaign = annotator.campaign
        if self.may_revise is None:
            open_still = campaign.allow_revision and campaign.status == Campaign.Status.OPEN
            self.may_revise = open_still and not _has_left(annotator)
        if not self.may_revise:
            raise RevisionClosed(
                _("The sheet is submitted and can no longer be changed."),
                stored=None if row.version is None else _described(row),
            )
        if answer.given:
            return Judgment.Status.COUNTED.value
        if row.required and slot is not None:
            self._write()
            slots.reopen(slot, campaign=campaign, now=self._time)
            self.at.state, self.at.lease = CLAIMED, slots.lease(campaign, self._time)
            self.rows = {}
        return DRAFT

    def _locked(self) -> tuple[Annotator, Sheet, Slot | None]:
        if self.at.models is None:
            raise LockMore
        return self.at.models

    def _recover(self) -> None:
        """After a lost lease, take a slot where one is left; else the answers are surplus."""
        if self.lost:
            return
        annotator, sheet, slot = self._locked()
        taken = None
        if may_recover(annotator):
            taken = slots.recover(annotator, sheet, now=self._time, own=slot)
        if taken is None:
            self.lost = True
            slots.keep_as_surplus(annotator, sheet)
        else:
            self.at.models = annotator, sheet, taken
            self.at.slot, self.at.state = taken.pk, taken.state
            self.at.lease = taken.lease_expires_at
        self.rows = {}

    def _hand_in(self) -> bool:
        """Submit the sheet, or keep what is on it as surplus; whether it is done now and was not
        before. Raises CampaignClosed and Incomplete."""
        if self.at.state == DONE:
            return False
        if self.at.status == Campaign.Status.CLOSED:
            raise CampaignClosed(_("The campaign was closed. What you saved is kept."))
        if missing := self._missing():
            raise Incomplete(
                _("Answers still missing: %(n)s.") % {"n": len(missing)}, missing=missing
            )
        if self.at.state != CLAIMED:
            self._recover()
        if self.at.state != CLAIMED:
            return False
        self._write(done=True)
        self.at.state = DONE
        return True

    def _missing(self) -> list[dict[str, str]]:
        """The questions that want an answer and have none, by their keys."""
        if not self.rows:
            self._read()
        changed = {one.given.question: one.given.answer for one in self.changes}
        return [
            {"substitution": str(row.substitution_key), "scale": str(row.scale_key)}
            for question, row in self.rows.items()
            if row.required and not changed.get(question, row.answer).given
        ]

    def _write(self, *, done: bool = False) -> None:
        """Write what was decided; with `done`, every answer of the sheet counts from now on."""
        if done and not self.rows:
            self._read()
        if self.changes or done:
            earlier = self._earlier() if done else []
            lease = None if done else self._renewed()
            write(Writing(self.at, self.changes, earlier, done, lease, self._time))
            self.at.lease = lease or self.at.lease
        self.stored += len(self.changes)
        self.changes, self.rows = [], {}

    def _earlier(self) -> list[int]:
        """The judgments that are not changed, and count from now on."""
        changed = {one.row.judgment for one in self.changes}
        return [
            row.judgment
            for row in self.rows.values()
            if row.judgment is not None
            and row.judgment not in changed
            and row.answer.given
            and (row.status != Judgment.Status.COUNTED or row.slot != self.at.slot)
        ]

    def _renewed(self) -> datetime | None:
        """The slot's new expiry, once half of its lease has passed: not a write for every save."""
        if self.at.state != CLAIMED:
            return None
        length = timedelta(minutes=self.at.lease_minutes)
        stale = self.at.lease is None or self.at.lease - self._time < length / 2
        return self._time + length if stale else None


def _check(answer: Answer, row: OwnQuestion) -> None:
    if answer.value is not None and answer.reason:
        raise Invalid(_("Give a value, or a reason why there is none, not both."))
    bounds = {"minimum": row.minimum, "maximum": row.maximum, "step": row.step}
    if answer.value is not None and not on_scale(answer.value, **bounds):
        numbers = {name: f"{number:g}" for name, number in bounds.items()}
        raise Invalid(
            _(
                "%(value)s is not on the scale %(name)s: %(minimum)s to %(maximum)s in "
                "steps of %(step)s."
            )
            % {"value": f"{answer.value:g}", "name": row.scale_name, **numbers}
        )
    if len(answer.reason) > REASON_LENGTH or len(answer.comment) > COMMENT_LENGTH:
        raise Invalid(
            _("A reason has at most %(reason)s characters, a comment %(comment)s.")
            % {"reason": REASON_LENGTH, "comment": COMMENT_LENGTH}
        )
    if "\0" in answer.reason or "\0" in answer.comment:
        raise Invalid(_("A text must not contain the character NUL."))


def _described(row: OwnQuestion) -> dict[str, object]:
    """The stored value as shown in a refusal."""
    return {
        "value": row.value,
        "reason": row.reason,
        "comment": row.comment,
        "version": row.version,
        "recorded_at": None if row.recorded_at is None else row.recorded_at.isoformat(),
    }


def may_recover(annotator: Annotator) -> bool:
    """Whether a late save may still take a slot."""
    if annotator.campaign.status == Campaign.Status.CLOSED:
        return False
    state = sql.claim_state(annotator, locked=True)
    return not (state.excluded or state.full or state.ended)


def _has_left(annotator: Annotator) -> bool:
    if Withdrawal.objects.filter(annotator=annotator, ended_at=None).exists():
        return True
    return sql.claim_state(annotator, locked=True).ended


def _ever_claimed(annotator: Annotator, sheet: Sheet) -> bool:
    return SlotEvent.objects.filter(annotator=annotator, slot__sheet=sheet).exists()


def sheet_in(annotator: Annotator, key: UUID) -> Sheet:
    """Return the sheet of the annotator's campaign with this key. Raises NotFound."""
    sheet = Sheet.objects.filter(key=key, campaign_id=annotator.campaign_id).first()
    if sheet is None:
        raise NotFound(_("There is no such sheet."))
    return sheet


def slot_for_change(annotator: Annotator, sheet: Sheet) -> Slot | None:
    """Lock what decides whether answers count; return the annotator's slot, None if it is lost.

    The annotator's campaign gets its current status. Raises NotFound if they never had the sheet.
    """
    annotator.campaign.status = sql.lock_for_save(annotator, sheet)
    slot = sql.own_slot(annotator, sheet)
    if slot is None and not _ever_claimed(annotator, sheet):
        raise NotFound(_("There is no such sheet."))
    return slot
