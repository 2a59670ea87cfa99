"""Texts with people's answers, as recognisers read them from any tool's file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from annotation.importers.tables.books import Cell, is_empty
from annotation.importers.tables.names import plain_name, roles_named, scale_named
from paraanno.common.texts import Sentence, say

# What scales are mostly called; a campaign's own scales decide later, when a column gets its scale.
COMMON = ("MEANING", "GRAMMAR", "adequacy", "fluency", "simplicity", "similarity")
# What questions for remarks are called, beside the names of a column of comments.
REMARKS = {
    "explanation",
    "rationale",
    "justification",
    "feedback",
    "reason",
    "why",
    "begrundung",
    "justificacion",
    "raison",
    "이유",
    "설명",
    "理由",
}
# Why a text has no judgment although the file has something of it.
SKIPPED = say("skipped: a skip is no judgment")
DRAFT = say("a draft that was never handed in")
DISCARDED = say("discarded by the annotator")
REJECTED = say("rejected by the requester")


@dataclass(frozen=True, slots=True)
class Answered:
    """A text, and what one person answered about it.

    `data` are the file's own fields of the text, `answers` the values by question. `line` is the
    number by which the file's owner finds it. `why`: the answers do not count.
    """

    line: int
    data: Mapping[str, Cell]
    annotator: str = ""
    answers: Mapping[str, Cell] = field(default_factory=dict)
    comment: str = ""
    judged_at: str = ""
    why: Sentence | None = None

    @property
    def counts(self) -> bool:
        """Whether there are answers, and they count."""
        return self.why is None and any(not is_empty(value) for value in self.answers.values())


@dataclass(frozen=True, slots=True)
class Tool:
    """What a recogniser knows of its file beside the answers.

    `set_aside` are fields of the texts that are not read, with the harmless reason; `left_out` and
    `asks` as in a `ToolTable`. `roles` are fields whose role is certain.
    """

    name: str
    set_aside: Mapping[str, Sentence] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[tuple[Sentence, Sentence], ...] = ()
    asks: tuple[Sentence, ...] = ()
    no_texts: Sentence | None = None  # what to do about a file without texts


Records = Callable[[], Iterator[Answered]]


def like_scale(name: str) -> bool:
    """Whether a name is one of a scale, in any campaign."""
    return scale_named(name, COMMON) is not None


def like_remark(name: str) -> bool:
    """Whether a name is one of a question for a remark."""
    words = plain_name(name)
    return roles_named(name)[:1] == ("comment",) or bool({words, *words.split()} & REMARKS)
