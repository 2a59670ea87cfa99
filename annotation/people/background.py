"""Background questions about annotators, and their answers."""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.core import signing
from django.db import IntegrityError
from django.db.models import F, Max
from django.urls import reverse
from django.utils.translation import gettext as _

from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict, Invalid, NotFound
from annotation.mail.emails import letter_write, letters_forget, of_campaign
from annotation.models import (
    Annotator,
    BackgroundAnswer,
    BackgroundQuestion,
    Campaign,
    Consent,
    ConsentText,
    Invitation,
    Letter,
    ReminderRule,
)
from annotation.people.annotators import invitations_due, questions_left
from paraanno import clock
from paraanno.http.errors import at_site

Kind = BackgroundQuestion.Kind
TEXT_LENGTH = 200
MOST_OPTIONS = 50
Value = str | float | list[str] | None


@dataclass(frozen=True, slots=True)
class Question:
    """The definition of a question; `name` is its column in exports (empty: q1, q2, ...).

    `accepted` are the options of which one has to be chosen to take part; empty: all may.
    """

    wording: str
    kind: str = Kind.TEXT
    options: Sequence[str] = ()
    required: bool = False
    name: str = ""
    accepted: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """A submitted answer: one text, several for choices, or "I would rather not say"."""

    texts: Sequence[str] = ()
    declined: bool = False


def question_add(*, campaign: Campaign, question: Question, actor: Actor) -> BackgroundQuestion:
    """Add a question at the end. Annotators who have started are asked before their next sheet."""
    checked = question_checked(question)
    try:
        with short_write():
            lock_row(Campaign, campaign.pk)
            last = campaign.background_questions.aggregate(last=Max("position"))["last"] or 0
            row = _create(campaign, checked, last + 1)
            audit(actor=actor, verb="add question", about=row, campaign=campaign, name=row.name)
    except IntegrityError as error:
        raise Invalid(_("Another question has this short name.")) from error
    return row


def question_change(
    *, row: BackgroundQuestion, question: Question, actor: Actor
) -> BackgroundQuestion:
    """Replace a question. Raises Invalid once somebody has answered; it can then only be hidden.

    The changed question gets a new key, so that a form showing the old wording cannot answer it.
    """
    checked = question_checked(question)
    try:
        with short_write():
            _unanswered(row)
            place, hidden = row.position, row.hidden_at
            campaign, name = row.campaign, checked.name or row.name
            row.delete()
            row = _create(campaign, checked, place, name=name)
            BackgroundQuestion.objects.filter(pk=row.pk).update(hidden_at=hidden)
            audit(actor=actor, verb="change question", about=row, campaign=campaign, name=name)
    except IntegrityError as error:
        raise Invalid(_("Another question has this short name.")) from error
    return row


def question_remove(*, row: BackgroundQuestion, actor: Actor) -> None:
    """Delete the question. Raises Invalid once somebody has answered; it can then only be
    hidden.
    """
    with short_write():
        _unanswered(row)
        audit(actor=actor, verb="remove question", about=row, campaign=row.campaign, name=row.name)
        row.delete()


def question_hide(*, row: BackgroundQuestion, hidden: bool, actor: Actor) -> None:
    """Hide or show the question; answers are kept."""
    with short_write():
        BackgroundQuestion.objects.filter(pk=row.pk, hidden_at__isnull=hidden).update(
            hidden_at=clock.now() if hidden else None
        )
        verb = "hide question" if hidden else "show question"
        audit(actor=actor, verb=verb, about=row, campaign=row.campaign, name=row.name)


def question_move_up(*, row: BackgroundQuestion, actor: Actor) -> None:
    """Move the question up by one."""
    with short_write():
        lock_row(Campaign, row.campaign_id)
        rows = list(BackgroundQuestion.objects.filter(campaign=row.campaign_id))
        at = rows.index(row)
        if at == 0:
            return
        rows[at - 1], rows[at] = rows[at], rows[at - 1]
        for position, one in enumerate(rows, 1):
            BackgroundQuestion.objects.filter(pk=one.pk).update(position=position)
        audit(actor=actor, verb="move question", about=row, campaign=row.campaign, name=row.name)


