"""Items, substitutions and outputs from CSV, TSV and JSON Lines."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from annotation.importers.columns import (
    ITEM_COLUMNS,
    ITEMS,
    NO_ATTRIBUTES,
    PHRASE_REFERENCE,
    Attributes,
    Identity,
    Memory,
    NewMemory,
    Place,
    read_attributes,
    read_own_place,
    read_place,
)
from paraanno.common.cells import Cells, LanguageTagError, read_tag
from paraanno.common.records import RecordSource, read_records
from paraanno.common.texts import (
    Parsed,
    ProblemLog,
    Sentence,
    Source,
    TextError,
    clean_text,
    say,
    shown,
)

MOST_PLACES = 10_000  # kept for the records that follow, which mostly repeat the last ones
ROLES = ("output", "control", "degraded", "copy", "practice")


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One checked record of an items file.

    `sentence[start:end] == phrase`. A row without paraphrase and system states that the item
    exists; with a system and no paraphrase, that the system gave none; with a paraphrase and no
    system, that the substitution exists. `rank` is None exactly if `system` is. `references` are
    paraphrases of the full sentence (what replaces the phrase is put into it); those of an item are
    collected from all its rows. `own_*` are set together or not at all. `made_from` is the original
    text of a copy. `language` is a tag of BCP 47 for all texts of the item, None if the row says
    nothing. `attributes` maps a level (item, phrase, substitution, system, output) to names and
    values; CSV and TSV give text values only.
    """

    line: int
    item: str | None
    phrase: str
    sentence: str
    start: int
    end: int
    paraphrase: str | None = None
    system: str | None = None
    rank: int | None = None
    role: str = "output"
    references: tuple[str, ...] = ()
    own_sentence: str | None = None
    own_start: int | None = None
    own_end: int | None = None
    attributes: Attributes = field(default_factory=lambda: NO_ATTRIBUTES)
    made_from: str | None = None
    language: str | None = None

    @property
    def identity(self) -> Identity:
        """The values that identify the item."""
        return (self.phrase, self.sentence, self.start, self.end)


def read_items(
    source: Source | RecordSource, *, name: str, format: str | None = None, raw: bool = False
) -> Parsed[ItemRow]:
    """Read an items file (columns: see the documentation of the formats).

    `source` is a byte stream or a path, or gives records itself. `name` is used in problems, and
    its ending gives the format if `format` (csv, tsv, jsonl) is not given. `raw` keeps leading
    apostrophes. The rows are consistent: an outside id has one text, a system one paraphrase per
    item and rank, an attribute one value. Never raises for the contents of a file.
    """
    log = ProblemLog(name)
    rows = tuple(iter_items(source, log=log, format=format, raw=raw))
    return Parsed(rows, log.problems())


def iter_items(
    source: Source | RecordSource,
    *,
    log: ProblemLog,
    format: str | None = None,
    raw: bool = False,
    memory: NewMemory = dict,
) -> Iterator[ItemRow]:
    """Yield the rows of an items file as they are read; the same as `read_items`, where problems go
    to `log`, and `memory` makes what holds the earlier rows to compare with.
    """
    check = RowCheck(log, memory)
    places: dict[object, Place] = {}
    for cells in read_records(source, log=log, format=format, raw=raw, columns=ITEMS):
        if len(places) > MOST_PLACES:
            places.clear()
        row = _row(cells, places)
        if row is not None and check.accept(row):
            yield row


