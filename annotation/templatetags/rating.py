"""Template tags of the rating screen."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.http.fields import plain
from annotation.models import Scale
from paraanno.template_filters import minus

register = template.Library()
register.filter(plain)
MOST_POINTS = 9  # Each point has its own digit key; scales with more values get a number field.

REASONS = {
    "not understood": gettext_lazy("I do not understand the sentence"),
    "broken text": gettext_lazy("The text is broken or cut"),
    "context missing": gettext_lazy("Too little context"),
    "other": gettext_lazy("Another reason"),
}

SKIP_REASONS = {
    "not understood": gettext_lazy("I do not understand the original"),
    "offensive": gettext_lazy("I do not want to read this"),
    "not impartial": gettext_lazy("I know these texts or who wrote them"),
    "other": gettext_lazy("Another reason"),
}


@register.filter
def words_of(code: str, labels: dict[str, object]) -> object:
    """Return the text of a listed reason; a free-text reason is returned unchanged."""
    return labels.get(code, code)


@register.filter
def pairs(values: dict[str, object]) -> list[tuple[str, object]]:
    """Return names and values; `values.items` in a template would look up a key named "items"
    first.
    """
    return list(values.items())


@register.filter
def points(scale: Scale) -> list[dict[str, object]]:
    """Return the scale's values in ascending order with key, label and anchor; empty for
    number fields.

    The key is the value itself if all values are single digits, else the position on the scale.
    """
    levels = scale.levels(at_most=MOST_POINTS)
    named = {point.value: point for point in scale.points.all()}
    digits = all(level == int(level) and 0 <= level <= 9 for level in levels)
    return [
        {
            "value": f"{level:g}",
            "shown": minus(f"{level:g}"),
            "key": f"{level:g}" if digits else str(place),
            "label": named[level].label if level in named else "",
            "anchor": named[level].anchor if level in named else "",
        }
        for place, level in enumerate(levels, 1)
    ]


@register.simple_tag
def request_id() -> str:
    """Return a new UUID for one field of a form submitted without JavaScript."""
    return str(uuid4())


@register.simple_tag
def reasons() -> Mapping[str, object]:
    """Return the reasons why something cannot be judged."""
    return REASONS


@register.simple_tag
def skip_reasons() -> Mapping[str, object]:
    """Return the reasons for giving a sheet back."""
    return SKIP_REASONS


@register.simple_tag
def key_names() -> dict[str, str]:
    """Return the names of the actions in static/js/rate/prefs.js."""
    values = {f"value:{n}": _("value {n}").format(n=n) for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)}
    return {
        **values,
        "undo": _("undo"),
        "cannot": _("cannot judge"),
        "unrated": _("next unrated"),
        "remark": _("flag or comment"),
        "skip": _("skip the sheet"),
        "guidelines": _("guidelines"),
        "view": _("view and keys"),
        "help": _("help"),
    }


@register.simple_tag
def rating_texts(*names: str) -> dict[str, str]:
    """Return the texts of static/js/rate; of pages that show few, those of these `names`."""
    texts = _rating_texts()
    return {name: texts[name] for name in names or texts}


def _rating_texts() -> dict[str, str]:
    return {
        "saved": _("Saved"),
        "saving": _("Saving {n}"),
        "waiting": _("Waiting: {n}"),
        "on the way": _(
            "Answers that have not reached us yet: {n}. Keep this page open: the code appears "
            "when all have."
        ),
        "offline": _("Offline: {n} kept"),
        "conflict": _("{n} to decide"),
        "progress": _("{done} done, {left} left"),
        "sending": _("Answers of your last visit that are being sent: {n}"),
        "kept": _("Your answers are kept; the next sheet needs a connection."),
        "next waits": _("Your answers are saved; the next sheet needs a connection."),
        "busy": _("The site is busy; your answers are kept here and will be sent."),
        "on its way": _("The next sheet is loading: keys are ignored until it is there."),
        "keys wait": _("The next sheet is loading: your keys wait for it."),
        "keys used": _(
            "Keys pressed before this sheet could be seen ({n}) are stored on it; “Undo” takes "
            "all of them back."
        ),
        "keys before": _(
            "Keys pressed before the last sheet could be seen are stored on it; “Undo” takes all "
            "of them back."
        ),
        "keys refused": _(
            "Keys pressed before this sheet could be seen were ignored, and none is stored: "
            "pause, then begin at the marked question."
        ),
        "keys stopped": _("{why} Keys right after it were ignored: go on at the marked question."),
        "keys ignored": _("Keys pressed too soon were ignored: pause, then go on."),
        "keys covered": _("Digits pressed while a window was open were ignored."),
        "too soon": _("That key came too soon after the new sheet and was ignored."),
        "pressed too soon": _("That press came too soon after the one before and was ignored."),
        "not on scale": _("{key} is not on the scale {name}."),
        "undone": _("Undone."),
        "undone together": _("Answers undone: {n}."),
        "new sheet": _("New sheet. Texts: {n}."),
        "missing": _("Answers still missing: {n}."),
        "complete": _("Complete: look at it once more, then “Save and go on”."),
        "show all": _("Show all"),
        "show less": _("Shorten"),
        "skipped": _("Given back; you will not see that sheet again."),
        "all rated": _("Every question on this sheet has an answer."),
        "nothing to undo": _("There is nothing to undo."),
        "not fetched": _("That sheet cannot be fetched at the moment."),
        "press": _("press a key"),
        "remark kept": _("Your remark is saved."),
        "remark draft": _("Your remark is kept on this device as a draft; it is not sent yet."),
        "remark here": _("Your remark is kept until this page is closed; it is not sent yet."),
        "remark open": _("This remark is not saved yet: save it or discard it first."),
        "remark waits": _("No connection: your remark is kept here, save it again later."),
        "no connection": _("There is no connection at the moment."),
        "no answer": _("no answer"),
        "cannot judge": _("cannot judge ({reason})"),
        "stranger title": _("Somebody else is logged in"),
        "stranger": _(
            "This is the login of {name}. Unsent answers of the person before ({n}) stay on this "
            "device and are sent when that person logs in here again."
        ),
        "left title": _("You no longer take part in this campaign"),
        "left": _("Unsent answers that stay on this device: {n}."),
    }
