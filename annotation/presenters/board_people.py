"""The people of a board: one row each, for the page and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Annotator
from annotation.presenters.charts import DotRow
from annotation.selectors.access import Rights
from annotation.selectors.board.live import AT_WORK, WORKING, part_ended

SPARK = (104, 24)  # px


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One annotator. Figures are None until they are computed; `name` is for researchers alone;
    `ended` is "complete" or "left" for people of a panel whose part is over."""

    code: str
    key: str
    name: str
    origin: str
    simulated: bool
    blind: bool
    out: str
    reason: str
    withdrawn: bool
    at_work: bool
    ago: str
    ended: str = ""
    places: int | None = None
    counted: int | None = None
    judgments: int | None = None
    judgments_counted: int | None = None
    per_hour: float | None = None
    seconds: float | None = None
    checks: int = 0
    failed: int = 0
    spark: str = ""
    agreement: DotRow | None = None
    n: int = 0


def person_row(
    one: Annotator, rights: Rights, now: datetime, figures: Any, agreed: Any
) -> PersonRow:
    last: datetime | None = one.last_at  # type: ignore[attr-defined]
    in_force = list(one.in_force)  # type: ignore[attr-defined]
    left = bool(one.left)  # type: ignore[attr-defined]
    own = [exclusion for exclusion in in_force if exclusion.kind == "withdrawal"]
    out = "" if not in_force else "withdrawal" if own else "exclusion"
    known: dict[str, Any] = {}
    if figures is not None:
        hours = figures["seconds"] / 3600
        known = {
            **{name: figures[name] for name in (
                "places", "counted", "judgments", "judgments_counted", "checks", "failed",
            )},
            "per_hour": figures["places"] / hours if hours and figures["texts"] else None,
            "seconds": figures["seconds"] / figures["texts"]
            if figures["texts"] and figures["seconds"] else None,
            "spark": _spark(figures["week"]),
        }  # fmt: skip
    if agreed is not None:
        value, low, high, n = agreed
        known |= {
            "agreement": DotRow(one.code, value, low, high, hollow=bool(out), bounded=True),
            "n": n,
        }
    return PersonRow(
        code=one.code, key=str(one.key), name=_login(one) if rights.research else "",
        origin=str(one.get_origin_display()), simulated=one.origin == Annotator.Origin.SIMULATED,
        blind=one.not_blind_since is None, out=out,
        reason=str(in_force[0].said) if in_force else "", withdrawn=left,
        at_work=is_at_work(one, now),
        ago=ago_told(now - last) if last is not None else "", ended=part_ended(one, now), **known,
    )  # fmt: skip


def person_json(
    one: Annotator, rights: Rights, now: datetime, numbers: dict[str, Any]
) -> dict[str, Any]:
    """One annotator for programs, by the stored `numbers`."""
    last: datetime | None = one.last_at  # type: ignore[attr-defined]
    pk = str(one.pk)
    agreed = {
        scale: dict(
            zip(("value", "ci_low", "ci_high", "n"), found["people"][pk], strict=True),
            statistic=found["statistic"],
        )
        for scale, found in numbers.get("agreement", {}).items()
        if pk in found["people"]
    }
    return {
        "code": one.code, "key": one.key, "name": _login(one) if rights.research else "",
        "last_save": last, "at_work": is_at_work(one, now), "ended": part_ended(one, now),
        "excluded": bool(one.in_force),  # type: ignore[attr-defined]
        "figures": numbers.get("people", {}).get(pk), "agreement": agreed,
    }  # fmt: skip


def is_at_work(one: Annotator, now: datetime) -> bool:
    """Whether somebody, and no import, saved within AT_WORK."""
    last: datetime | None = one.last_at  # type: ignore[attr-defined]
    at_work = one.origin in WORKING and last is not None and now - last <= AT_WORK
    return at_work and not part_ended(one, now)


def name_told(one: Annotator, rights: Rights) -> str:
    name = _login(one) if rights.research else ""
    return f"{one.code} ({name})" if name else one.code


def _login(one: Annotator) -> str:
    """The login of somebody who was invited; people of a panel have made-up ones."""
    invited = one.origin == Annotator.Origin.INVITED and one.user is not None
    return one.user.get_username() if invited and one.user is not None else ""


def ago_told(ago: timedelta) -> str:
    """How long ago, in one unit."""
    minutes = max(0, int(ago / timedelta(minutes=1)))
    if minutes < 1:
        return _("now")
    if minutes < 60:
        return ngettext("%(n)s min ago", "%(n)s min ago", minutes) % {"n": minutes}
    hours = minutes // 60
    if hours < 48:
        return ngettext("%(n)s hour ago", "%(n)s hours ago", hours) % {"n": hours}
    return ngettext("%(n)s day ago", "%(n)s days ago", hours // 24) % {"n": hours // 24}


def _spark(values: Sequence[int]) -> str:
    """A path of SPARK px from 0 to the person's busiest day; empty without work."""
    width, height = SPARK
    most = max(values, default=0)
    if not most:
        return ""
    step = (width - 2) / (len(values) - 1)
    at = [
        f"{1 + step * place:.1f} {height - 1 - (height - 2) * n / most:.1f}"
        for place, n in enumerate(values)
    ]
    return "M" + "L".join(at)
