"""Letters in words: how far they got, and what needs attention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Campaign, Letter
from annotation.presenters.overview import Need
from annotation.selectors.campaigns.course import WorkCourse
from annotation.selectors.letters import undelivered
from paraanno.translated import translated

# The state of several letters is the one that needs most.
WORST = (Letter.Status.REFUSED, Letter.Status.WAITING, Letter.Status.SENT)


def letters_state(letters: Iterable[Letter]) -> list[str]:
    """The state of letters that went to several people for one cause; nothing if there are none."""
    found = {letter.status for letter in letters}
    return [str(one.label) for one in WORST if one in found][:1]


def letter_needs(campaign: Campaign, course: WorkCourse) -> Iterator[Need]:
    """Letters that were refused, or that the mail server has not taken."""
    found = undelivered(campaign=campaign)
    why = translated(found.why)
    if found.refused:
        yield Need(
            "now",
            ngettext("%(n)s e-mail was refused", "%(n)s e-mails were refused", found.refused)
            % {"n": found.refused},
            why, "letters", _("Look"), "research",
        )  # fmt: skip
    if found.late:
        yield Need(
            "soon",
            ngettext("%(n)s e-mail waits for the mail server",
                     "%(n)s e-mails wait for the mail server", found.late) % {"n": found.late},
            "" if found.refused else why, "letters", _("Look"), "research",
        )  # fmt: skip
