"""The annotator that a request acts as; and the part of one who came by a panel: how much of it is
done, and how it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User as UserModel
from django.db.models import (
    Case,
    Count,
    DateTimeField,
    Exists,
    IntegerField,
    Max,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.utils.translation import gettext as _

from annotation.access import TokenScope, User, logged_in, reach_of
from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import NotAllowed, NotFound
from annotation.models import (
    Annotator,
    ApiToken,
    BackgroundAnswer,
    BackgroundQuestion,
    Campaign,
    Consent,
    ConsentText,
    Exclusion,
    Guest,
    Invitation,
    Judgment,
    JudgmentVersion,
    Letter,
    Membership,
    Participant,
    PartOutcome,
    ReminderRule,
    Sheet,
    Slot,
    SlotEvent,
    Withdrawal,
)
from annotation.models.fields import token_digest
from annotation.models.people import TARGETS
from annotation.sheets import slots, sql
from annotation.sheets.progress import own_progress
from annotation.sheets.slots import sheets_lock
from paraanno import clock


class WrongAnnotator(NotAllowed):
    """The answer was given by a user other than the one logged in; it is not stored."""

    code = "wrong_annotator"


def own_annotator(*, user: User, key: UUID) -> Annotator:
    """Return the user's own annotator with this key; one query.

    Raises WrongAnnotator for any other key, also if the user has left the campaign.
    """
    user = logged_in(user)
    annotator = sql.own_annotator(key=key, user_id=user.pk, everywhere=user.is_superuser)
    if annotator is None:
        raise WrongAnnotator(_("You are not logged in as the person who gave this answer."))
    reach = reach_of(user)
    if reach and not (reach.includes(annotator.campaign_id) and reach.grants(ApiToken.Scope.JUDGE)):
        raise TokenScope(_("The scope of this token does not allow that."))
    return annotator


def annotator_with(*, key: UUID) -> Annotator:
    """Return the annotator with this key and the campaign, for a caller that has checked whose it
    is; one query."""
    return Annotator.objects.select_related("campaign").get(key=key)


def annotator_of(*, campaign: Campaign, user: User) -> Annotator | None:
    """Return the user's annotator in a campaign; None if they have not started."""
    return Annotator.objects.filter(campaign=campaign, user_id=logged_in(user).pk).first()


def annotator_at(*, user: User, sheet: UUID) -> Annotator:
    """Return the user's annotator in the campaign of a sheet; the sheet may be anybody's.

    Raises NotFound if they have none there, and WrongAnnotator if they have left the campaign.
    """
    rows = Annotator.objects.filter(campaign__sheets__key=sheet, user_id=logged_in(user).pk)
    annotator = rows.only("key").first()
    if annotator is None:
        raise NotFound(_("There is no such sheet."))
    return own_annotator(user=user, key=annotator.key)


# Consent texts, and who has agreed to them.


# Annotators who give consent themselves; imported and simulated ones do not.
PEOPLE = (Annotator.Origin.INVITED, Annotator.Origin.PARTICIPANT)


def consent_newest(*, campaign: Campaign) -> ConsentText | None:
    """Return the current text; None if no consent is required."""
    newest = campaign.consent_texts.order_by("-version").first()
    return newest if newest is not None and newest.text else None


def consent_of(*, annotator: Annotator) -> Consent | None:
    """Return the annotator's most recent consent if it is in force."""
    rows = Consent.objects.filter(annotator=annotator, ended_at=None).select_related("text")
    return rows.order_by("-text__version").first()


def consent_versions(*, campaign: Campaign) -> QuerySet[ConsentText]:
    """Return all versions, newest first, with `agreed`, the number of consents in force; one
    query.
    """
    agreed = Count("consents", filter=Q(consents__ended_at=None))
    rows = campaign.consent_texts.select_related("created_by").annotate(agreed=agreed)
    return rows.order_by("-version")


# Exclusions from the statistics, past and present.


def exclusions_of(*, campaign: Campaign) -> QuerySet[Exclusion]:
    """Return all exclusions of a campaign, newest first, with their targets; one query."""
    return Exclusion.objects.filter(campaign=campaign).select_related(
        *TARGETS, "created_by", "lifted_by"
    )


