"""The substitution that a record of judgments or gold refers to."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.importers.items import ROLES
from annotation.importers.spans import read_own_place, read_place
from paraanno.plain.cells import Cells
from paraanno.plain.sentence import say


@dataclass(frozen=True, slots=True)
class Target:
    """A substitution as named by a file: by outside id, by text, or by both.

    With a sentence in the file (or without an id) `sentence[start:end] == phrase`. With an id alone
    those four are None, except that `phrase` may be given for comparison. With `displayed`, what a
    tool showed, the text is the one of the campaign whose original and paraphrase stand in that.
    """

    item: str | None
    phrase: str | None
    sentence: str | None
    start: int | None
    end: int | None
    paraphrase: str
    role: str = "output"
    own_sentence: str | None = None
    own_start: int | None = None
    own_end: int | None = None
    displayed: str | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for records of one file that refer to the same substitution."""
        item: object = self.item
        if self.item is None:
            item = (self.phrase, self.sentence, self.start, self.end)
        own = (self.own_sentence, self.own_start, self.own_end)
        return (item, self.paraphrase, self.role, own, self.displayed)


def read_target(cells: Cells) -> Target | None:
    """Return the substitution of a record; None (and a problem) if it is not given."""
    displayed = cells.text("displayed")
    if displayed is not None:
        return Target(None, None, None, None, None, "", displayed=displayed)
    item = cells.name("item")
    phrase: str | None
    sentence: str | None
    start: int | None
    end: int | None
    if item is not None and "sentence" not in cells.values:
        phrase, sentence, start, end = cells.text("phrase"), None, None, None
    elif item is None and not ({"sentence", "phrase"} & cells.values.keys()):
        cells.fail("item", say("is empty: give the item, or its phrase, sentence and start"))
        return None
    else:
        place = read_place(cells)
        if place is None:
            return None
        phrase, sentence, start, end = place
    paraphrase = cells.text("paraphrase")
    role = cells.choice("role", ROLES)
    if paraphrase is None and not cells.failed:
        cells.fail("paraphrase", say("is empty: give the text that was judged"))
    own = read_own_place(cells, paraphrase)
    if cells.failed or paraphrase is None:
        return None
    return Target(
        item, phrase, sentence, start, end, paraphrase, role, *(own or (None, None, None))
    )
