"""What is done with the columns that nothing else reads: kept, set aside, or asked about."""

from __future__ import annotations

import re

from annotation.importers.tables.books import letters
from annotation.importers.tables.guesses import ELSEWHERE
from annotation.importers.tables.names import roles_named
from annotation.importers.tables.profiles import same_texts
from annotation.importers.tables.state import Columns
from annotation.importers.tables.text_guesses import TextGuesses
from paraanno.plain.sentence import say

_CODE = re.compile(r"[A-Za-z]{0,12}[-_.:#/]?[0-9a-fA-F]{1,40}([-_.:#/][0-9A-Za-z]{1,40}){0,6}")


class Leftovers:
    """Keeps columns as attributes, or sets them aside."""

    def __init__(self, columns: Columns, texts: TextGuesses) -> None:
        self.columns, self.texts = columns, texts

    def rest(self, *, what: str, judged: bool) -> None:
        """Keep what is left as attributes, set it aside for a harmless reason, or ask."""
        columns = self.columns
        for at in sorted(columns.free):
            one, about = columns.profiles[at], columns.about(at)
            if one.distinct == 1 and one.filled > 0.5:
                columns.aside(at, say("the same value everywhere"))
            elif one.is_number and what == "items":
                columns.aside(at, ELSEWHERE[0])
            elif self._is_code(at):
                columns.aside(at, say("an id"))
            elif one.is_label or about & {"group"} or one.is_number:
                self._attribute(at, what)
            elif what == "items":
                columns.aside(at, say("texts, but which?"), ask=True)
            else:
                columns.aside(at, ELSEWHERE[1])
        self._remarks(what, judged)
        self._judged_at(what)

    def _remarks(self, what: str, judged: bool) -> None:
        """Keep remarks about texts as attributes; those of one annotator are read with what they
        judged."""
        columns = self.columns
        annotator = columns.has("annotator")
        for at, guess in enumerate(columns.guesses):
            if guess.role != "comment" or (what != "items" and annotator):
                continue
            if what != "items":
                columns.aside(at, ELSEWHERE[1])
            elif judged and annotator:
                columns.aside(at, ELSEWHERE[0])
            else:
                self._attribute(at, what)

    def _judged_at(self, what: str) -> None:
        for at, guess in enumerate(self.columns.guesses):
            if guess.role == "judged_at" and (what == "items" or not self.columns.has("annotator")):
                self.columns.aside(at, say("dates"))

    def _is_code(self, at: int) -> bool:
        """Whether a column holds ids: by its name, or codes that are all different."""
        columns, one = self.columns, self.columns.profiles[at]
        named = "id" in columns.about(at) or roles_named(columns.names[at])[:1] == ("item",)
        if named and one.length <= 60:
            return True
        filled = [text for text in one.texts if text]
        return (
            one.distinct == one.n > 2
            and all(any(char.isdigit() for char in text) for text in filled)
            and all(_CODE.fullmatch(text) for text in filled)
        )

    def _attribute(self, at: int, what: str) -> None:
        """Keep a column as an attribute of what its values go with."""
        columns, texts = self.columns, self.texts
        name = (columns.names[at] or letters(at)).strip()[:60]
        if what != "items":
            columns.aside(at, ELSEWHERE[1])
            return
        profiles = columns.profiles
        if texts.outputs and self._names_outputs(at):
            columns.aside(at, say("a choice among the systems"), ask=True)
            return
        sentence = texts.sentence if texts.sentence is not None else texts.phrase
        if sentence is None:
            columns.aside(at, say("nothing says what it is"), ask=True)
            return
        if texts.outputs or same_texts(profiles[sentence], profiles[at]):
            columns.set(at, "attr", say("kept as an attribute of the original"), f"item.{name}")
        elif self._goes_with_text(at, sentence):
            columns.set(at, "attr", say("kept as an attribute of the text"), name)
        else:
            columns.aside(at, say("it differs among rows of the same text"), ask=True)

    def _names_outputs(self, at: int) -> bool:
        """Whether the values are names of the columns of systems, or the letters in these."""
        names = [self.columns.guesses[place].of for place in self.texts.outputs]
        known = {name.casefold() for name in names}
        known |= {name.split()[-1].casefold() for name in names if name.split()}
        known |= {"tie", "both", "neither", "none", "equal", "same"}
        return all(word.casefold() in known for word in self.columns.profiles[at].words)

    def _goes_with_text(self, at: int, sentence: int) -> bool:
        columns, texts = self.columns, self.texts
        if texts.paraphrase is None:
            return True
        systems = next(
            (columns.profiles[one].texts for one, guess in enumerate(columns.guesses)
             if guess.role == "system"), ("",) * len(columns.profiles[at].texts),
        )  # fmt: skip
        seen: dict[tuple[str, str, str], str] = {}
        return all(
            seen.setdefault((a, b, c), value) == value
            for a, b, c, value in zip(
                columns.profiles[sentence].texts, columns.profiles[texts.paraphrase].texts,
                systems, columns.profiles[at].texts, strict=True,
            ) if value
        )  # fmt: skip
