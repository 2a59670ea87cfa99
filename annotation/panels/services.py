"""Panels of a crowd platform: making and changing them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, short_write
from annotation.errors import Conflict, Invalid, NotAllowed, TooManyFailures
from annotation.models import (
    Annotator,
    Campaign,
    Membership,
    Panel,
    Participant,
    PartOutcome,
    PlatformEvent,
    Slot,
    Withdrawal,
)
from annotation.models.fields import text_digest
from annotation.models.panels import participant_login
from annotation.panels.participation import part_end
from annotation.panels.queries import reached, submitted
from annotation.people.annotators import part_of
from annotation.people.membership import annotator_make
from paraanno import clock
from paraanno.common.panel_links import address_problem, parameter_problem
from paraanno.common.texts import NOTHING, Sentence, say
from paraanno.translated import translated

# Patterns for the ids of a platform. A pattern comes from a researcher, and the text from anybody:
# nested repetition can take for ever, so that repetition of a group is refused, and only a few
# repetitions are allowed.
LONGEST_ID = 128  # characters
REPEATS = 3  # of variable length; LONGEST_ID ** 3 / 6 steps are milliseconds


def pattern_problem(pattern: str) -> Sentence:
    """Return what is wrong with the pattern, NOTHING if it can be used."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return say("This is no regular expression.")
    bare = re.sub(r"\\.", "x", pattern)
    bare = re.sub(r"\[\^?\]?[^\]]*\]", "x", bare)
    if re.search(r"\)[*+?{]", bare) or "(?" in bare or re.search(r"\\[1-9]", pattern):
        return say("Repeat single characters and [sets], not groups, and refer to no group.")
    variable = re.findall(r"[*+?]|\{\d*,\d*\}", bare)
    if len(variable) > REPEATS:
        return say("At most %(n)s repetitions of variable length.", n=REPEATS)
    return NOTHING


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def id_fits(text: str, pattern: str) -> bool:
    """Whether the text can be an id: visible characters, and all of it as the pattern says."""
    if not 0 < len(text) <= LONGEST_ID or not text.isprintable() or " " in text:
        return False
    return not pattern or _compiled(pattern).fullmatch(text) is not None


MOST_SHEETS = 100_000
MOST_PEOPLE = 1_000_000
CODE_LENGTH = 100
NAMES = ("parameter", "session_parameter")
TEXTS = (
    "name",
    "parameter",
    "session_parameter",
    "id_pattern",
    "return_url",
    "event_secret",
    "currency",
    "contact",
)
NUMBERS = {"sheets_per_person": MOST_SHEETS, "max_participants": MOST_PEOPLE, "minutes": 525_600}
MONEY = ("pay", "pay_floor", "bonus")
FIELDS = (*TEXTS, *NUMBERS, *MONEY, "codes")


def panel_create(*, campaign: Campaign, actor: Actor, **given: Any) -> Panel:
    """Make a panel from the fields of FIELDS; raises Invalid with `fields`.

    `codes` maps outcomes to completion codes. In `return_url`, `{code}` and `{id}` are filled in;
    the panel lets nobody in while that of "complete" is lacking.
    """
    panel = Panel(campaign=campaign, token=secrets.token_urlsafe(24))
    given.setdefault("event_secret", secrets.token_urlsafe(32))
    _fill(panel, given)
    panel.created_by_id = actor.pk if actor else None
    with short_write():
        panel.save()
        audit(actor=actor, verb="make panel", about=panel, campaign=campaign, name=panel.name)
    return panel


def panel_check(**given: Any) -> None:
    """Raise Invalid, with `fields`, if no panel could have these fields; nothing is written."""
    _fill(Panel(), given)


def panel_update(*, panel: Panel, actor: Actor, **given: Any) -> Panel:
    """Change fields of the panel. People who have entered keep the number of sheets they came
    for. Raises Invalid with `fields`, also where those people would lose their way back."""
    needed = panel.needs_code
    _fill(panel, given)
    if panel.needs_code and not needed and panel.participants.exists():
        problem = _code_needed()
        raise Invalid(problem, fields={"codes": [problem]})
    with short_write():
        panel.save(update_fields=[one for one in FIELDS if one in given])
        audit(
            actor=actor,
            verb="change panel",
            about=panel,
            campaign=panel.campaign,
            fields=sorted(given),
        )
    return panel


def panel_close(*, panel: Panel, closed: bool, actor: Actor) -> Panel:
    """Let nobody new in, or do again. Raises Conflict once the platform's ids are erased, and
    where the return address needs a code that is lacking."""
    with short_write():
        panel = Panel.objects.select_for_update(no_key=True).get(pk=panel.pk)
        if not closed and panel.needs_code:
            raise Conflict(_code_needed())
        if panel.erased_at is not None and not closed:
            raise Conflict(_("The platform’s ids are erased: nobody would be recognised."))
        if closed == (panel.closed_at is not None):
            return panel
        panel.closed_at = clock.now() if closed else None
        panel.save(update_fields=["closed_at"])
        verb = "close panel" if closed else "open panel"
        audit(actor=actor, verb=verb, about=panel, campaign=panel.campaign, name=panel.name)
    return panel


