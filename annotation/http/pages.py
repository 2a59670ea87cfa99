"""The shared frame of a campaign's pages."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import SkipFile, TemporaryFileUploadHandler
from django.db.models import Exists, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.access import Rights
from annotation.errors import NoRoom
from annotation.http.glossary import add_help
from annotation.models import Annotator, Campaign, Item, Judgment

# The rooms of a campaign and the registry of its pages.


# No room: the overview, which is reached from every room.
RoomName = Literal["", "setup", "collect", "judgments", "metrics", "publish"]
ROOMS: dict[RoomName, Promise] = {
    "setup": _("Set up"),
    "collect": _("Collect"),
    "judgments": _("Judgments"),
    "metrics": _("Metrics"),
    "publish": _("Publish"),
}
# What a campaign must have for anything to be on the pages of a room.
Needs = Literal["", "texts", "judgments"]
NEEDS: dict[RoomName, Needs] = {
    "setup": "",
    "collect": "texts",
    "judgments": "judgments",
    "metrics": "judgments",
    "publish": "judgments",
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
    more    whether it stands in a line of its own, behind *More analyses*
    needs   what the campaign must have for anything to be there, unless that of its room
    """

    name: str
    label: Promise
    place: int
    right: str = "read"
    pages: tuple[str, ...] = ()
    room: RoomName = field(kw_only=True)
    choice: bool = False
    more: bool = False
    needs: Needs = ""

    def is_empty(self, contents: Contents) -> bool:
        """Whether there is nothing to see yet."""
        needs = self.needs or NEEDS[self.room]
        return bool(needs) and not getattr(contents, needs)


class ShownPage(TypedDict):
    """A link to a page of the room; `more`: behind the others; `empty`: nothing is there yet."""

    name: str
    url: str
    label: Promise
    current: bool
    more: bool
    empty: bool


class ShownRoom(TypedDict):
    """A room with those of its pages that the reader may open; its link opens the first that is not
    empty. `key` is its digit, the same for every reader; `empty`: it stands behind the others."""

    name: str
    key: int
    url: str
    label: Promise
    current: bool
    empty: bool
    pages: list[ShownPage]


TABS: list[Tab] = []


def add_tabs(*tabs: Tab) -> None:
    """Register pages; each app does this at startup. Raises ValueError for an unknown room."""
    for tab in tabs:
        if tab.room and tab.room not in ROOMS:
            raise ValueError(f"There is no room {tab.room!r}: use one of {', '.join(ROOMS)}.")
    TABS.extend(tabs)
    TABS.sort(key=lambda tab: tab.place)


def opens_page(request: HttpRequest) -> bool:
    """Whether a browser opens the page, and will ask once more for what takes a moment: a script, a
    download and a part of a page wait instead."""
    wants_html = "text/html" in request.headers.get("Accept", "")
    return wants_html and not getattr(request, "htmx", False) and "chart" not in request.GET


def rooms_for(
    *, campaign: Campaign, contents: Contents, rights: Rights, here: str, query: str = ""
) -> list[ShownRoom]:
    """The rooms in their order, without those of which the reader may open no page.

    `here` is the name of the current URL. `query` is the choice of judgments there.
    """
    shown: list[ShownRoom] = []
    for key, (name, label) in enumerate(ROOMS.items(), start=1):
        tabs = [tab for tab in TABS if tab.room == name and getattr(rights, tab.right)]
        inside = any(here == tab.name or here in tab.pages for tab in tabs)
        suffix = f"?{query}" if query and inside else ""
        pages: list[ShownPage] = [
            {
                "name": tab.name,
                "url": reverse(tab.name, args=[campaign.slug]) + (suffix if tab.choice else ""),
                "label": tab.label,
                "current": here == tab.name or here in tab.pages,
                "more": tab.more,
                "empty": tab.is_empty(contents),
            }
            for tab in tabs
        ]
        if pages:
            first = next((page for page in pages if not page["empty"]), pages[0])
            shown.append(
                {
                    "name": name,
                    "key": key,
                    "url": first["url"],
                    "label": label,
                    "current": inside,
                    "empty": first["empty"] and not inside,
                    "pages": pages,
                }
            )
    return shown


# The pages of this app in their rooms, registered at startup (annotation/apps.py).


add_tabs(
    Tab(
        "setup-steps",
        _("Steps"),
        90,
        "research",
        ("campaign-ready", "open-ask", "campaign-template", "campaign-copy"),
        room="setup",
    ),
    Tab(
        "import",
        _("Import"),
        100,
        "research",
        ("import-job", "import-columns", "test-set", "test-set-build"),
        room="setup",
    ),
    Tab(
        "settings",
        _("Settings"),
        110,
        "research",
        ("scale", "scale-new", "scale-remove"),
        room="setup",
    ),
    Tab("guidelines", _("Guidelines"), 120, "see", room="setup"),
    Tab("practice", _("Practice"), 130, "research", ("practice-text",), room="setup"),
    Tab(
        "consent",
        _("Consent"),
        140,
        "research",
        ("background-answers", "question", "question-new"),
        room="setup",
    ),
    Tab(
        "quality",
        _("Quality"),
        150,
        "research",
        ("quality-controls", "quality-text", "quality-record"),
        room="setup",
    ),
    Tab("preview", _("Preview"), 160, "research", room="setup"),
    Tab("pilot", _("Pilot"), 170, "research", room="setup"),
    Tab("board", _("Board"), 210, pages=("board-alarms",), room="collect"),
    Tab(
        "people",
        _("People"),
        220,
        "research",
        ("invite", "exclude", "invite-many", "remind", "letters"),
        room="collect",
    ),
    Tab("groups", _("Groups"), 225, "research", ("lists", "list-act"), room="collect"),
    Tab("panels", _("Panels"), 230, "research", ("panel", "panel-ended"), room="collect"),
    Tab("remarks", _("Remarks"), 240, room="collect"),
    Tab("audit", _("Log"), 590, "research", room="publish", needs="texts"),
)


