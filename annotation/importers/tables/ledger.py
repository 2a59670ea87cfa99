"""The ledger of an import: what is read of a table, and what is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.importers.tables.books import Book, letters, place_of
from annotation.importers.tables.guessing.state import ELSEWHERE, Guess
from annotation.importers.tables.guessing.value_names import differ_in_a_number
from annotation.importers.tables.looking import Looked
from annotation.importers.tables.mapped import VALUES, RowReader
from annotation.importers.tables.mapping import IGNORE, ColumnMap
from annotation.importers.tables.names import lexicon_plain_name
from annotation.importers.tables.proving.texts import PREMISES
from annotation.importers.tables.steps import Table, repaired
from annotation.importers.tables.word_values import NO_VALUE
from paraanno.common.texts import Sentence, joined, say, shown

MOST_NAMED = 8  # systems in the line


@dataclass(frozen=True, slots=True)
class Ledger:
    """What is read of a table: `originals` counts different texts, `references` the most that one
    of them has, and `reference_texts` those of all. `not_read` are columns, and pieces that are
    none, with the reason; `left_out` counts rows and cells. `of_rows`: only so many rows were
    looked at; None for all. `how` says how sheets became one table."""

    originals: int = 0
    systems: tuple[str, ...] = ()
    references: int = 0
    reference_texts: int = 0
    annotators: tuple[str, ...] = ()
    not_read: tuple[tuple[str, Sentence], ...] = ()
    of_rows: int | None = None
    how: tuple[Sentence, ...] = ()
    left_out: tuple[Sentence, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the ledger as JSON; reasons are sentences."""
        return {
            "originals": self.originals,
            "systems": list(self.systems),
            "references": self.references,
            "reference_texts": self.reference_texts,
            "annotators": list(self.annotators),
            "not_read": [{"column": name, "reason": why} for name, why in self.not_read],
            "of_rows": self.of_rows,
            "how": list(self.how),
            "left_out": list(self.left_out),
        }

    @property
    def read(self) -> Sentence:
        """What is read, in a line."""
        n = self.originals
        read = [say("1 original") if n == 1 else say("%(n)s originals", n=n)]
        if n := len(self.systems):
            more = "" if n <= MOST_NAMED else " …"
            named = ", ".join(self.systems[:MOST_NAMED]) + more
            read.append(
                say("1 system (%(names)s)", names=named)
                if n == 1
                else say("%(n)s systems (%(names)s)", n=n, names=named)
            )
        if n := self.reference_texts:
            read.append(say("1 reference") if n == 1 else say("%(n)s references", n=n))
            if self.references > 1:
                read[-1] = say(
                    "%(n)s references (up to %(most)s for an original)", n=n, most=self.references
                )
        if n := len(self.annotators):
            read.append(say("1 annotator") if n == 1 else say("%(n)s annotators", n=n))
        line = joined(", ", read)
        if self.of_rows is not None:
            line = say("in the first %(n)s rows: %(line)s", n=self.of_rows, line=line)
        return joined("; ", [line, *self.how])

    @property
    def line(self) -> Sentence:
        """The ledger in a line."""
        line = self.read
        if self.left_out:
            line = say("%(line)s; left out: %(left)s", line=line, left=joined(", ", self.left_out))
        if not self.not_read:
            return line
        left = [
            say("%(column)s (%(reason)s)", column=name, reason=why) for name, why in self.not_read
        ]
        return say("%(line)s; not read: %(left)s", line=line, left=joined(", ", left))


@dataclass(slots=True)
class Counting:
    """Counts what the records of a table hold."""

    originals: set[tuple[object, ...]] = field(default_factory=set)
    systems: dict[str, None] = field(default_factory=dict)
    annotators: dict[str, None] = field(default_factory=dict)
    references: dict[tuple[object, ...], set[object]] = field(default_factory=dict)

    def count(
        self, records: Iterable[dict[str, object]], columns: Sequence[str], *, originals: bool
    ) -> None:
        """Add records in our columns; `columns` are those of references. The texts that are judged
        are no originals where the others were counted."""
        for values in records:
            text = tuple(values.get(name) for name in ("sentence", "phrase", "start"))
            if not any(text):
                text = (values.get("item"),)
            if originals and any(text):
                self.originals.add(text)
            system, annotator = values.get("system"), values.get("annotator")
            if isinstance(system, str):
                self.systems[system] = None
            if isinstance(annotator, str) and "value" in values:
                self.annotators[annotator] = None
            given = {values[name] for name in columns if name in values}
            if given:
                self.references.setdefault(text, set()).update(given)


# The ledger of a sheet that was looked at.


