"""Everything that is stored about one person, as files of a zip.

Judgments come with their history, a row for each version. What the person was not shown is not in
it: systems, roles of texts, statistics. Other apps add their files to FURTHER.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import router
from django.db.models import Count, F, Model, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from annotation.access import User as AnyUser
from annotation.accounts.login import sessions_drop
from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict, Invalid, NotFound
from annotation.exporters.columns import Column
from annotation.exporters.writers import row_chunks
from annotation.models import (
    Annotator,
    ApiToken,
    AuditEntry,
    BackgroundAnswer,
    Campaign,
    Consent,
    Guest,
    Invitation,
    Judgment,
    JudgmentVersion,
    Letter,
    Membership,
    Participant,
    PartOutcome,
    PracticeAttempt,
    Remark,
    Sheet,
    Skip,
    Slot,
    SlotEvent,
    Withdrawal,
)
from annotation.people.annotators import (
    give_back_all,
    ids_forget,
    part_end,
    part_of,
)
from annotation.people.exclusions import slots_reassign
from paraanno import clock

AT_ONCE = 2000
IN_MEMORY = 5 * 2**20
Rows = Iterable[Mapping[str, Any]]
# Name of a file and its rows: what other apps store about a person.
FURTHER: list[Callable[[User], Mapping[str, Rows]]] = []
OF_ANNOTATOR: dict[str, tuple[type[Model], dict[str, str]]] = {
    "remarks": (
        Remark,
        {
            "sheet": "sheet__key",
            "text": "substitution__text",
            "flagged": "flagged",
            "remark": "text",
            "at": "at",
        },
    ),
    "skips": (Skip, {"sheet": "sheet__key", "reason": "reason", "at": "at"}),
    "background": (
        BackgroundAnswer,
        {
            "question": "question__wording",
            "value": "value",
            "declined": "declined",
            "at": "at",
        },
    ),
    "guest": (
        Guest,
        {
            "name": "name",
            "since": "created_at",
            "link_since": "renewed_at",
            "link_ended_at": "revoked_at",
        },
    ),
    "consent": (
        Consent,
        {
            "version": "text__version",
            "text": "text__text",
            "at": "at",
            "ended_at": "ended_at",
        },
    ),
    "withdrawals": (Withdrawal, {"judgments": "judgments", "at": "at", "ended_at": "ended_at"}),
    "practice": (
        PracticeAttempt,
        {
            "part": "part",
            "number": "number",
            "started_at": "started_at",
            "finished_at": "finished_at",
            "passed": "passed",
        },
    ),
    "panels": (
        Participant,
        {
            "panel": "panel__name",
            "platform_id": "platform_id",
            "submission_id": "submission_id",
            "entered_at": "entered_at",
            "outcome": "outcome",
            "ended_at": "ended_at",
        },
    ),
    # When they worked: each sheet that they took, handed in or lost.
    "work": (SlotEvent, {"sheet": "slot__sheet__key", "what": "kind", "at": "at"}),
}
JUDGMENT = {
    "campaign": "judgment__campaign__slug",
    "code": "judgment__annotator__code",
    "item": "judgment__substitution__item__key",
    "sentence": "judgment__substitution__item__sentence",
    "paraphrase": "judgment__substitution__text",
    "scale": "judgment__scale__name",
    "occasion": "judgment__occasion",
    "version": "version",
    "value": "value",
    "reason": "reason",
    "comment": "comment",
    "recorded_at": "recorded_at",
}

LETTER = {
    "campaign": "campaign__slug",
    "kind": "kind",
    "to": "to",
    "subject": "subject",
    "status": "status",
    "at": "created_at",
    "closed_at": "closed_at",
}


def account_json(*, user: User) -> dict[str, Any]:
    """The account itself, its tokens by label, and its campaigns."""
    tokens = ApiToken.objects.filter(user=user).order_by("pk")
    return {
        "username": user.username,
        "email": user.email,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "administrator": user.is_superuser,
        "active": user.is_active,
        "joined": user.date_joined,
        "last_login": user.last_login,
        "tokens": list(tokens.values("label", "scope", "created_at", "expires_at", "used_at")),
        "connected_logins": list(
            user.outside_logins.values("issuer", "subject", "label", "created_at", "used_at")
        ),
        "memberships": _named(
            Membership.objects.filter(user=user),
            {
                "campaign": "campaign__slug",
                "name": "campaign__name",
                "role": "role",
                "since": "created_at",
            },
        ),
        "annotates": _named(
            Annotator.objects.filter(user=user),
            {
                "campaign": "campaign__slug",
                "name": "campaign__name",
                "code": "code",
                "since": "created_at",
            },
        ),
    }


def _named(rows: QuerySet, names: Mapping[str, str]) -> list[dict[str, Any]]:
    return list(_rows(rows, names))


def _rows(rows: QuerySet, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    columns = list(dict.fromkeys(names.values()))
    for row in rows.order_by("pk").values(*columns).iterator(AT_ONCE):
        yield {name: _plain(row[column]) for name, column in names.items()}


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, UUID) else value


def person_tables(*, user: User) -> Iterator[tuple[str, list[str], Rows]]:
    """Name, columns and rows of each table; rows come in constant memory."""
    versions = JudgmentVersion.objects.filter(judgment__annotator__user=user)
    yield "judgments", list(JUDGMENT), _rows(versions, JUDGMENT)
    for name, (model, names) in OF_ANNOTATOR.items():
        all_names = {"campaign": "annotator__campaign__slug", **names}
        rows = model._default_manager.filter(annotator__user=user)
        yield name, list(all_names), _rows(rows, all_names)
    log = AuditEntry.objects.filter(Q(actor=user) | Q(person=user))
    names = {"at": "at", "verb": "verb", "campaign": "campaign__slug", "by": "actor__username"}
    # What others did about the person is included, but not who did it.
    own = (
        {**row, "by": "self" if row["by"] == user.username else "others"}
        for row in _rows(log, names)
    )
    yield "log", list(names), own
    theirs = Q(user=user) | Q(invitation__annotators__user=user)
    if user.email:
        theirs |= Q(to__iexact=user.email)
    letters = Letter.objects.filter(theirs).distinct()
    yield "letters", list(LETTER), _rows(letters, LETTER)
    for further in FURTHER:
        for name, records in further(user).items():
            rows_found = list(records)
            yield name, list(rows_found[0]) if rows_found else ["nothing"], rows_found


def person_zip(*, user: User) -> IO[bytes]:
    """A zip of `account.json` and a CSV of each table, at its start; in a temporary file."""
    stream = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 the answer closes it
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        account = json.dumps(account_json(user=user), ensure_ascii=False, indent=1, default=str)
        archive.writestr("account.json", account + "\n")
        for name, columns, rows in person_tables(user=user):
            with archive.open(f"{name}.csv", "w") as file:
                for chunk in row_chunks(rows, [Column(one) for one in columns], format="csv"):
                    file.write(chunk.encode())
    stream.seek(0)
    return stream


# What erasing a person would do, campaign by campaign, before anything is done.


OWNER = Membership.Role.OWNER


@dataclass(frozen=True, slots=True)
class ErasedPart:
    """A campaign that the person is in, and what is there of them. `removes`: judgments go."""

    campaign: Campaign
    role: str
    annotator: Annotator | None
    removes: bool
    judgments: int = 0
    remarks: int = 0
    answers: int = 0


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """All that would happen. Nothing does while there is an obstacle."""

    user: User
    parts: tuple[ErasedPart, ...]
    only_owner_of: tuple[Campaign, ...]
    last_admin: bool
    tokens: int
    log_entries: int

    @property
    def possible(self) -> bool:
        return not self.only_owner_of and not self.last_admin


def account_get(*, actor: AnyUser, pk: int) -> User:
    """An account, for administrators. Raises NotFound for everybody else, and for no account."""
    account = None
    if actor.is_authenticated and actor.is_superuser:
        account = User.objects.filter(pk=pk).first()
    if account is None:
        raise NotFound(_("There is no such page."))
    return account


def erasure_plan(*, user: User) -> ErasurePlan:
    """Look at everything; a constant number of queries."""
    annotators = {
        one.campaign_id: one
        for one in Annotator.objects.filter(user=user).select_related("campaign", "invitation")
    }
    members = Membership.objects.filter(user=user).select_related("campaign")
    roles = {one.campaign_id: one for one in members}
    counts = [
        _by_annotator(model.objects.filter(annotator__user=user))
        for model in (Judgment, Remark, BackgroundAnswer)
    ]
    parts = []
    for pk in {**annotators, **roles}:
        annotator, member = annotators.get(pk), roles.get(pk)
        campaign = annotator.campaign if annotator else roles[pk].campaign
        row_counts = [count.get(annotator.pk, 0) if annotator else 0 for count in counts]
        role = member.role if member else ""
        parts.append(ErasedPart(campaign, role, annotator, campaign.erasure_removes, *row_counts))
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    log = AuditEntry.objects.filter(actor=user).count()
    return ErasurePlan(
        user,
        tuple(sorted(parts, key=lambda one: one.campaign.name)),
        tuple(_only_owner_of(user)),
        user.is_superuser and not others.exists(),
        ApiToken.objects.filter(user=user).count(),
        log,
    )


def _by_annotator(rows: QuerySet) -> dict[int, int]:
    return dict(rows.order_by().values_list("annotator").annotate(n=Count("*")))


def _only_owner_of(user: User) -> QuerySet[Campaign]:
    """The campaigns that would have no owner."""
    owners = (
        Membership.objects.filter(campaign=OuterRef("pk"), role=OWNER)
        .order_by()
        .values("campaign")
        .annotate(n=Count("*"))
        .values("n")
    )
    ownerships = Membership.objects.filter(user=user, role=OWNER)
    rows = Campaign.objects.filter(pk__in=ownerships.values("campaign"))
    return rows.annotate(owners=Subquery(owners)).filter(owners=1).order_by(F("name"))


# Deletion of an account, and with it of the person in all campaigns.
#
# By each campaign's rule judgments keep their code, without anything that says whose it is, or are
# deleted. In both cases login, background answers, remarks, comments, ids of platforms and e-mail
# addresses go. The log keeps what was done, and no longer by whom.


ERASED = "erased"
# What other apps do in the same transaction: (campaigns, those of which judgments go).
ERASURE_FURTHER: list[Callable[[Sequence[Campaign], Sequence[Campaign]], None]] = []


@dataclass(frozen=True, slots=True)
class Erased:
    """Counts for the log and the page; no names."""

    campaigns: int
    remaining: int
    removed: int


def account_erase(*, user: User, typed: str, actor: Actor) -> Erased:
    """Delete the account as `erasure_plan` says. `typed` is its name, as somebody who means it
    has typed it. All or nothing, in one transaction.

    Raises Invalid for another name, Conflict for the only owner of a campaign and for the last
    administrator. Callers check that the actor is the person or an administrator.
    """
    if typed.strip() != user.username:
        raise Invalid(_("Type the name %(name)s to delete the account.") % {"name": user.username})
    now = clock.now()
    by = None if actor is not None and actor.pk == user.pk else actor
    with short_write():
        user = lock_row(User, user.pk, key=True)
        # As setting a role does, so that no two owners leave each other alone.
        locked = Campaign.objects.select_for_update(no_key=True).order_by("pk")
        list(locked.filter(memberships__user=user))
        plan = erasure_plan(user=user)
        if plan.only_owner_of:
            names = ", ".join(one.name for one in plan.only_owner_of)
            raise Conflict(_("Name another owner first of: %(names)s.") % {"names": names})
        if plan.last_admin:
            raise Conflict(_("This is the only administrator: name another one first."))
        for part in plan.parts:
            _erase_in(part, user, now, by)
        removed = [part.campaign for part in plan.parts if part.removes and part.annotator]
        for further in ERASURE_FURTHER:
            further([part.campaign for part in plan.parts], removed)
        _forget(user)
        erased = Erased(
            len(plan.parts),
            sum(one.judgments for one in plan.parts if not one.removes),
            sum(one.judgments for one in plan.parts if one.removes),
        )
        user.delete()
        audit(
            actor=by,
            verb="erase person",
            about=User(),
            campaign=None,
            campaigns=erased.campaigns,
            kept=erased.remaining,
            removed=erased.removed,
        )
    return erased


def _erase_in(part: ErasedPart, user: User, now: datetime, by: Actor) -> None:
    annotator = part.annotator
    if annotator is not None:
        lock_row(Annotator, annotator.pk)
        _forget_invitation(annotator)
        SlotEvent.objects.filter(annotator=annotator, actor=user).update(actor=None)
        Remark.objects.filter(annotator=annotator).delete()
        if part.removes:
            _remove(annotator, now)
        else:
            _detach(annotator, now)
    audit(
        actor=by,
        verb="erase person",
        about=User(),
        campaign=part.campaign,
        judgments="removed" if part.removes else "kept",
        n=part.judgments,
    )


def _forget_invitation(annotator: Annotator) -> None:
    """An invitation for one person may name them."""
    rows = Invitation.objects.filter(annotators=annotator, max_uses=1)
    Letter.objects.filter(invitation__in=rows).delete()
    rows.update(note="", email="")


def _detach(annotator: Annotator, now: datetime) -> None:
    """Leave the code and the values alone."""
    give_back_all(annotator, now)
    if (part := part_of(annotator=annotator)) is not None:
        part_end(part=part, outcome=PartOutcome.WITHDRAWN, now=now)
    ids_forget(annotator=annotator)
    BackgroundAnswer.objects.filter(annotator=annotator).delete()
    Judgment.objects.filter(annotator=annotator).exclude(comment="").update(comment="")
    versions = JudgmentVersion.objects.filter(judgment__annotator=annotator)
    versions.exclude(comment="").update(comment="")
    Skip.objects.filter(annotator=annotator).update(reason=ERASED)
    Annotator.objects.filter(pk=annotator.pk).update(user=None, invitation=None)


def _remove(annotator: Annotator, now: datetime) -> None:
    """Delete the annotator with everything; their places go to others."""
    slots_reassign(annotator, now, None)
    _delete(JudgmentVersion.objects.filter(judgment__annotator=annotator))
    _delete(Judgment.objects.filter(annotator=annotator))
    _delete(Skip.objects.filter(annotator=annotator))
    Sheet.objects.filter(for_annotator=annotator).delete()
    SlotEvent.objects.filter(annotator=annotator).update(annotator=None)
    Slot.objects.filter(annotator=annotator).update(annotator=None)
    log = AuditEntry.objects.filter(campaign=annotator.campaign, about=annotator.code)
    log.update(about="", object_id=ERASED, data={})
    annotator.delete()


def _delete(rows: QuerySet) -> None:
    """In one statement: Django would first load every judgment."""
    rows.order_by()._raw_delete(router.db_for_write(rows.model))


def _forget(user: User) -> None:
    """What names the person and is no row of theirs."""
    AuditEntry.objects.filter(object_type="user", object_id=str(user.pk)).update(object_id=ERASED)
    if user.email:
        Letter.objects.filter(to__iexact=user.email).delete()
        Invitation.objects.filter(email__iexact=user.email).update(email="", note="")
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.filter(content_type=kind, object_id=str(user.pk)).delete()
    sessions_drop(user=user)  # By their list: to read every session would hold saves up.