# The help of this app's pages, registered at startup (annotation/apps.py).


add_help("rooms", "campaign slot forecast interval alpha ceiling", "campaign")
add_help("rooms", "campaign role annotator", "home", "campaign-list", "campaign-new")
add_help(
    "board",
    "slot sheet annotator counted blind exclusion forecast interval",
    "board",
    "board-alarms",
)
add_help("formats", "item phrase paraphrase system judgment gold score", "import", "import-job")
add_help("before-judging", "scale anchor threshold sheet", "settings")
add_help("before-judging", "scale anchor threshold", "scale", "scale-new", "scale-remove")
add_help("before-judging", "guidelines anchor", "guidelines")
add_help("quality#practice-and-test", "practice control", "practice", "practice-text")
add_help(
    "before-judging",
    "consent background",
    "consent",
    "question",
    "question-new",
    "background-answers",
    "withdrawal-rules",
)
add_help(
    "quality",
    "control copy repeat rule exclusion",
    "quality",
    "quality-controls",
    "quality-text",
    "quality-record",
)
add_help(
    "templates",
    "template scale guidelines",
    "setup-steps",
    "campaign-ready",
    "open-ask",
    "campaign-template",
    "campaign-copy",
)
add_help("templates", "pilot sheet", "preview", "pilot")
add_help("formats", "item phrase system", "import-columns")
add_help("before-judging", "invitation role blind exclusion", "people", "invite", "exclude")
add_help("crowds", "invitation quota annotator", "groups", "invite-many", "remind", "letters")
add_help("crowds#fixed-lists", "sheet annotator quota", "lists", "list-act")
add_help("crowds", "panel quota consent", "panels", "panel", "panel-ended")
add_help("quality", "remark sheet", "remarks")
add_help("data-model", "log", "audit")
add_help("api", "token role", "tokens")
add_help("accounts", "token", "account", "password-change", "email-change", "email-confirm")
add_help("accounts#two-factors", "token", "second-factor", "login-code", "login-set-up")
add_help("accounts", "invitation token role", "users", "users-new", "user", "site-letters")
add_help(
    "accounts",
    "log judgment",
    "site-audit",
    "account-data",
    "account-delete",
    "site-person",
    "site-person-delete",
)
add_help("rooms", "campaign", "docs", "doc")


# Uploads to disk that distinguish a full disk from a file that was not sent.


MARK = "paraanno_no_room"


class DiskUpload(TemporaryFileUploadHandler):
    """Django's handler of large files. Where the disk is full the file is left out, the rest of it
    is read and discarded so that the sender receives the answer, and `check_room` refuses.
    """

    def new_file(self, *args: Any, **options: Any) -> None:
        try:
            super().new_file(*args, **options)
        except OSError:
            self._refuse()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        try:
            self.file.write(raw_data)
        except OSError:
            self._refuse()

    def file_complete(self, file_size: int) -> UploadedFile | None:
        try:
            self.file.flush()
        except OSError:
            self._discard()
            return None
        return super().file_complete(file_size)

    def _refuse(self) -> None:
        self._discard()
        raise SkipFile

    def _discard(self) -> None:
        """Remove what was received; closing tries to write once more and fails."""
        if self.request is not None:
            self.request.META[MARK] = True
        if hasattr(self, "file"):
            with suppress(OSError):
                self.file.close()
            del self.file


def check_room(request: HttpRequest) -> None:
    """Raise NoRoom if a file of this request, which has been read, found no room."""
    if MARK in request.META:
        raise NoRoom()


@dataclass(frozen=True, slots=True)
class Contents:
    """What a campaign has; `simulated`: its pages must say that some judgments are simulated."""

    texts: bool
    judgments: bool
    simulated: bool


def contents_of(*, campaign: Campaign) -> Contents:
    """Return it; one query."""
    rows: dict[str, QuerySet[Any, Any]] = {
        "texts": Item.objects.filter(campaign=campaign),
        "judgments": Judgment.objects.filter(campaign=campaign),
        "simulated": Annotator.objects.filter(campaign=campaign, origin=Annotator.Origin.SIMULATED),
    }
    # Named apart from the relations of a campaign.
    has = {f"has_{name}": Exists(one.order_by()) for name, one in rows.items()}
    row = Campaign.objects.annotate(**has).values(*has).get(pk=campaign.pk)
    return Contents(**{name: row[f"has_{name}"] for name in rows})