def _row(cells: Cells, places: dict[object, Place]) -> ItemRow | None:
    values = cells.values
    place = _place(cells, places)
    item, paraphrase = cells.name("item"), cells.text("paraphrase")
    system, rank = cells.name("system"), cells.integer("rank", least=1)
    role = cells.choice("role", ROLES)
    if paraphrase is None and (role != "output" or (rank is not None and system is None)):
        cells.fail("paraphrase", say("is empty although the line has a role or rank: fill it in"))
    elif rank is not None and system is None:
        cells.fail("system", say("is empty although the line has a rank: name the system"))
    made_from = cells.text("made_from")
    if made_from is not None and (paraphrase is None or role == "output"):
        cells.fail(
            "made_from", say("is only for copies: give a role other than output, or empty it")
        )
    own = None
    if "own_sentence" in values or "own_start" in values or "own_end" in values:
        own = read_own_place(cells, paraphrase)
    language = _language(cells)
    references: tuple[str, ...] = ()
    attributes = NO_ATTRIBUTES
    extra = tuple([column for column in values if column not in ITEM_COLUMNS])
    if extra:
        listed, attached = _extra(extra)
        references = _references(cells, listed, place) if listed else ()
        if attached:
            attributes = read_attributes(cells, attached, paraphrase, system)
    if cells.failed or place is None:
        return None
    if rank is None and system is not None:
        rank = 1
    own_sentence, own_start, own_end = own if own is not None else (None, None, None)
    return ItemRow(
        cells.line,
        item,
        *place,
        paraphrase,
        system,
        rank,
        role,
        references,
        own_sentence,
        own_start,
        own_end,
        attributes,
        made_from,
        language,
    )


def _language(cells: Cells) -> str | None:
    text = cells.name("language")
    try:
        return None if text is None else _tag(text)
    except LanguageTagError as error:
        cells.fail("language", error.message)
        return None


_tag = lru_cache(maxsize=256)(read_tag)


def _place(cells: Cells, places: dict[object, Place]) -> Place | None:
    """Cached `read_place`, so that equal records share their texts."""
    get = cells.values.get
    key = (get("phrase"), get("sentence"), get("start"), get("end"))
    try:
        place = places.get(key)
    except TypeError:  # a list or an object instead of a text: reported below
        return read_place(cells)
    if place is None:
        place = read_place(cells)
        if place is not None:
            places[key] = place
    return place


