"""What is known of a table's columns while they are guessed, and a guess about a column, and about
the kind of a table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from annotation.importers.tables.books import letters
from annotation.importers.tables.mapping import IGNORE
from annotation.importers.tables.names import (
    concepts,
    lexicon_plain_name,
    numbered_role,
    roles_named,
    says,
)
from annotation.importers.tables.profiles import Profile
from paraanno.common.texts import Sentence, say, shown

# Of columns that the other import of the same file reads.
ELSEWHERE = (say("read with the judgments"), say("read with the items"))


@dataclass(slots=True)
class Guess:
    """The role of one column, and why. `ask`: somebody should look."""

    role: str = IGNORE
    of: str = ""
    reason: Sentence = field(default_factory=lambda: say("nothing says what it is"))
    ask: bool = False
    scale: str = ""


def guess_kind(names: Sequence[str], profiles: Sequence[Profile]) -> str:
    """Return what the table probably holds: items, judgments or gold."""
    numbers = [at for at, one in enumerate(profiles) if one.is_number]
    values = [at for at in numbers if "item" not in roles_named(names[at])[:1]]
    if values and any("annotator" in roles_named(name) for name in names):
        return "judgments"
    sentences = any(one.is_text and one.length > 25 for one in profiles)
    if values and not sentences and any(says(names[at], "mean") for at in values):
        return "gold"
    return "items"


_OUTPUT_BEHIND = re.compile(
    r"(的?(输出|生成|改写|译文|结果)(结果|句|文本)?|의?(출력|결과|생성문))$"
)
SHORT = 2  # letters of what is left of a name that is no name of its own
# Roles of texts by what a name is about: the first that fits.
_TEXT_ROLES: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = tuple(
    (frozenset(about), roles)
    for about, roles in (
        ({"reference"}, ("reference",)),
        ({"output"}, ("paraphrase",)),
        ({"original", "phrase"}, ("phrase",)),
        ({"original"}, ("sentence",)),
        ({"system"}, ("output",)),
        ({"phrase", "text"}, ("phrase", "sentence", "paraphrase")),
        ({"phrase"}, ("phrase",)),
        ({"text"}, ("sentence",)),
    )
)


@dataclass(slots=True)
class Columns:
    """The columns with their names, the names over them and what they hold; a guess for each, and
    which of them have none yet."""

    names: Sequence[str]
    groups: Sequence[str]
    profiles: Sequence[Profile]
    scales: Sequence[str]
    guesses: list[Guess] = field(default_factory=list)
    free: set[int] = field(default_factory=set)
    questions: list[Sentence] = field(default_factory=list)
    rescaled: frozenset[int] = frozenset()  # whose values were read to another range
    codes: frozenset[float] = frozenset()  # numbers that say that there is no answer

    def __post_init__(self) -> None:
        self.guesses = [Guess() for _ in self.names]
        self.free = {at for at, one in enumerate(self.profiles) if one.n}
        for at, one in enumerate(self.profiles):
            if not one.n:
                self.guesses[at].reason = say("empty")

    def set(
        self,
        at: int,
        role: str,
        reason: Sentence,
        of: str = "",
        *,
        scale: str = "",
        ask: bool = False,
    ) -> None:
        """Guess a column."""
        self.guesses[at] = Guess(role, of, reason, ask, scale)
        self.free.discard(at)

    def aside(self, at: int, reason: Sentence, *, ask: bool = False) -> None:
        """Do not read a column, for a harmless reason unless it asks."""
        self.guesses[at] = Guess(reason=reason, ask=ask)
        self.free.discard(at)

    def has(self, role: str) -> bool:
        """Whether a column has the role already."""
        return any(one.role == role for one in self.guesses)

    def shown(self, at: int) -> str:
        """The name of a column as a sentence shows it, else its letters."""
        return shown(self.names[at]) if self.names[at] else letters(at)

    def by_name(self, at: int) -> Sentence:
        """The reason of a guess by the name."""
        return say("called %(name)s", name=shown(self.names[at]))

    def about(self, at: int) -> frozenset[str]:
        """What the name of a column is about."""
        return concepts(self.names[at])

    def text_role(self, at: int) -> tuple[str, ...]:
        """What a column of texts is by its name, the likeliest role first; a name such as "text"
        says less than that over it."""
        text_roles = self._text_role(at)
        above = concepts(self.groups[at]) if self.groups[at] else frozenset()
        if text_roles[:1] in (("sentence",), ()) and not self.about(at) & {"original"}:
            if text_roles and above & {"output", "system"}:
                return ("paraphrase",)
            if "reference" in above:
                return ("reference",)
        return text_roles

    def _text_role(self, at: int) -> tuple[str, ...]:
        exact = roles_named(self.names[at])
        if exact and exact[0] in ("sentence", "phrase", "paraphrase", "reference"):
            return tuple(one for one in exact if one != "item")
        if numbered := numbered_role(self.names[at]):
            return ("output",) if numbered == "system" else (numbered,)
        about = self.about(at)
        return next((roles for wanted, roles in _TEXT_ROLES if wanted <= about), ())

    def system_of(self, at: int) -> str:
        """The system whose texts a column holds: its name without "output" and the like."""
        name = self.names[at] or letters(at)
        words = name.replace("_", " ").split()
        if len(words) == 1 and (end := _OUTPUT_BEHIND.search(name)) and end.start() > 1:
            return name[: end.start()]
        bare = [word for word in words if not concepts(word) & {"output", "text"}]
        short = [word for word in bare if "system" not in concepts(word)]
        if short != bare and like_a_system(" ".join(short)):  # "System BART", but "System A"
            bare = short
        left = " ".join(bare).strip(" -:/()")
        return left if len(lexicon_plain_name(left)) >= SHORT and len(bare) < len(words) else name


def like_a_system(name: str) -> bool:
    """Whether a name has capitals or digits within, as those of models mostly have: T5, ChatGPT."""
    word = name.strip()
    return any(char.isdigit() for char in word[1:]) or any(char.isupper() for char in word[1:])