def exclusions_of_annotators(*, campaign: Campaign) -> QuerySet[Exclusion]:
    """Return the exclusions of annotators; one query."""
    rows = Exclusion.objects.filter(campaign=campaign, annotator__isnull=False)
    return rows.select_related("annotator", "created_by", "lifted_by")


def excluded(annotators: QuerySet[Annotator]) -> QuerySet[Annotator]:
    """Prefetch `in_force`, the exclusions in force, in one more query."""
    in_force = Exclusion.objects.filter(ends_at=None)
    return annotators.prefetch_related(Prefetch("exclusions", in_force, "in_force"))


def is_excluded(*, annotator: Annotator) -> bool:
    """Whether an exclusion of the annotator is in force; one query."""
    return Exclusion.objects.filter(annotator=annotator, ends_at=None).exists()


# Withdrawals from a campaign.


def withdrawals(*, campaign: Campaign) -> QuerySet[Withdrawal]:
    """Return all withdrawals of a campaign, newest first, including ended ones; one query."""
    return Withdrawal.objects.filter(campaign=campaign).select_related("annotator")


def withdrawal_of(*, campaign: Campaign, user: User) -> Withdrawal | None:
    """Return the user's own withdrawal if it is in force and the user was not erased."""
    if not user.is_authenticated:
        return None
    own_withdrawals = Withdrawal.objects.filter(campaign=campaign, annotator__user=logged_in(user))
    return own_withdrawals.filter(ended_at=None).first()


def withdrawn(annotators: QuerySet[Annotator]) -> QuerySet[Annotator]:
    """Prefetch `left`, the withdrawals in force (one or none), in one more query."""
    in_force = Withdrawal.objects.filter(ended_at=None)
    return annotators.prefetch_related(Prefetch("withdrawals", in_force, "left"))


# Background questions of a campaign, and the answers of its annotators.


def questions_asked(*, campaign: Campaign) -> QuerySet[BackgroundQuestion]:
    """Return the questions that are not hidden, in order."""
    return BackgroundQuestion.objects.filter(campaign=campaign, hidden_at=None)


def questions_left(*, annotator: Annotator) -> QuerySet[BackgroundQuestion]:
    """Return the questions that the annotator has not answered or declined yet."""
    questions = BackgroundQuestion.objects.filter(campaign=annotator.campaign_id, hidden_at=None)
    answers = BackgroundAnswer.objects.filter(question=OuterRef("pk"), annotator=annotator)
    return questions.filter(~Exists(answers))


def questions_with_answers(*, campaign: Campaign) -> QuerySet[BackgroundQuestion]:
    """Return all questions in order, including hidden ones, with the number `answered`; one
    query.
    """
    rows = campaign.background_questions.annotate(answered=Count("answers"))
    return rows.order_by("position", "pk")


def question_get(*, campaign: Campaign, key: UUID) -> BackgroundQuestion:
    """Return one question. Raises NotFound if the campaign has none with this key."""
    row = questions_with_answers(campaign=campaign).filter(key=key).first()
    if row is None:
        raise NotFound(_("There is no such question."))
    return row


def annotators_with_consent(*, campaign: Campaign) -> QuerySet[Annotator]:
    """Return everybody with `consent_version`, `consented_at`, `withdrawn_at` and `erased`, and
    prefetch the answers in two more queries.
    """
    newest = Consent.objects.filter(annotator=OuterRef("pk")).order_by("-at", "-pk")
    left = Withdrawal.objects.filter(annotator=OuterRef("pk"), ended_at=None)
    answers = BackgroundAnswer.objects.select_related("question")
    return (
        Annotator.objects.filter(campaign=campaign)
        .annotate(
            consent_version=Subquery(newest.values("text__version")[:1]),
            consented_at=Subquery(newest.values("at")[:1]),
            withdrawn_at=Subquery(left.values("at")[:1]),
            erased=Subquery(left.values("erased")[:1]),
        )
        .prefetch_related(Prefetch("background_answers", answers))
    )


@dataclass(frozen=True, slots=True)
class AnswerTally:
    """How often each answer to a question was given.

    `counts` pairs answers with their numbers: options in their order (including those nobody
    chose), numbers ascending, texts by frequency. For "any of several" an annotator counts once for
    each chosen option. `declined` counts "I would rather not say", `empty` counts blank answers.
    """

    question: BackgroundQuestion
    answered: int
    counts: tuple[tuple[str, int], ...]
    declined: int
    empty: int