def questions_order(*, campaign: Campaign, names: Sequence[str], actor: Actor) -> None:
    """Put the questions into the order of these short names; others, hidden ones, come after
    them."""
    with short_write():
        lock_row(Campaign, campaign.pk)
        order = {name: place for place, name in enumerate(names, 1)}
        for row in BackgroundQuestion.objects.filter(campaign=campaign):
            place = order.get(row.name, len(order) + row.position)
            BackgroundQuestion.objects.filter(pk=row.pk).update(position=place)
        audit(actor=actor, verb="order questions", about=campaign, campaign=campaign)


def background_answer(*, annotator: Annotator, answers: Mapping[UUID, Given]) -> None:
    """Answer all remaining questions, or none.

    Raises Invalid with `fields` (the problem by question key), and Conflict if the questions
    changed in the meantime.
    """
    now, wrong, rows = clock.now(), {}, []
    for question in questions_left(annotator=annotator):
        given = answers.get(question.key, Given())
        try:
            value = None if given.declined else value_of(question, given.texts)
        except ValueError as error:
            wrong[str(question.key)] = str(error)
            continue
        rows.append(
            BackgroundAnswer(
                annotator=annotator, question=question, value=value, declined=given.declined, at=now
            )
        )
    if wrong:
        raise Invalid(_("Some answers are missing or not valid."), fields=wrong)
    try:
        with short_write():
            BackgroundAnswer.objects.bulk_create(rows)
            if not all(map(_eligible, rows)):
                Annotator.objects.filter(pk=annotator.pk).update(ineligible_since=now)
                annotator.ineligible_since = now
    except IntegrityError as error:
        text = _("The questions have changed in the meantime: please look again.")
        raise Conflict(text) from error


def _eligible(answer: BackgroundAnswer) -> bool:
    """Whether the study asks for somebody who answers so; a declined answer says nothing."""
    accepted = answer.question.accepted
    if not accepted:
        return True
    value: object = answer.value
    given = value if isinstance(value, list) else [value]
    return bool(set(accepted) & {str(one) for one in given})


def value_of(question: BackgroundQuestion, texts: Sequence[str]) -> Value:
    """Return the answer as stored, None for an empty one. Raises ValueError with a sentence."""
    texts = [text.strip() for text in texts if text.strip()]
    if not texts:
        if question.required:
            raise ValueError(_("Please answer, or choose “I would rather not say”."))
        return None
    if question.kind == Kind.NUMBER:
        return _number(texts[0])
    if question.kind == Kind.TEXT:
        if len(texts[0]) > TEXT_LENGTH or "\0" in texts[0]:
            raise ValueError(_("At most %(n)s characters, please.") % {"n": TEXT_LENGTH})
        return texts[0]
    if not set(texts) <= set(question.options):
        raise ValueError(_("Please choose from the list."))
    chosen = [option for option in question.options if option in texts]
    return chosen[0] if question.kind == Kind.CHOICE else chosen


def _number(text: str) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(_("Please give a number."))
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def question_checked(question: Question) -> Question:
    """Return the question, tidied; raises Invalid if it cannot be asked so."""
    options = tuple(dict.fromkeys(one.strip() for one in question.options if one.strip()))
    wording = question.wording.strip()
    if not wording or len(wording) > 300 or "\0" in wording + "".join(options):
        raise Invalid(_("A question needs a wording of at most 300 characters."))
    if question.kind not in Kind.values:
        raise Invalid(_("There is no such kind of question."))
    if question.kind not in (Kind.CHOICE, Kind.CHOICES):
        options = ()
    elif not 2 <= len(options) <= MOST_OPTIONS or max(map(len, options)) > TEXT_LENGTH:
        raise Invalid(_("A choice needs at least two different options, one on each line."))
    if not re.fullmatch(r"[A-Za-z0-9_-]{0,40}", question.name):
        raise Invalid(_("A short name has letters, digits, - and _."))
    accepted = tuple(dict.fromkeys(one.strip() for one in question.accepted if one.strip()))
    if not set(accepted) <= set(options):
        raise Invalid(_("The options that let people take part must be options of the question."))
    required = question.required or bool(accepted)
    return Question(wording, question.kind, options, required, question.name, accepted)


