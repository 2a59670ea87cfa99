"""The rooms of a campaign and the registry of its pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypedDict

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Campaign
from annotation.selectors.access import Rights

# No room: the overview, which is reached from every room.
RoomName = Literal["", "setup", "collect", "judgments", "metrics", "publish"]
ROOMS: dict[RoomName, Promise] = {
    "setup": _("Set up"),
    "collect": _("Collect"),
    "judgments": _("Judgments"),
    "metrics": _("Metrics"),
    "publish": _("Publish"),
}


@dataclass(frozen=True, slots=True)
class Tab:
    """One page of a campaign that is reached from its room.

    name    the name of its URL
    place   the sort key among the pages of the room, of all apps
    right   which of `Rights` shows it
    pages   names of pages without a tab of their own that belong to it
    room    the room it stands in
    choice  whether it reads the choice of judgments in the query string, which links among such
            pages keep
    """

    name: str
    label: Promise
    place: int
    right: str = "read"
    pages: tuple[str, ...] = ()
    room: RoomName = field(kw_only=True)
    choice: bool = False


class ShownPage(TypedDict):
    """A link to a page of the room."""

    name: str
    url: str
    label: Promise
    current: bool


class ShownRoom(TypedDict):
    """A room with those of its pages that the reader may open; its link opens the first. `key` is
    its digit, the same for every reader."""

    name: str
    key: int
    url: str
    label: Promise
    current: bool
    pages: list[ShownPage]


TABS: list[Tab] = []


def add_tabs(*tabs: Tab) -> None:
    """Register pages; each app does this at startup. Raises ValueError for an unknown room."""
    for tab in tabs:
        if tab.room and tab.room not in ROOMS:
            raise ValueError(f"There is no room {tab.room!r}: use one of {', '.join(ROOMS)}.")
    TABS.extend(tabs)
    TABS.sort(key=lambda tab: tab.place)


def rooms_for(*, campaign: Campaign, rights: Rights, here: str, query: str = "") -> list[ShownRoom]:
    """The rooms in their order, without those of which the reader may open no page.

    `here` is the name of the current URL. `query` is the choice of judgments there.
    """
    shown: list[ShownRoom] = []
    for key, (name, label) in enumerate(ROOMS.items(), start=1):
        tabs = [tab for tab in TABS if tab.room == name and getattr(rights, tab.right)]
        inside = any(here == tab.name or here in tab.pages for tab in tabs)
        kept = f"?{query}" if query and inside else ""
        pages: list[ShownPage] = [
            {
                "name": tab.name,
                "url": reverse(tab.name, args=[campaign.slug]) + (kept if tab.choice else ""),
                "label": tab.label,
                "current": here == tab.name or here in tab.pages,
            }
            for tab in tabs
        ]
        if pages:
            first = pages[0]["url"]
            shown.append(
                {
                    "name": name, "key": key, "url": first, "label": label, "current": inside,
                    "pages": pages,
                }
            )  # fmt: skip
    return shown