def answer_tallies(*, campaign: Campaign) -> list[AnswerTally]:
    """Return the tally of each question in order, including hidden ones; two queries."""
    answers: dict[int, list[BackgroundAnswer]] = {}
    for answer in BackgroundAnswer.objects.filter(question__campaign=campaign):
        answers.setdefault(answer.question_id, []).append(answer)
    questions = campaign.background_questions.order_by("position", "pk")
    return [_tally(question, answers.get(question.pk, [])) for question in questions]


def _tally(question: BackgroundQuestion, answers: list[BackgroundAnswer]) -> AnswerTally:
    kind = BackgroundQuestion.Kind
    given = [one.value for one in answers if one.value not in (None, [])]
    declined = sum(one.declined for one in answers)
    if question.kind in (kind.CHOICE, kind.CHOICES):
        chosen = Counter(part for value in given for part in _parts(value))
        counts = tuple((option, chosen[option]) for option in question.options)
    elif question.kind == kind.NUMBER:
        counts = tuple((f"{value:g}", n) for value, n in sorted(Counter(given).items()))
    else:
        texts = Counter(map(str, given))
        counts = tuple(sorted(texts.items(), key=lambda pair: (-pair[1], pair[0])))
    return AnswerTally(question, len(given), counts, declined, len(answers) - len(given) - declined)


def _parts(value: object) -> Iterator[str]:
    yield from (str(one) for one in (value if isinstance(value, list) else [value]))


def annotators_with_answers(*, campaign: Campaign) -> QuerySet[Annotator]:
    """Return the annotators who answered or skipped a question, by code, with their answers."""
    answered = BackgroundAnswer.objects.filter(annotator=OuterRef("pk"))
    answers = BackgroundAnswer.objects.select_related("question")
    rows = Annotator.objects.filter(Exists(answered), campaign=campaign).order_by("code")
    return rows.prefetch_related(Prefetch("background_answers", answers))


# Members and invitations of a campaign.


RANK = (
    Membership.Role.OWNER,
    Membership.Role.RESEARCHER,
    Membership.Role.VIEWER,
    Membership.Role.ANNOTATOR,
)


def members(*, campaign: Campaign) -> QuerySet[Membership]:
    """Return the members of the campaign, owners first; one query.

    Each has `code`, the annotator code used in exports, and `annotator_key`.
    """
    annotator = Annotator.objects.filter(campaign=campaign, user=OuterRef("user"))
    rank = Case(
        *(When(role=role, then=Value(place)) for place, role in enumerate(RANK)),
        output_field=IntegerField(),
    )
    return (
        campaign.memberships.select_related("user")
        .annotate(
            code=Subquery(annotator.values("code")[:1]),
            annotator_key=Subquery(annotator.values("key")[:1]),
            rank=rank,
        )
        .order_by("rank", "user__username")
    )


def invitation_get(*, token: str, now: datetime | None = None) -> Invitation:
    """Return the invitation of a token. Raises NotFound if it is unknown, used up, expired or
    revoked.
    """
    now = now or clock.now()
    invitation = _invitation_of(token_digest(token))
    if (
        invitation is None
        or invitation.revoked_at is not None
        or invitation.expires_at <= now
        or invitation.uses >= invitation.max_uses
    ):
        raise NotFound(
            _("This invitation is not valid (any more). Ask whoever sent it for a new link.")
        )
    return invitation


def _invitation_of(digest: str) -> Invitation | None:
    """The one with this link, or with the one in a letter on its way: nobody knows whether it has
    arrived."""
    rows = Invitation.objects.select_related("campaign")
    on_the_way = Q(letters__token_hash=digest, letters__status=Letter.Status.WAITING)
    return rows.filter(token_hash=digest).first() or rows.filter(on_the_way).first()


def member_get(*, campaign: Campaign, user: int) -> UserModel:
    """Return the member with this user id. Raises NotFound for non-members."""
    member = UserModel.objects.filter(pk=user, memberships__campaign=campaign).first()
    if member is None:
        raise NotFound(_("There is no such member."))
    return member


# Who is to be reminded: people who were invited by e-mail and have work left.


def reminder_rule_of(*, campaign: Campaign) -> ReminderRule | None:
    """Return the campaign's rule, None if nobody is reminded."""
    return ReminderRule.objects.filter(campaign=campaign).first()