def _create(
    campaign: Campaign, question: Question, position: int, *, name: str = ""
) -> BackgroundQuestion:
    return BackgroundQuestion.objects.create(
        campaign=campaign,
        position=position,
        name=name or question.name or _free_name(campaign),
        wording=question.wording,
        kind=question.kind,
        options=list(question.options),
        required=question.required,
        accepted=list(question.accepted) or None,
    )


def _free_name(campaign: Campaign) -> str:
    taken = set(campaign.background_questions.values_list("name", flat=True))
    return next(name for at in range(1, len(taken) + 2) if (name := f"q{at}") not in taken)


def _unanswered(row: BackgroundQuestion) -> None:
    """Lock the question and check that nobody has answered it; a concurrent answer waits and is
    then refused.
    """
    lock_row(BackgroundQuestion, row.pk, key=True)
    if row.answers.exists():
        raise Invalid(_("Somebody has already answered it: hide it and ask another one."))


# Consent texts, and consent to them.


class TextChanged(Conflict):
    """There is a newer text than the one that was read."""

    code = "text_changed"


def consent_text_add(*, campaign: Campaign, text: str, actor: Actor) -> ConsentText | None:
    """Publish a consent text; every annotator is asked again before their next sheet.

    An empty text means that no consent is required. Returns None if nothing changed.
    """
    text = text.strip()
    if "\0" in text:
        raise Invalid(_("A text must not contain the character NUL."))
    with short_write():
        lock_row(Campaign, campaign.pk)
        last = campaign.consent_texts.order_by("-version").first()
        if text == (last.text if last else ""):
            return None
        added = ConsentText.objects.create(
            campaign=campaign,
            version=last.version + 1 if last else 1,
            text=text,
            created_by_id=actor.pk if actor else None,
        )
        audit(
            actor=actor,
            verb="change consent text",
            about=added,
            campaign=campaign,
            version=added.version,
        )
    return added


def consent_give(*, annotator: Annotator, version: int) -> Consent:
    """Record consent to the version that the annotator has read; idempotent.

    Raises TextChanged if there is a newer one.
    """
    with short_write():
        # A new text waits for this transaction, so that nobody agrees to a text they have not seen.
        lock_row(Campaign, annotator.campaign_id)
        newest = (
            ConsentText.objects.filter(campaign=annotator.campaign_id).order_by("-version").first()
        )
        if newest is None or newest.version != version:
            raise TextChanged(_("The text has changed in the meantime: please read it again."))
        given, _new = Consent.objects.get_or_create(
            annotator=annotator, text=newest, ended_at=None, defaults={"at": clock.now()}
        )
    return given


# Reminders by e-mail that workers send by themselves.


TASK = "annotation.tasks.reminders_send"
AGAIN = timedelta(hours=1)
SALT = "annotation.no-mail"
MOST_DAYS, MOST_TIMES = 90, 10


def reminders_set(
    *, campaign: Campaign, days: int | None, at_most: int, site: str, actor: Actor
) -> None:
    """Remind everybody after this many days without work, at most so often; None: nobody.

    `site` is the address that links begin with. Raises Invalid.
    """
    if days is not None and not (1 <= days <= MOST_DAYS and 1 <= at_most <= MOST_TIMES):
        raise Invalid(
            _("Remind after 1 to %(days)s days, and 1 to %(times)s times.")
            % {"days": MOST_DAYS, "times": MOST_TIMES}
        )
    with short_write():
        if days is None:
            ReminderRule.objects.filter(campaign=campaign).delete()
        else:
            ReminderRule.objects.update_or_create(
                campaign=campaign,
                defaults={
                    "days": days,
                    "at_most": at_most,
                    "site": site.rstrip("/"),
                    "next_at": clock.now(),
                },
            )
        audit(
            actor=actor,
            verb="set reminders",
            about=campaign,
            campaign=campaign,
            days=days,
            at_most=at_most,
        )


