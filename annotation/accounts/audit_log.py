"""The audit log of the whole site, for administrators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.access import User as AnyUser
from annotation.errors import NotFound
from annotation.exporters.columns import Column
from annotation.models import AuditEntry
from paraanno.common.texts import Sentence, say
from paraanno.template_filters import translated

AT_ONCE = 2000
COLUMNS = (
    Column("at", "time"),
    Column("actor"),
    Column("verb"),
    Column("campaign"),
    Column("object_type"),
    Column("object_id"),
    Column("person"),
    Column("about"),
    Column("data", "json"),
)


@dataclass(frozen=True, slots=True)
class LogAsked:
    """What is looked for: a login name (who did it, or whom it is about), a verb, the short name
    of a campaign, and days from first to last (UTC)."""

    who: str = ""
    verb: str = ""
    campaign: str = ""
    first: date | None = None
    last: date | None = None


def check_site(user: AnyUser) -> None:
    """Raise NotFound for whoever is no administrator."""
    if not user.is_authenticated or not user.is_superuser:
        raise NotFound(_("There is no such page."))


def site_log(*, query: LogAsked) -> QuerySet[AuditEntry]:
    """The entries that fit, newest first, with campaign and people; one query."""
    rows = AuditEntry.objects.select_related("actor", "person", "campaign")
    if query.who:
        people = User.objects.filter(username__iexact=query.who).values("pk")
        rows = rows.filter(Q(actor__in=people) | Q(person__in=people))
    if query.verb:
        rows = rows.filter(verb=query.verb)
    if query.campaign:
        rows = rows.filter(campaign__slug=query.campaign)
    if query.first:
        rows = rows.filter(at__gte=_midnight(query.first))
    if query.last:
        rows = rows.filter(at__lt=_midnight(query.last + timedelta(days=1)))
    return rows


def site_log_rows(*, query: LogAsked) -> Iterator[dict[str, Any]]:
    """The same as rows of a table, in constant memory."""
    for entry in site_log(query=query).iterator(AT_ONCE):
        yield {
            "at": entry.at,
            "actor": entry.actor.username if entry.actor else None,
            "verb": entry.verb,
            "campaign": entry.campaign.slug if entry.campaign else None,
            "object_type": entry.object_type,
            "object_id": entry.object_id,
            "person": entry.person.username if entry.person else None,
            "about": entry.about,
            "data": entry.data,
        }


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


# Verbs and objects of the audit log in the language of the page.


VERBS = [
    say("accept invitation"),
    say("add model"),
    say("add quality rule"),
    say("add question"),
    say("add resource"),
    say("build resource"),
    say("cancel build"),
    say("add scale"),
    say("add template"),
    say("answer reviewer"),
    say("apply template"),
    say("approve preview"),
    say("bring up to date"),
    say("cancel"),
    say("get model"),
    say("change"),
    say("change consent text"),
    say("change password"),
    say("change question"),
    say("change scale"),
    say("clear exports"),
    say("come back"),
    say("copy"),
    say("create"),
    say("end pilot"),
    say("end quality rule"),
    say("exclude"),
    say("expect"),
    say("expect nothing"),
    say("export"),
    say("fail test"),
    say("fail to log in"),
    say("hide question"),
    say("import gold"),
    say("import items"),
    say("import judgments"),
    say("import scores"),
    say("invite"),
    say("lift exclusion"),
    say("log in"),
    say("make copies"),
    say("make degraded"),
    say("make token"),
    say("move question"),
    say("order questions"),
    say("pass test"),
    say("practice: pass"),
    say("practice: try"),
    say("remove question"),
    say("remove resource"),
    say("remove scale"),
    say("remove template"),
    say("repeat"),
    say("retry"),
    say("revoke invitation"),
    say("revoke token"),
    say("revoke tokens"),
    say("set alarms"),
    say("set annotators per sheet"),
    say("set practice"),
    say("set quality plan"),
    say("set role"),
    say("do again"),
    say("pause work"),
    say("resume work"),
    say("change scope"),
    say("set threshold"),
    say("show question"),
    say("sign up"),
    say("start"),
    say("start pilot"),
    say("take over pilot"),
    say("leave out pilot"),
    say("withdraw"),
    say("erase person"),
    # Of people, panels, tables and archives
    say("bring back"),
    say("change panel"),
    say("delete"),
    say("end part"),
    say("end parts"),
    say("enter panel"),
    say("join by name"),
    say("renew link back"),
    say("end link back"),
    say("drop list"),
    say("erase platform ids"),
    say("hand on list"),
    say("hand out list"),
    say("import lists"),
    say("keep mapping"),
    say("make panel"),
    say("order restore"),
    say("put away"),
    say("remind"),
    say("restore"),
    say("set group"),
    say("set group of annotator"),
    say("set lists"),
    say("set pay floor"),
    say("set quotas"),
    say("set reminders"),
    say("stop reminders"),
    say("take back import"),
    # Of accounts
    say("add second factor"),
    say("change e-mail"),
    say("create account"),
    say("disconnect single sign-on"),
    say("disable account"),
    say("discard letter"),
    say("enable account"),
    say("end administrator"),
    say("end second factor"),
    say("end session"),
    say("end sessions"),
    say("end sessions and tokens"),
    say("fail second factor"),
    say("fail to confirm"),
    say("give right to create"),
    say("link single sign-on"),
    say("make administrator"),
    say("make password link"),
    say("renew recovery codes"),
    say("send password link"),
    say("send test e-mail"),
    say("take right to create"),
    say("use recovery code"),
    # Of shared tasks
    say("add task file"),
    say("add team"),
    say("change task"),
    say("choose primary"),
    say("close task"),
    say("create task"),
    say("describe method"),
    say("freeze task"),
    say("join team"),
    say("make board again"),
    say("new team link"),
    say("open round"),
    say("publish task"),
    say("submit"),
    say("withdraw submission"),
]
STATUSES = [say("draft"), say("open"), say("paused"), say("closed")]
ACTS = [say("note"), say("warn"), say("pause"), say("exclude")]
WITH_PARTS = [
    *(say("set status %(status)s", status=status) for status in STATUSES),
    *(say("quality: decide to %(act)s", act=act) for act in ACTS),
    *(say("quality: lift %(act)s", act=act) for act in ACTS),
    *(say("quality: %(act)s", act=act) for act in ACTS),
]
_SENTENCES: dict[str, Sentence] = {str(verb): verb for verb in [*VERBS, *WITH_PARTS]}


def log_verb(verb: str) -> str:
    """Return the translated verb; an unknown verb is returned unchanged."""
    return translated(_SENTENCES[verb]) if verb in _SENTENCES else verb


# The object of an entry, if its verb does not name it.
OBJECTS = {
    "annotator": gettext_lazy("annotator"),
    "exportfile": gettext_lazy("file"),
    "repeat": gettext_lazy("sheet"),
    "run": gettext_lazy("metric run"),
    "sheet": gettext_lazy("sheet"),
    "substitution": gettext_lazy("text"),
}