def panel_problems(panel: Panel) -> list[str]:
    """Return what of the panel's names and addresses would be refused today; panels that were made
    before keep it until somebody changes it."""
    names = (*NAMES, "return_url")
    given = {name: getattr(panel, name) for name in names}
    return [problem for name, value in given.items() if (problem := _problem(name, value))]


def _fill(panel: Panel, given: Mapping[str, Any]) -> None:
    wrong: dict[str, list[str]] = {}
    for name, value in given.items():
        if name not in FIELDS:
            raise TypeError(f"a panel has no field {name}")
        text = value.strip() if isinstance(value, str) and name not in NAMES else value
        problem = _problem(name, text)
        if problem:
            wrong[name] = [problem]
        setattr(panel, name, text)
    if not panel.name:
        wrong.setdefault("name", [_("Give a name.")])
    if not panel.sheets_per_person:
        wrong.setdefault("sheets_per_person", [_("A number from 1.")])
    if panel.parameter == panel.session_parameter:
        wrong.setdefault("session_parameter", [_("Both ids need a name of their own.")])
    if wrong:
        message = " ".join(f"{name}: {problems[0]}" for name, problems in wrong.items())
        raise Invalid(message, fields=wrong)


def _code_needed() -> str:
    return _("The return address passes on a code: give the code of “Complete”, or nobody is paid.")


def _problem(name: str, value: Any) -> str:
    if name in TEXTS:
        longest = getattr(Panel._meta.get_field(name), "max_length", None) or 0
        if not isinstance(value, str) or len(value) > longest or "\0" in value:
            return _("A text of at most %(most)s characters.") % {"most": longest}
    if name in NUMBERS and value is not None and not 1 <= value <= NUMBERS[name]:
        return _("A number from 1 to %(most)s.") % {"most": f"{NUMBERS[name]:,}"}
    if name in MONEY and value is not None and not 0 <= value < 1_000_000:
        return _("An amount from 0.")
    if name == "parameter" or (name == "session_parameter" and value):
        return translated(parameter_problem(value))
    if name == "id_pattern" and value:
        return translated(pattern_problem(value))
    if name == "return_url" and value:
        return translated(address_problem(value))
    return _codes_problem(value) if name == "codes" else ""


def _codes_problem(value: Any) -> str:
    if not isinstance(value, dict):
        return _("Codes by outcome.")
    for outcome, code in value.items():
        if outcome not in PartOutcome.values:
            return _("%(name)s is no outcome. Outcomes: %(all)s.") % {
                "name": outcome,
                "all": ", ".join(PartOutcome.values),
            }
        if not isinstance(code, str) or len(code) > CODE_LENGTH or not code.isprintable():
            return _("A code is a text of at most %(most)s characters.") % {"most": CODE_LENGTH}
    return ""


# Events that a platform sends: who returned their part or ran out of time.
#
# The signed bytes are those of Prolific: the header `X-Prolific-Request-Timestamp` (seconds), and
# then the body as it came; HMAC-SHA256 with the secret, in base64, in
# `X-Prolific-Request-Signature`. The id of an event is in `X-Event-ID`;
# https://docs.prolific.com/api-reference/webhooks


WINDOW = timedelta(minutes=5)
STATUS = {"RETURNED": PartOutcome.WITHDRAWN, "TIMED-OUT": PartOutcome.TIMED_OUT}
BY_HAND = (PartOutcome.WITHDRAWN, PartOutcome.TIMED_OUT)


def signature_of(*, secret: str, timestamp: str, body: bytes) -> str:
    """Return the signature of an event as the platform makes it."""
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def event_take(
    *,
    panel: Panel,
    body: bytes,
    timestamp: str,
    signature: str,
    event_id: str,
    now: datetime | None = None,
) -> str:
    """Do what the event says, once; return taken, known, or ignored (nothing for this panel).

    Raises NotAllowed for a wrong signature or a time more than WINDOW from now, and Invalid for a
    body that is no JSON object.
    """
    now = now or clock.now()
    if not panel.event_secret or not _genuine(panel, body, timestamp, signature):
        raise NotAllowed(_("The signature does not match."))
    if not _fresh(timestamp, now):
        raise NotAllowed(_("The event is too old, or from the future."))
    event = _read(body)
    if panel.campaign.archived_at is not None:
        return "ignored"
    outcome = STATUS.get(event["status"])
    with short_write():
        Panel.objects.select_for_update(no_key=True).get(pk=panel.pk)
        if not _first_time(panel, event_id, signature, event["status"], now):
            return "known"
        part = _part(panel, event) if outcome is not None else None
        if outcome is None or part is None:
            return "ignored"
        part_end(part=part, outcome=outcome, now=now)
    return "taken"