def invitations_due(*, rule: ReminderRule, now: datetime) -> list[Invitation]:
    """Return the invitations whose people are to be written to now, longest ago first.

    Days count from the last e-mail and from the last work, whichever is later. Who has come is
    reminded while sheets are left for them and nothing keeps them from these; who has not, while
    the link works. Nobody is reminded unless the campaign is open, or after they said so, or while
    their last letter waits, or after it was refused.
    """
    campaign = rule.campaign
    if campaign.status != Campaign.Status.OPEN or campaign.archived_at is not None:
        return []
    before = now - timedelta(days=rule.days)
    last = Letter.objects.filter(invitation=OuterRef("pk")).order_by("-pk").values("status")[:1]
    rows = (
        Invitation.objects.filter(campaign=campaign, revoked_at=None, no_mail_at=None)
        .filter(sent_at__lte=before, reminders__lt=rule.at_most)
        .filter(Q(reminded_at=None) | Q(reminded_at__lte=before))
        .exclude(email="")
        .annotate(last_letter=Subquery(last))
        .filter(Q(last_letter=None) | Q(last_letter=Letter.Status.SENT))
        .order_by("sent_at", "pk")
    )
    waiting = Q(uses=0, expires_at__gt=now)
    came = Q(uses__gt=0, role="annotator")
    return [one for one in rows.filter(waiting | came) if not one.uses or _has_left(one, before)]


def _has_left(invitation: Invitation, before: datetime) -> bool:
    people = Annotator.objects.filter(invitation=invitation).select_related("campaign")
    annotator = people.first()
    if annotator is None or annotator.ineligible_since is not None or annotator.user_id is None:
        return False
    if Exclusion.objects.filter(annotator=annotator, ends_at=None).exists():
        return False
    if Withdrawal.objects.filter(annotator=annotator, ended_at=None).exists():
        return False
    last = _last_work(annotator)
    if (last is not None and last > before) or annotator.created_at > before:
        return False
    progress = own_progress(campaign=annotator.campaign, annotator=annotator)
    return bool(progress.open + progress.left) and not sql.waiting(annotator).paused


def _last_work(annotator: Annotator) -> datetime | None:
    sheets = SlotEvent.objects.filter(annotator=annotator, actor=None).aggregate(at=Max("at"))["at"]
    saves = JudgmentVersion.objects.filter(
        judgment__annotator=annotator, request_id__isnull=False
    ).aggregate(at=Max("recorded_at"))["at"]
    return max((one for one in (sheets, saves) if one is not None), default=None)


# Who is at work.


AT_WORK = timedelta(minutes=10)  # since the newest save
# Whose saves have the time of their work; those of a file have that of its import.
WORKING = (*PEOPLE, Annotator.Origin.SIMULATED)


def working_now(*, campaign: Campaign, now: datetime) -> tuple[Annotator, ...]:
    """Return annotators whose newest save is at most AT_WORK old and whose part in a panel is not
    over, the newest first, with `last_at`; one query."""
    rows = (
        with_part(with_last_save(Annotator.objects.filter(campaign=campaign, origin__in=WORKING)))
        .filter(last_at__gte=now - AT_WORK)
        .select_related("user")
        .order_by("-last_at", "pk")
    )
    return tuple(one for one in rows if not part_ended(one, now))


def with_last_save(annotators: QuerySet[Annotator]) -> QuerySet[Any]:
    """Annotate `last_at`, the time of the newest save; the end of an index for each annotator."""
    newest = Judgment.objects.filter(annotator=OuterRef("pk")).order_by("-recorded_at")
    return annotators.annotate(
        last_at=Subquery(newest.values("recorded_at")[:1], output_field=DateTimeField())
    )


def with_part(annotators: QuerySet[Any]) -> QuerySet[Any]:
    parts = Participant.objects.filter(annotator=OuterRef("pk")).order_by("-pk")
    return annotators.annotate(
        part_outcome=Subquery(parts.values("outcome")[:1]),
        part_began=Subquery(parts.values("entered_at")[:1]),
        part_minutes=Subquery(parts.values("panel__minutes")[:1]),
    )


