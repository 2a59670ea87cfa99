"""The columns of the texts' own fields, guessed as those of any table of items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from annotation.importers.tables.books import Cell
from annotation.importers.tables.guessing.guess import Guess
from annotation.importers.tables.guessing.roles import guess_roles
from annotation.importers.tables.mapping import IGNORE
from annotation.importers.tables.names import roles_named
from annotation.importers.tables.profiles import Profile, profile
from annotation.importers.tables.tools.common.answers import Answered, Tool
from annotation.importers.tables.tools.common.occasions import key_of
from annotation.importers.tables.tools.table import ToolColumn
from paraanno.common.texts import say

# Roles of texts that judgments do not have.
OF_ITEMS = ("system", "reference", "rank", "language", "output_of", "attr")
ITEMS = say("read with the items")


def of_texts(
    tool: Tool, names: Sequence[str], sample: Sequence[Answered], what: str, scales: Sequence[str]
) -> Iterator[ToolColumn]:
    """Yield the columns of the texts' own fields, guessed as those of any table of items."""
    texts = {key_of(one.data): one.data for one in sample}
    tool = _with_text(tool, names, list(texts.values()))
    free = [name for name in names if name not in tool.set_aside and name not in tool.roles]
    profiles = [profile([one.get(name) for one in texts.values()], ".") for name in free]
    guessed = guess_roles(free, profiles, what="items", scales=scales)
    guesses = dict(zip(free, guessed.guesses, strict=True))
    _mend(free, profiles, guesses, set(tool.roles.values()))
    for name in names:
        if name in tool.set_aside:
            yield ToolColumn(name, IGNORE, tool.set_aside[name])
            continue
        if name in tool.roles:
            guess = Guess(tool.roles[name], "", say("the tool writes it there"))
        else:
            guess = guesses[name]
        role, reason, ask = guess.role, guess.reason, guess.ask
        if what == "judgments" and role in OF_ITEMS:
            role, reason, ask = IGNORE, ITEMS, False
        yield ToolColumn(name, role, reason, guess.of if role != IGNORE else "", ask=ask)


def _with_text(tool: Tool, names: Sequence[str], texts: Sequence[Mapping[str, Cell]]) -> Tool:
    """Return the tool with the role of the field `text`, which may be either of the two texts."""
    if "text" not in names or "text" in tool.roles or "text" in tool.set_aside:
        return tool
    others = [name for name in names if name != "text"]
    originals = [name for name in others if set(roles_named(name)) & {"sentence", "phrase"}]
    outputs = [name for name in others if roles_named(name)[:1] == ("paraphrase",)]
    for name in (*originals, *outputs):
        if all(one.get(name) == one.get("text") for one in texts):
            same = say("the same as %(name)s", name=name)
            return replace(tool, set_aside={**tool.set_aside, "text": same})
    if originals and not outputs:
        return replace(tool, roles={**tool.roles, "text": "paraphrase"})
    if outputs and not originals:
        return replace(tool, roles={**tool.roles, "text": "sentence"})
    return tool


def _mend(
    names: Sequence[str], profiles: Sequence[Profile], guesses: dict[str, Guess], taken: set[str]
) -> None:
    """Give roles that the names say and the guesses leave open, where the texts alone decide."""
    roles = {one.role for one in guesses.values()} | taken
    for name, one in zip(names, profiles, strict=True):
        guess = guesses[name]
        if guess.role != IGNORE or not one.n:
            continue
        named = roles_named(name)[:1]
        if named in (("system",), ("sentence",), ("paraphrase",)) and named[0] not in roles:
            guesses[name] = Guess(named[0], "", say("called %(name)s", name=repr(name)))
            roles.add(named[0])
        elif named == ("reference",) and one.is_text:
            guesses[name] = Guess("reference", "", say("called %(name)s", name=repr(name)))
        elif one.distinct == 1 and one.filled == 1:
            guess.ask, guess.reason = False, say("the same value everywhere")
        elif named == ("item",) or (one.distinct == one.n and one.is_number):
            guess.ask, guess.reason = False, say("numbers of rows")
