"""What a panel and its crowd platform pass on: parameters of the link, and the address back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from paraanno.common.texts import NOTHING, Sentence, say

PLACES = ("{code}", "{id}", "")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
# Forms and logins read these: an id under such a name would be taken for theirs.
TAKEN = frozenset({"csrfmiddlewaretoken", "next"})


def holds_a_code(address: str, codes: Iterable[str] = ()) -> bool:
    """Whether the address itself holds what may be a completion code or a password.

    That is a user before the host, a value in the query other than `{code}` and `{id}`, a fragment,
    one of the panel's `codes` anywhere, or an address that cannot be read.
    """
    if not address:
        return False
    try:
        parts = urlsplit(address)
        values = [value for _name, value in parse_qsl(parts.query, keep_blank_values=True)]
    except ValueError:
        return True
    return (
        "@" in parts.netloc
        or parts.fragment not in PLACES
        or any(value not in PLACES for value in values)
        or any(code and code in address for code in codes)
    )


def address_problem(address: str) -> Sentence:
    """Return why people are not sent back to the address, NOTHING if they can be.

    The code is worth money: it goes over https alone, but for a program on the same machine. A
    user before the host is a password in a list, or a host that only looks like another one.
    """
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname, parts.port
    except ValueError:
        return say("An address that begins with https://.")
    safe = parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK)
    if not safe or not host or re.search(r"[\s\\]", address):
        return say("An address that begins with https://; http:// for this machine alone.")
    if "@" in parts.netloc:
        return say("An address without a user or a password before the host.")
    if "{" in parts.netloc:
        return say("{code} and {id} must come after the host.")
    return NOTHING


def parameter_problem(name: str) -> Sentence:
    """Return what is wrong with the name, NOTHING if a platform may give an id under it."""
    if not NAME.fullmatch(name):
        return say("The name of a parameter: letters, digits, _ and -, a letter first, no blanks.")
    if name.lower() in TAKEN:
        return say("Pages of this site use “%(name)s” themselves: choose another name.", name=name)
    return NOTHING


# What a template of a campaign says: settings, questions and rules, without texts and people.
#
# A part that is None is not in the file: creating takes the default for it, applying leaves it as
# it is. A part that is there is said completely.


SETTINGS = (
    "name",
    "description",
    "language",
    "annotators_per_sheet",
    "max_per_sheet",
    "order",
    "shared_share",
    "lease_minutes",
    "allow_revision",
    "layout",
    "layout_choice",
    "allow_removal",
    "allow_erasure",
    "erasure_removes",
)
Setting = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class ScaleTemplate:
    """A scale and its points (value, label, anchor)."""

    name: str
    question: str
    points: tuple[tuple[float, str, str], ...] = ()
    level: str = "ordinal"
    minimum: float = 1
    maximum: float = 5
    step: float = 1
    higher_is_better: bool = True
    copy_at_top: bool = True  # False: the sentence is judged, and the original may have faults
    threshold: float | None = None
    required: bool = True

    @property
    def columns(self) -> dict[str, Any]:
        """Everything but the points, as the model `Scale` calls it."""
        return {name: getattr(self, name) for name in SCALE_COLUMNS}


SCALE_COLUMNS = tuple(each.name for each in fields(ScaleTemplate) if each.name != "points")


@dataclass(frozen=True, slots=True)
class QuestionTemplate:
    """A background question; `name` is its column in exports."""

    name: str
    wording: str
    kind: str = "text"
    options: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class PracticeTextTemplate:
    """A practice text; `start` only where the phrase occurs more than once in the sentence.

    expected    by name of scale: the least and the greatest right value, and why
    """

    sentence: str
    phrase: str
    paraphrase: str
    expected: Mapping[str, tuple[float, float, str]]
    part: str = "practice"
    start: int | None = None


@dataclass(frozen=True, slots=True)
class PracticeTemplate:
    """Whether annotators qualify first, and by which texts. `tolerance` is by name of scale."""

    required: bool = False
    share: float = 0.8
    tries: int = 2
    tolerance: Mapping[str, float] = field(default_factory=dict)
    texts: tuple[PracticeTextTemplate, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleTemplate:
    """A rule of quality control: the action from a failed share of a check on."""

    check: str
    least: int
    share: float
    action: str


@dataclass(frozen=True, slots=True)
class ChecksTemplate:
    """The plan of hidden quality control, and its rules in force."""

    repeat_share: float = 0.0
    repeat_after: int = 10
    fast_seconds: float = 1.0
    delay_least: int = 2
    delay_most: int = 5
    rules: tuple[RuleTemplate, ...] = ()


@dataclass(frozen=True, slots=True)
class PanelTemplate:
    """What a panel of a crowd platform asks and pays; its link, secret and codes are nobody else's.

    pay, bonus      for the whole part, in `currency`; pay_floor is per hour
    return_url      with `{code}` and `{id}` where the platform wants them
    """

    name: str
    sheets_per_person: int = 1
    max_participants: int | None = None
    minutes: int | None = None
    parameter: str = "PROLIFIC_PID"
    session_parameter: str = "SESSION_ID"
    id_pattern: str = ""
    return_url: str = ""
    pay: float | None = None
    pay_floor: float | None = None
    bonus: float | None = None
    currency: str = ""
    contact: str = ""


@dataclass(frozen=True, slots=True)
class CampaignTemplate:
    """A whole template. `settings` has those that the file names."""

    settings: Mapping[str, Setting] = field(default_factory=dict)
    scales: tuple[ScaleTemplate, ...] | None = None
    guidelines: str | None = None
    consent: str | None = None
    background: tuple[QuestionTemplate, ...] | None = None
    practice: PracticeTemplate | None = None
    checks: ChecksTemplate | None = None
    panel: tuple[PanelTemplate, ...] | None = None