def ledger_of(mapping: ColumnMap, looked: Looked) -> Ledger:
    """Return the ledger of the rows that were looked at, as the mapping reads them; what the other
    import of the same table reads is counted with it."""
    counting = Counting()
    twin = looked.twin
    _count_records(counting, mapping, looked)
    # Columns of it are read where the other kind is sure of them.
    also: dict[str, Guess] = {}
    if twin is not None:
        also = {one.column: one.guess for one in twin.columns}
        book = Book("", "", ("",), lambda _: iter(()))
        _count_records(counting, twin.mapping(book), twin, originals=twin.what == "items")
    roles = {one.column: one for one in mapping.columns}
    not_read = []
    for one in looked.columns:
        here = roles.get(one.column)
        if not one.filled or (here is not None and here.role != IGNORE):
            continue
        reason, there = one.guess.reason, also.get(one.column)
        if reason in ELSEWHERE and there is not None:
            if there.role != IGNORE:
                continue
            reason = there.reason
        if reason not in ELSEWHERE:
            not_read.append((one.name or one.column, reason))
    ways = (by_order(mapping), of_no_scale(looked), in_other_case(looked))
    return Ledger(
        len(counting.originals),
        tuple(counting.systems),
        max(map(len, counting.references.values()), default=0),
        sum(map(len, counting.references.values())),
        tuple(counting.annotators),
        tuple(not_read),
        None if looked.count is not None else len(looked.rows),
        (*looked.how, *filter(None, ways)),
        (*_rows_left(looked), *_no_judgments(looked)),
    )


def by_order(mapping: ColumnMap) -> Sentence | None:
    """Say which of two texts is read as the original, where their names alone do not: sentence1 and
    sentence2, premise and hypothesis; None for others."""
    names = [
        [one.name for one in mapping.columns if one.role == role]
        for role in ("sentence", "paraphrase")
    ]
    if [*map(len, names)] != [1, 1]:
        return None
    one, two = names[0][0], names[1][0]
    pair = lexicon_plain_name(one), lexicon_plain_name(two)
    if pair not in PREMISES and not differ_in_a_number([one, two]):
        return None
    return say("%(one)s is read as the original, %(two)s as its paraphrase", one=one, two=two)


def of_no_scale(looked: Looked) -> Sentence | None:
    """Say that columns are read as people's, on a scale that nothing beside them names; None for
    others."""
    judged = looked if looked.what == "judgments" else looked.twin
    if judged is None or not judged.scale:
        return None
    people = [one for one in judged.columns if one.guess.role == "voice_of" and not one.guess.ask]
    bare = [one.name for one in people if one.name == one.guess.of and not one.guess.scale]
    if not bare or any(map(judged.group_of, (one.column for one in people))):
        return None
    return say(
        "%(names)s are read as an annotator each, on a scale that they do not name (%(scale)s): "
        "leave out those that are none",
        names=", ".join(bare[:MOST_NAMED]) + " …" * (len(bare) > MOST_NAMED),
        scale=judged.scale,
    )


def in_other_case(looked: Looked) -> Sentence | None:
    """Say of how many rows the phrase stands in the sentence in other capitals; None of none."""
    items = looked if looked.what == "items" else looked.twin
    n = 0 if items is None else items.in_other_case()
    if not n:
        return None
    return (
        say("the phrase of 1 row has other capitals in its sentence; it is read as it stands there")
        if n == 1
        else say(
            "the phrases of %(n)s rows have other capitals in their sentences; they are read as "
            "they stand there",
            n=n,
        )
    )


def _rows_left(looked: Looked) -> Iterator[Sentence]:
    """Yield how many rows repairs leave out."""
    table = looked.raw
    if table is None:
        return
    names = {letters(at): name for at, name in enumerate(table.names)}
    for step in looked.steps:
        after = repaired(table, [step])
        if step["step"] == "once":
            equal = repaired(table, [{key: step[key] for key in ("step", "columns", "values")}])
            whole, first, last = map(_n, (table, equal, after))
            if n := whole - first:
                yield say("1 row stands twice") if n == 1 else say("%(n)s rows stand twice", n=n)
            if n := first - last:
                yield (
                    say("1 judgment was given anew later")
                    if n == 1
                    else say("%(n)s judgments were given anew later", n=n)
                )
        elif "word" in step:
            column = str(step.get("column"))
            n = _n(table) - _n(after)
            words = {"word": shown(str(step["word"])), "column": names.get(column) or column}
            yield (
                say("1 row with %(word)s in %(column)s", **words)
                if n == 1
                else say("%(n)s rows with %(word)s in %(column)s", n=n, **words)
            )
        table = after


def _n(table: Table) -> int:
    return sum(1 for _ in table.rows())


def _no_judgments(looked: Looked) -> Iterator[Sentence]:
    """Yield how many cells say that there is no judgment."""
    judged = looked if looked.what == "judgments" else looked.twin
    words: Counter[str] = Counter()
    for one in judged.columns if judged is not None else ():
        if judged is None or one.guess.role not in VALUES:
            continue
        points = [
            word for each in judged.words.values() for word, point in each.items() if point is None
        ]
        column = judged.profiles[place_of(one.column) or 0]
        words.update(text for text in column.texts if text in points or text.casefold() in NO_VALUE)
    if n := words.total():
        named = ", ".join(word for word, _ in words.most_common(MOST_NAMED))
        yield (
            say("1 cell without a judgment (%(words)s)", words=named)
            if n == 1
            else say("%(n)s cells without a judgment (%(words)s)", n=n, words=named)
        )


def _count_records(
    counting: Counting, mapping: ColumnMap, looked: Looked, *, originals: bool = True
) -> None:
    placed = [(place_of(one.column) or 0, one) for one in mapping.columns if one.role != IGNORE]
    reader = RowReader(mapping, placed)
    records = [dict(values) for _, cells in looked.rows for values, _, _ in reader.read(cells)]
    counting.count(records, reader.references, originals=originals)