def part_ended(one: Any, now: datetime) -> str:
    """How the annotator's newest part in a panel ended, "complete" or "left": also of those whose
    time is up and who have not come back to be told. "" while it goes on, and without one."""
    outcome, minutes = one.part_outcome, one.part_minutes
    if outcome == "" and minutes is not None:
        return "left" if now > one.part_began + timedelta(minutes=minutes) else ""
    return "complete" if outcome == PartOutcome.COMPLETE else "left" if outcome else ""


# The part of an annotator who came by a panel: how much of it is done, and how it ends.


def part_of(*, annotator: Annotator) -> Participant | None:
    """Return the annotator's newest part, with panel and annotator; None for people who came
    otherwise."""
    rows = Participant.objects.filter(annotator=annotator).order_by("-pk")
    return rows.select_related("panel__campaign", "annotator__campaign").first()


def submitted(annotator: Annotator) -> int:
    """The number of sheets that the annotator handed in, also if they were voided since."""
    done = Q(state__in=[Slot.State.DONE, Slot.State.VOID], done_at__isnull=False)
    return Slot.objects.filter(done, annotator=annotator).count()


def has_open(annotator: Annotator) -> bool:
    """Whether the annotator holds a sheet that is not handed in."""
    return Slot.objects.filter(annotator=annotator, state=Slot.State.CLAIMED).exists()


def sheets_of(part: Participant) -> int:
    """The sheets that were handed in in this part, the annotator's newest; one query."""
    return max(0, submitted(part.annotator) - part.sheets_before)


def reached(part: Participant) -> bool:
    """Whether the quota of the part, the annotator's newest, is done."""
    return part.quota > 0 and not has_open(part.annotator) and sheets_of(part) >= part.quota


FREES = (PartOutcome.TIMED_OUT, PartOutcome.WITHDRAWN, PartOutcome.SCREENED_OUT)


def part_end(
    *, part: Participant, outcome: PartOutcome, now: datetime, actor: Actor = None
) -> Participant:
    """End the part with the outcome, unless it has one already or its campaign is archived.

    QUOTA_FULL alone can become another outcome later. With those of FREES the open sheets go to
    others at once; what was handed in stays, and who has handed in everything is COMPLETE.
    """
    if part.panel.campaign.archived_at is not None:
        return part
    open_still = ["", PartOutcome.QUOTA_FULL]
    with short_write():
        lock_row(Annotator, part.annotator.pk)
        if outcome in FREES and not part.outcome and reached(part):
            outcome = PartOutcome.COMPLETE
        changed = (
            Participant.objects.filter(pk=part.pk, outcome__in=open_still)
            .exclude(outcome=outcome)
            .update(outcome=outcome, ended_at=now)
        )
        if changed:
            if outcome in FREES:
                give_back_all(part.annotator, now)
            audit(
                actor=actor,
                verb="end part",
                about=part,
                campaign=part.annotator.campaign,
                outcome=str(outcome),
            )
    part.refresh_from_db(fields=["outcome", "ended_at"])
    return part


def part_finish(*, annotator: Annotator, now: datetime) -> None:
    """End the annotator's part where everything is handed in: whoever closes the browser after the
    last sheet has done their part, too."""
    part = part_of(annotator=annotator)
    if part is not None and not part.outcome and reached(part):
        part_end(part=part, outcome=PartOutcome.COMPLETE, now=now)


def part_reopen(*, part: Participant) -> None:
    """A place became free for somebody who was told that nothing is left."""
    with short_write():
        Participant.objects.filter(pk=part.pk, outcome=PartOutcome.QUOTA_FULL).update(
            outcome="", ended_at=None
        )
    part.outcome, part.ended_at = "", None


def give_back_all(annotator: Annotator, now: datetime) -> None:
    """Free every sheet that the locked annotator has open."""
    held = Slot.objects.filter(annotator=annotator, state=Slot.State.CLAIMED)
    sheets: dict[int, Sheet] = {
        sheet.pk: sheet for sheet in sheets_lock(held.values_list("sheet", flat=True))
    }
    for slot in slots.locked(held.filter(sheet__in=sheets).order_by("pk")):
        slots.give_back(annotator, sheets[slot.sheet_id], slot, now)


def ids_forget(*, annotator: Annotator) -> None:
    """Erase the platform's ids of one annotator, or the name that a guest gave and the link back,
    inside the caller's transaction."""
    Participant.objects.filter(annotator=annotator).update(platform_id="", submission_id="")
    Guest.objects.filter(annotator=annotator).delete()