@lru_cache(maxsize=4096)
def _extra(columns: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns of references in order, and those of attributes."""
    attached = tuple(column for column in columns if column.startswith("attr."))
    listed = [column for column in columns if not column.startswith("attr.")]
    return tuple(sorted(listed, key=lambda column: (len(column), column))), attached


def _references(cells: Cells, columns: tuple[str, ...], place: Place | None) -> tuple[str, ...]:
    """Return whole sentences; what replaces the phrase is put into the sentence."""
    if "references" in columns:
        return _reference_list(cells, columns)
    texts = [
        in_sentence(text, place) if place and column.startswith(PHRASE_REFERENCE) else text
        for column in columns
        if (text := cells.text(column)) is not None
    ]
    return tuple(dict.fromkeys(texts))


def in_sentence(text: str, place: Place) -> str:
    """Return the sentence with a text in place of its phrase."""
    _phrase, sentence, start, end = place
    return f"{sentence[:start]}{text}{sentence[end:]}"


def _reference_list(cells: Cells, columns: tuple[str, ...]) -> tuple[str, ...]:
    value = cells.values["references"]
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        cells.fail(
            "references",
            say('must be a list of texts: write ["..."] in JSON Lines, elsewhere use reference_2'),
        )
        return ()
    if len(columns) > 1:
        cells.fail(
            "references", say("cannot be combined with a column reference: use one of the two")
        )
        return ()
    try:
        return tuple(dict.fromkeys(clean_text(text) for text in value if text))
    except TextError as error:
        cells.fail("references", error.message)
        return ()


class RowCheck:
    """Checks that the rows of a file are consistent."""

    def __init__(self, log: ProblemLog, memory: NewMemory = dict) -> None:
        self._log = log
        self._ids: Memory[tuple[Identity, int]] = memory()
        self._languages: Memory[tuple[str, int]] = memory()
        self._outputs: Memory[tuple[Hashable, int]] = memory()
        self._attributes: Memory[tuple[object, int]] = memory()

    def accept(self, row: ItemRow) -> bool:
        """Return True if the row is consistent with the earlier ones; otherwise log both lines."""
        identity = row.identity
        good = row.item is None or self._same_text(row, row.item, identity)
        if good and row.language is not None:
            good = self._same_language(row, row.language, identity)
        if good and row.system is not None:
            good = self._same_output(row, identity)
        if good and row.attributes:
            good = self._same_attributes(row, identity)
        return good

    def _same_text(self, row: ItemRow, item: str, here: Identity) -> bool:
        identity, line = self._ids.setdefault(item, (here, row.line))
        if identity == here:
            return True
        first, second = _tell(identity), _tell(here)
        if first == second:
            first, second = (
                say("%(place)s (%(n)s characters)", place=place, n=len(one[1]))
                for place, one in ((first, identity), (second, here))
            )
        self._log.error(
            row.line,
            say(
                "item %(item)s is %(second)s here and %(first)s in line %(line)s: give one of "
                "them another id",
                item=shown(item),
                second=second,
                first=first,
                line=line,
            ),
            "item",
        )
        return False

    def _same_language(self, row: ItemRow, language: str, identity: Identity) -> bool:
        previous, line = self._languages.setdefault(identity, (language, row.line))
        if previous == language:
            return True
        self._log.error(
            row.line,
            say(
                "the same item is in %(known)s in line %(line)s: give all its lines one language",
                known=previous,
                line=line,
            ),
            "language",
        )
        return False

    def _same_output(self, row: ItemRow, identity: Identity) -> bool:
        new = (row.paraphrase, row.role, row.own_sentence, row.own_start, row.own_end)
        key = (identity, row.system, row.rank)
        old, line = self._outputs.setdefault(key, (new, row.line))
        if old == new:
            return True
        given = say("nothing") if row.paraphrase is None else shown(row.paraphrase)
        self._log.error(
            row.line,
            say(
                "system %(system)s gives %(given)s here and something else for the same item and "
                "rank in line %(line)s: correct one, or tell them apart by rank",
                system=shown(row.system or ""),
                given=given,
                line=line,
            ),
            "paraphrase",
        )
        return False

    def _same_attributes(self, row: ItemRow, identity: Identity) -> bool:
        for level, values in row.attributes.items():
            owner: Hashable
            if level == "item":
                owner = identity
            elif level == "output":
                owner = (identity, row.system, row.rank)
            elif level == "substitution":
                owner = (identity, row.paraphrase, row.role, row.own_sentence, row.own_start)
            else:
                owner = row.phrase if level == "phrase" else row.system
            for name, value in values.items():
                key = (level, name, owner)
                old, line = self._attributes.setdefault(key, (value, row.line))
                if old != value:
                    self._log.error(
                        row.line,
                        say(
                            "attribute %(name)s of the same %(level)s has another value in line "
                            "%(line)s: make them equal, or attach it elsewhere "
                            "('attr.LEVEL.%(bare)s')",
                            name=shown(name),
                            level=level,
                            line=line,
                            bare=name,
                        ),
                    )
                    return False
        return True


def _tell(identity: Identity) -> Sentence:
    phrase, sentence, start, end = identity
    return say(
        "%(phrase)s at %(start)s-%(end)s of %(sentence)s",
        phrase=shown(phrase),
        start=start,
        end=end,
        sentence=shown(sentence),
    )


# The substitution that a record of judgments or gold refers to.


@dataclass(frozen=True, slots=True)
class Target:
    """A substitution as named by a file: by outside id, by text, or by both.

    With a sentence in the file (or without an id) `sentence[start:end] == phrase`. With an id alone
    those four are None, except that `phrase` may be given for comparison. With `displayed`, what a
    tool showed, the text is the one of the campaign whose original and paraphrase stand in that.
    `any_role`: the file names no role, so that a text may be a control or a copy.
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
    any_role: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for records of one file that refer to the same substitution."""
        item: object = self.item
        if self.item is None:
            item = (self.phrase, self.sentence, self.start, self.end)
        own = (self.own_sentence, self.own_start, self.own_end)
        return (item, self.paraphrase, self.role, own, self.displayed)


def read_target(cells: Cells, *, roles: bool = False) -> Target | None:
    """Return the substitution of a record; None (and a problem) if it is not given.

    `roles`: a record that names no role may be about a text of any.
    """
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
    any_role = roles and "role" not in cells.values
    own_sentence, own_start, own_end = own or (None, None, None)
    return Target(
        item,
        phrase,
        sentence,
        start,
        end,
        paraphrase,
        role,
        own_sentence,
        own_start,
        own_end,
        any_role=any_role,
    )
