"""Panels of a crowd platform: making and changing them."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _

from annotation.database import Actor, audit, lock_row, short_write
from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, Panel, PartOutcome
from paraanno import clock
from paraanno.common.panel_links import address_problem, parameter_problem
from paraanno.common.texts import NOTHING, Sentence, say
from paraanno.template_filters import translated

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
        panel = lock_row(Panel, panel.pk)
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
