"""A guess about a column, and about the kind of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from annotation.importers.tables.mapping import IGNORE
from annotation.importers.tables.names import roles_named, says
from annotation.importers.tables.profiles import Profile
from paraanno.common.texts import Sentence, say

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
