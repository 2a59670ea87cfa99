"""The verbs and objects of the log, in the language of the page."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, gettext_noop

from annotation.wording import Wording

VERBS = [
    gettext_noop("accept invitation"),
    gettext_noop("add quality rule"),
    gettext_noop("add question"),
    gettext_noop("add resource"),
    gettext_noop("add scale"),
    gettext_noop("bring up to date"),
    gettext_noop("cancel"),
    gettext_noop("change"),
    gettext_noop("change consent text"),
    gettext_noop("change question"),
    gettext_noop("change scale"),
    gettext_noop("come back"),
    gettext_noop("create"),
    gettext_noop("end quality rule"),
    gettext_noop("exclude"),
    gettext_noop("expect"),
    gettext_noop("expect nothing"),
    gettext_noop("export"),
    gettext_noop("fail test"),
    gettext_noop("hide question"),
    gettext_noop("import gold"),
    gettext_noop("import items"),
    gettext_noop("import judgments"),
    gettext_noop("import scores"),
    gettext_noop("invite"),
    gettext_noop("lift exclusion"),
    gettext_noop("make copies"),
    gettext_noop("make degraded"),
    gettext_noop("make token"),
    gettext_noop("move question"),
    gettext_noop("pass test"),
    gettext_noop("practice: pass"),
    gettext_noop("practice: try"),
    gettext_noop("quality: decide to %(act)s"),
    gettext_noop("quality: lift %(act)s"),
    gettext_noop("quality: %(act)s"),
    gettext_noop("remove question"),
    gettext_noop("remove resource"),
    gettext_noop("remove scale"),
    gettext_noop("repeat"),
    gettext_noop("retry"),
    gettext_noop("revoke invitation"),
    gettext_noop("revoke token"),
    gettext_noop("revoke tokens"),
    gettext_noop("set annotators per sheet"),
    gettext_noop("set practice"),
    gettext_noop("set quality plan"),
    gettext_noop("set role"),
    gettext_noop("set status %(status)s"),
    gettext_noop("set threshold"),
    gettext_noop("show question"),
    gettext_noop("start"),
    gettext_noop("withdraw"),
    # What stands in the holes.
    gettext_noop("draft"),
    gettext_noop("open"),
    gettext_noop("paused"),
    gettext_noop("closed"),
    gettext_noop("note"),
    gettext_noop("warn"),
    gettext_noop("pause"),
]
log_verb = Wording(VERBS)

# What an entry is about, where its verb does not say it.
OBJECTS = {
    "annotator": gettext_lazy("annotator"),
    "exportfile": gettext_lazy("file"),
    "repeat": gettext_lazy("sheet"),
    "run": gettext_lazy("metric run"),
    "sheet": gettext_lazy("sheet"),
    "substitution": gettext_lazy("text"),
}
