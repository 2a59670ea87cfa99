"""What a template of a campaign says: settings, questions and rules, without texts and people.

A part that is None is not in the file: creating takes the default for it, applying leaves it as it
is. A part that is there is said completely.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SETTINGS = (
    "name", "description", "language", "annotators_per_sheet", "max_per_sheet", "order",
    "shared_share", "lease_minutes", "allow_revision", "layout", "layout_choice", "allow_removal",
    "allow_erasure", "erasure_removes",
)  # fmt: skip
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