def _genuine(panel: Panel, body: bytes, timestamp: str, signature: str) -> bool:
    right = signature_of(secret=panel.event_secret, timestamp=timestamp, body=body)
    return hmac.compare_digest(right.encode(), signature.encode())


def _fresh(timestamp: str, now: datetime) -> bool:
    if not timestamp.isascii() or not timestamp.isdecimal() or len(timestamp) > 12:
        return False
    return abs(now.timestamp() - int(timestamp)) <= WINDOW.total_seconds()


def _read(body: bytes) -> dict[str, str]:
    try:
        data: Any = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Invalid(_("The event is no JSON object.")) from error
    if not isinstance(data, dict):
        raise Invalid(_("The event is no JSON object."))
    fields = {name: data.get(name) for name in ("status", "participant_id", "resource_id")}
    texts = {name: one if isinstance(one, str) else "" for name, one in fields.items()}
    texts["status"] = texts["status"].upper().replace("_", "-").replace(" ", "-")[:40]
    return texts


def _first_time(panel: Panel, event_id: str, signature: str, status: str, now: datetime) -> bool:
    """Note the event. Its id is not signed, so that the same signature counts as known, too."""
    signed = text_digest("signature", signature)
    named = text_digest("event", event_id) if event_id else signed
    events = PlatformEvent.objects.filter(panel=panel)
    if events.filter(event_hash=named).exists() or events.filter(signature_hash=signed).exists():
        return False
    PlatformEvent.objects.create(
        panel=panel, event_hash=named, signature_hash=signed, status=status, at=now
    )
    return True


def _part(panel: Panel, event: dict[str, str]) -> Participant | None:
    rows = Participant.objects.filter(panel=panel).select_related("annotator__campaign")
    if event["participant_id"]:
        return rows.filter(platform_id=event["participant_id"]).first()
    if event["resource_id"]:
        return rows.filter(submission_id=event["resource_id"]).order_by("-pk").first()
    return None


@dataclass(frozen=True, slots=True)
class EndedByHand:
    """How many parts ended, how many had ended before, and the ids that nobody has."""

    ended: int
    before: int
    unknown: tuple[str, ...]


def ended_by_hand(
    *, panel: Panel, ids: Iterable[str], outcome: str, actor: Actor, now: datetime | None = None
) -> EndedByHand:
    """End the parts of these platform ids, as an event would; WITHDRAWN or TIMED_OUT.

    Each in a transaction of its own, so that people go on saving; repeating it changes nothing.
    """
    if outcome not in BY_HAND:
        raise Invalid(_("Choose withdrawn (returned) or timed_out."))
    now = now or clock.now()
    wanted = list(dict.fromkeys(one.strip() for one in ids if one.strip()))
    rows = Participant.objects.filter(panel=panel).exclude(platform_id="")
    parts = {one.platform_id: one for one in rows.select_related("annotator__campaign")}
    ended = before = 0
    for one in wanted:
        part = parts.get(one)
        if part is None:
            continue
        if part.outcome in ("", PartOutcome.QUOTA_FULL):
            part_end(part=part, outcome=PartOutcome(outcome), now=now, actor=actor)
            ended += 1
        else:
            before += 1
    unknown = tuple(one for one in wanted if one not in parts)
    with short_write():
        audit(
            actor=actor,
            verb="end parts",
            about=panel,
            campaign=panel.campaign,
            outcome=str(outcome),
            n=ended,
        )
    return EndedByHand(ended, before, unknown)


# Entering a panel by its link: the same id is always the same annotator.


PER_ADDRESS, ENTERING_WINDOW = 300, 60  # entries, seconds
# Whose seat in the panel is taken; the platform sends somebody else for all others.
SEATED = ("", PartOutcome.COMPLETE, PartOutcome.FAILED_CHECKS, PartOutcome.QUOTA_FULL)


def entry_count(*, address: str) -> None:
    """Count an entry from the address; raises TooManyFailures beyond PER_ADDRESS a minute.

    Entries have a count of their own: a class behind one router enters at once, and nobody's
    password is tried here.
    """
    key = f"entries-{text_digest(address)}-{int(time.time()) // ENTERING_WINDOW}"
    cache.add(key, 0, timeout=2 * ENTERING_WINDOW)
    try:
        count = cache.incr(key)
    except ValueError:  # The cache was full and evicted the counter between the two calls.
        return
    if count > PER_ADDRESS:
        raise TooManyFailures(
            _("Too many people are entering from your network: wait a minute, then try again.")
        )