def rules_due(*, now: datetime | None = None) -> list[int]:
    """Take the rules that are to be looked at now, each for one worker; return their ids."""
    now = now or clock.now()
    taken = []
    for rule in ReminderRule.objects.filter(next_at__lte=now):
        unchanged = ReminderRule.objects.filter(pk=rule.pk, next_at=rule.next_at)
        with short_write():
            if unchanged.update(next_at=now + AGAIN):
                taken.append(rule.pk)
    return taken


def reminders_send(*, rule_pk: int, now: datetime | None = None) -> int:
    """Write to everybody who is due by the rule; return how many letters there are."""
    now = now or clock.now()
    rule = ReminderRule.objects.filter(pk=rule_pk).select_related("campaign").first()
    if rule is None:
        return 0
    return sum(_remind(rule, one, now) for one in invitations_due(rule=rule, now=now))


def _remind(rule: ReminderRule, invitation: Invitation, now: datetime) -> bool:
    """Count the reminder and write its letter; False if somebody else was first.

    Only the hash of an invitation's link is stored: a reminder to somebody who has not come has a
    new one.
    """
    campaign = rule.campaign
    same = Invitation.objects.filter(
        pk=invitation.pk, reminders=invitation.reminders, uses=invitation.uses, no_mail_at=None
    )
    token = "" if invitation.uses else secrets.token_urlsafe(32)
    path = reverse("join", args=[token]) if token else reverse("rate", args=[campaign.slug])
    key = signing.dumps(str(invitation.key), salt=SALT)
    with of_campaign(campaign):
        stop = at_site(reverse("no-mail", args=[key]), fallback=rule.site)
        subject = _("Reminder: %(name)s") % {"name": campaign.name}
        text = _(
            "“%(name)s” still has texts for you to judge.\n\nOpen this link to go on:\n\n%(link)s"
            "\n\nNo more e-mails about this study:\n\n%(stop)s\n"
        ) % {"name": campaign.name, "link": at_site(path, fallback=rule.site), "stop": stop}
    with short_write():
        lock_row(Campaign, campaign.pk)  # As `remind` does.
        waiting = Letter.objects.filter(invitation=invitation, status=Letter.Status.WAITING)
        counted = {"reminders": F("reminders") + 1, "reminded_at": now}
        if waiting.exists() or not same.update(**counted):
            return False
        letter_write(
            kind=Letter.Kind.REMINDER,
            to=invitation.email,
            subject=subject,
            text=text,
            campaign=campaign,
            invitation=invitation,
            token=token,
            headers={"List-Unsubscribe": f"<{stop}>"},
            until=invitation.expires_at if token else None,
        )
        audit(actor=None, verb="remind", about=invitation, campaign=campaign, n=1)
    return True


def invitation_of_mail(*, key: str) -> Invitation:
    """Return the invitation that a link in an e-mail is about. Raises NotFound."""
    try:
        invitation_key = UUID(signing.loads(key, salt=SALT))
    except (signing.BadSignature, ValueError) as error:
        raise NotFound(_("There is no such page.")) from error
    invitation = Invitation.objects.filter(key=invitation_key).select_related("campaign").first()
    if invitation is None:
        raise NotFound(_("There is no such page."))
    return invitation


def mail_stop(*, invitation: Invitation) -> None:
    """Send no reminder to the person any more, manually or automatically. Repeatable."""
    with short_write():
        changed = Invitation.objects.filter(pk=invitation.pk, no_mail_at=None).update(
            no_mail_at=clock.now()
        )
        letters_forget(Letter.objects.filter(invitation=invitation, kind=Letter.Kind.REMINDER))
        if changed:
            audit(actor=None, verb="stop reminders", about=invitation, campaign=invitation.campaign)
