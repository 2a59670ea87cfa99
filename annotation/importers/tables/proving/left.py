"""What looks like judgments, and is read as none: columns that each import leaves to the other,
words of several people, and sheets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from annotation.importers.tables.books import Book
from annotation.importers.tables.guessing.state import ELSEWHERE, Guess
from annotation.importers.tables.looking import Looked
from annotation.importers.tables.mapping import IGNORE
from annotation.importers.tables.names import concepts
from annotation.importers.tables.proving.legends import MOST_POINTS
from annotation.importers.tables.proving.people import Findings, Proof
from annotation.importers.tables.proving.rows import VALUES
from annotation.importers.tables.tools import recognised
from annotation.importers.tables.tools.common.answer_tables import OF_PEOPLE
from paraanno.common.texts import Sentence, say, shown

LEAST = 5  # values of a sheet, below which they may sum others up
SHORT = 40  # characters of verdicts
NEITHER = say(
    "column %(column)s is read neither as judgments nor with the items: is it not needed?"
)
_KINDS = frozenset({"group", "system", "language", "annotator", "person", "scale"})


def _there(proof: Proof) -> Mapping[str, Guess]:
    """What the other import of the same table makes of the columns."""
    twin = proof.looked.twin
    return {one.column: one.guess for one in twin.columns} if twin is not None else {}


def to_the_other(proof: Proof) -> Findings:
    """Columns that this import leaves to that of the other kind, and that one to this."""
    there = _there(proof)
    for one in proof.columns(IGNORE):
        here, other = one.guess, there.get(one.column)
        if other is None or other.role != IGNORE or here.ask or other.ask or not one.filled:
            continue
        if here.reason in ELSEWHERE and other.reason in ELSEWHERE:
            yield {"column": shown(one.name or one.column)}


def words_of_people(proof: Proof) -> Findings:
    """Columns with the same few words, as the verdicts of several people have, that are read as
    no judgments."""
    there = _there(proof)
    labels = [
        (one, proof.profiles[one.column])
        for one in proof.columns(IGNORE, "attr")
        if one.kind == "label" and not one.guess.ask and not concepts(one.name) & _KINDS
    ]
    unread = {column for column, one in there.items() if one.role not in VALUES and not one.ask}
    labels = [one for one in labels if one[0].column in unread]
    for (one, here), (two, other) in combinations(labels, 2):
        words, others = {*here.words}, {*other.words}
        few = len(words | others) <= MOST_POINTS and len(words & others) > 1
        if few and here.texts != other.texts:
            yield {"one": shown(one.name or one.column), "two": shown(two.name or two.column)}
            return


def has_values(sheet: Looked) -> bool:
    """Whether a sheet has numbers that may be judgments, and not just what numbers mean: nothing
    but some numbers, or several that come again."""
    filled = [one for one in sheet.profiles if one.n]
    if len(filled) == 1 and filled[0].is_number and filled[0].n > 1:
        return True
    judged = sheet if sheet.what == "judgments" or sheet.twin is None else sheet.twin
    return any(
        (one.guess.role in VALUES or one.guess.ask) and profile.n > profile.distinct
        for one in judged.columns
        if (profile := sheet.profile(one)).is_number and profile.n >= LEAST
    )


def left_by_tool(book: Book, seen: Looked) -> Iterator[Sentence]:
    """Ask about numbers and short words that the texts of a tool's file leave to the judgments,
    which do not read them."""
    left = [
        one
        for one in (seen.columns if seen.what == "items" else ())
        if one.guess.role == IGNORE and one.guess.reason == ELSEWHERE[0]
        if 0 < seen.profile(one).length <= SHORT and one.name not in OF_PEOPLE
    ]
    tool = recognised(book, "judgments", ()) if left else None
    read: set[str] = set()
    if tool is not None and tool[1].refused is None:
        read = {one.name for one in tool[1].columns if one.role != IGNORE or one.ask}
    for one in left:
        if one.name not in read:
            yield say(NEITHER, column=shown(one.name))