def panel_enter(
    *, panel: Panel, platform_id: str, submission_id: str = "", now: datetime | None = None
) -> Participant:
    """Return the person's part in the panel, made at their first entry.

    People who come when the panel is full or closed get a part with the outcome QUOTA_FULL and no
    sheets. Raises Invalid for an id that the panel does not take, and Conflict for somebody new
    once the platform's ids are erased.
    """
    platform_id = platform_id.strip()
    if not id_fits(platform_id, panel.id_pattern):
        raise Invalid(_("This is not an id of this study: open the link on the platform again."))
    submission_id = submission_id.strip() if id_fits(submission_id.strip(), "") else ""
    now = now or clock.now()
    part = _existing(panel, platform_id)
    if panel.campaign.archived_at is not None:
        if part is None:
            raise Conflict(_("This study has ended."))
        return part
    if part is not None and part.quota > 0:
        _note_submission(part, submission_id)
        return part
    with short_write():
        # Two entries with the same id wait for each other here.
        Campaign.objects.select_for_update(no_key=True).get(pk=panel.campaign_id)
        panel = Panel.objects.select_for_update(no_key=True).get(pk=panel.pk)
        if panel.erased_at is not None:
            raise Conflict(_("This study has ended."))
        part = _existing(panel, platform_id)
        if part is None:
            part = _new(panel, platform_id, submission_id, now)
        elif part.quota == 0 and _room(panel):
            _seat(part, panel, part.annotator)
            part.outcome, part.ended_at = "", None
            part.save(update_fields=["quota", "outcome", "ended_at", "sheets_before"])
    return part


def _existing(panel: Panel, platform_id: str) -> Participant | None:
    rows = Participant.objects.filter(panel=panel, platform_id=platform_id)
    return rows.select_related("panel__campaign", "annotator__campaign", "annotator__user").first()


def _note_submission(part: Participant, submission_id: str) -> None:
    if submission_id and submission_id != part.submission_id:
        part.submission_id = submission_id
        with short_write():
            part.save(update_fields=["submission_id"])


def _room(panel: Panel) -> bool:
    if panel.closed_at is not None or panel.needs_code:
        return False
    if panel.campaign.status == Campaign.Status.CLOSED:
        return False
    if panel.max_participants is None:
        return True
    seated = Participant.objects.filter(panel=panel, quota__gt=0, outcome__in=SEATED)
    return seated.count() < panel.max_participants


def _new(panel: Panel, platform_id: str, submission_id: str, now: datetime) -> Participant:
    annotator = _known_in_campaign(panel, platform_id, now) or _person(panel)
    part = Participant(
        panel=panel,
        annotator=annotator,
        platform_id=platform_id,
        submission_id=submission_id,
        entered_at=now,
        quota=0,
    )
    if _room(panel):
        _seat(part, panel, annotator)
    else:
        part.outcome, part.ended_at = PartOutcome.QUOTA_FULL, now
        Annotator.objects.filter(pk=annotator.pk).update(sheets_at_most=0)
    part.save()
    audit(actor=None, verb="enter panel", about=part, campaign=panel.campaign, name=panel.name)
    return part


def _seat(part: Participant, panel: Panel, annotator: Annotator) -> None:
    """Give the part its quota, on top of what the annotator did in other parts."""
    part.quota = panel.sheets_per_person
    part.sheets_before = submitted(annotator)
    held = Slot.objects.filter(annotator=annotator, state__in=["claimed", "done"]).count()
    annotator.sheets_at_most = held + part.quota
    annotator.save(update_fields=["sheets_at_most"])


def _known_in_campaign(panel: Panel, platform_id: str, now: datetime) -> Annotator | None:
    """The annotator with this id in another panel of the campaign; their part there ends."""
    others = Participant.objects.filter(panel__campaign=panel.campaign_id, platform_id=platform_id)
    other = others.select_related("annotator__campaign").order_by("-pk").first()
    if other is None:
        return None
    annotator = other.annotator
    last = part_of(annotator=annotator)
    if last is not None and not last.outcome:
        outcome = PartOutcome.COMPLETE if reached(last) else PartOutcome.WITHDRAWN
        part_end(part=last, outcome=outcome, now=now)
    left = Withdrawal.objects.filter(annotator=annotator, ended_at=None).exists()
    if annotator.user is not None and not left:
        Membership.objects.get_or_create(
            campaign=panel.campaign,
            user=annotator.user,
            defaults={"role": Membership.Role.ANNOTATOR},
        )
    return annotator


def _person(panel: Panel) -> Annotator:
    """A login without a password, whose name reveals nothing, and its annotator."""
    user = User(username=participant_login())
    user.set_unusable_password()
    user.save()
    Membership.objects.create(campaign=panel.campaign, user=user, role=Membership.Role.ANNOTATOR)
    return annotator_make(panel.campaign, user, origin=Annotator.Origin.PARTICIPANT)
