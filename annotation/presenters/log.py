"""Verbs and objects of the audit log in the language of the page."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from paraanno.plain.sentence import Sentence, say
from paraanno.translated import translated

VERBS = [
    say("accept invitation"),
    say("add quality rule"),
    say("add question"),
    say("add resource"),
    say("build resource"),
    say("cancel build"),
    say("add scale"),
    say("bring up to date"),
    say("cancel"),
    say("change"),
    say("change consent text"),
    say("change password"),
    say("change question"),
    say("change scale"),
    say("come back"),
    say("create"),
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
    say("pass test"),
    say("practice: pass"),
    say("practice: try"),
    say("remove question"),
    say("remove resource"),
    say("remove scale"),
    say("repeat"),
    say("retry"),
    say("revoke invitation"),
    say("revoke token"),
    say("revoke tokens"),
    say("set annotators per sheet"),
    say("set practice"),
    say("set quality plan"),
    say("set role"),
    say("set threshold"),
    say("show question"),
    say("sign up"),
    say("start"),
    say("withdraw"),
]
STATUSES = [say("draft"), say("open"), say("paused"), say("closed")]
ACTS = [say("note"), say("warn"), say("pause"), say("exclude")]
WITH_PARTS = [
    *(say("set status %(status)s", status=status) for status in STATUSES),
    *(say("quality: decide to %(act)s", act=act) for act in ACTS),
    *(say("quality: lift %(act)s", act=act) for act in ACTS),
    *(say("quality: %(act)s", act=act) for act in ACTS),
]
_KNOWN: dict[str, Sentence] = {str(verb): verb for verb in [*VERBS, *WITH_PARTS]}


def log_verb(verb: str) -> str:
    """Return the translated verb; an unknown verb is returned unchanged."""
    return translated(_KNOWN[verb]) if verb in _KNOWN else verb


# The object of an entry, if its verb does not name it.
OBJECTS = {
    "annotator": gettext_lazy("annotator"),
    "exportfile": gettext_lazy("file"),
    "repeat": gettext_lazy("sheet"),
    "run": gettext_lazy("metric run"),
    "sheet": gettext_lazy("sheet"),
    "substitution": gettext_lazy("text"),
}
