"""Everything that is stored about one person, as files of a zip.

Judgments come with their history, a row for each version. What the person was not shown is not in
it: systems, roles of texts, statistics. Other apps add their files to FURTHER.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Model, Q, QuerySet

from annotation.exporters import Column, row_chunks
from annotation.models import (
    Annotator,
    ApiToken,
    AuditEntry,
    BackgroundAnswer,
    Consent,
    JudgmentVersion,
    Letter,
    Membership,
    Participant,
    PracticeAttempt,
    Remark,
    Skip,
    SlotEvent,
    Withdrawal,
)

AT_ONCE = 2000
IN_MEMORY = 5 * 2**20
Rows = Iterable[Mapping[str, Any]]
# Name of a file and its rows: what other apps store about a person.
FURTHER: list[Callable[[User], Mapping[str, Rows]]] = []
OF_ANNOTATOR: dict[str, tuple[type[Model], dict[str, str]]] = {
    "remarks": (Remark, {
        "sheet": "sheet__key", "text": "substitution__text", "flagged": "flagged",
        "remark": "text", "at": "at",
    }),
    "skips": (Skip, {"sheet": "sheet__key", "reason": "reason", "at": "at"}),
    "background": (BackgroundAnswer, {
        "question": "question__wording", "value": "value", "declined": "declined", "at": "at",
    }),
    "consent": (Consent, {
        "version": "text__version", "text": "text__text", "at": "at", "ended_at": "ended_at",
    }),
    "withdrawals": (Withdrawal, {"judgments": "judgments", "at": "at", "ended_at": "ended_at"}),
    "practice": (PracticeAttempt, {
        "part": "part", "number": "number", "started_at": "started_at",
        "finished_at": "finished_at", "passed": "passed",
    }),
    "panels": (Participant, {
        "panel": "panel__name", "platform_id": "platform_id", "submission_id": "submission_id",
        "entered_at": "entered_at", "outcome": "outcome", "ended_at": "ended_at",
    }),
    # When they worked: each sheet that they took, handed in or lost.
    "work": (SlotEvent, {"sheet": "slot__sheet__key", "what": "kind", "at": "at"}),
}  # fmt: skip
JUDGMENT = {
    "campaign": "judgment__campaign__slug", "code": "judgment__annotator__code",
    "item": "judgment__substitution__item__key",
    "sentence": "judgment__substitution__item__sentence",
    "paraphrase": "judgment__substitution__text", "scale": "judgment__scale__name",
    "occasion": "judgment__occasion", "version": "version", "value": "value", "reason": "reason",
    "comment": "comment", "recorded_at": "recorded_at",
}  # fmt: skip

LETTER = {
    "campaign": "campaign__slug", "kind": "kind", "to": "to", "subject": "subject",
    "status": "status", "at": "created_at", "closed_at": "closed_at",
}  # fmt: skip


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
        "memberships": _named(Membership.objects.filter(user=user), {
            "campaign": "campaign__slug", "name": "campaign__name", "role": "role",
            "since": "created_at",
        }),
        "annotates": _named(Annotator.objects.filter(user=user), {
            "campaign": "campaign__slug", "name": "campaign__name", "code": "code",
            "since": "created_at",
        }),
    }  # fmt: skip


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
    own = ({**row, "by": "self" if row["by"] == user.username else "others"} for row in
           _rows(log, names))  # fmt: skip
    yield "log", list(names), own
    theirs = Q(user=user) | Q(invitation__annotators__user=user)
    if user.email:
        theirs |= Q(to__iexact=user.email)
    letters = Letter.objects.filter(theirs).distinct()
    yield "letters", list(LETTER), _rows(letters, LETTER)
    for further in FURTHER:
        for name, found in further(user).items():
            rows_found = list(found)
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
