"""Sheets of a workbook that are one table: one of each annotator, or texts and their judgments.

They are read as one without a question where the cells prove it: the sheets of annotators differ
in nothing but values, and each row of judgments is found once among the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from annotation.importers.tables.books import (
    ALL_SHEETS,
    JOINED,
    OF_PERSON,
    OF_SCALE,
    OF_SYSTEM,
    Book,
    Join,
    TableError,
    joined_sheets,
    key_of,
    letters,
    place_of,
    short_names,
    texts_by_key,
    together,
)
from annotation.importers.tables.guessing.point_words import word_set
from annotation.importers.tables.guessing.value_names import FIRST_NAMES
from annotation.importers.tables.looking import Looked
from annotation.importers.tables.names import concepts, lexicon_plain_name, roles_named
from annotation.importers.tables.profiles import computed_by_name
from annotation.importers.tables.proving.left import has_values
from annotation.importers.tables.proving.legends import are_people, is_person
from paraanno.common.texts import Sentence, say, shown

Look = Callable[[Book, str], Looked]
# What sheets are called that are no people's: the same texts judged at another time, or otherwise.
_NOBODY = word_set(
    "pre; post; before; after; old; new; main; pilot; test; retest; final; draft; raw; clean; all; "
    "data; sheet; tabelle; feuille; hoja; blatt; results; ratings; scores; gold; first; second; "
    "vorher; nachher; alt; neu; avant; apres; antes; despues; copy; kopie; backup; part; teil; "
    "partie; parte; set; batch; week; day; phase; pass; block; 부분; 部分"
)
_PARTS = frozenset({"group", "date", "apart", "id", "annotator"})
SAME = 1.25  # times the originals of a sheet that all together may have


def one_table(book: Book, looked: Sequence[Looked], look: Look) -> tuple[Book, Looked] | None:
    """Return the book with one sheet more that has what the sheets hold together, and that sheet;
    None where the cells do not prove that they are one table."""
    full = [one for one in looked if one.rows]
    groups: list[list[Looked]] = []
    for one in full:
        group = next((group for group in groups if one.continues(group[0])), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    several = [group for group in groups if len(group) > 1]
    of = next((of for of, are in _OF if len(several) == 1 and are(several[0])), "")
    if of:
        [parts] = several
        names = tuple(one.name for one in parts)
        book = together(book, names, parts[0].head.rows, of)
        whole = look(book, ALL_SHEETS)
        whole.sheets, whole.parts = names, tuple(parts)
        whole.how = (say(_HOW[of], names=", ".join(names)),)
        if not _lacks_originals(whole) and _items_of(whole).has_texts:
            return book, whole
        full = [whole, *(one for one in full if one not in parts)]
    elif several:
        return None
    outputs = [one for one in full if _lacks_originals(one)]
    texts = _joined(book, outputs, full, look)
    if texts is not None:
        book, whole = texts
        full = [whole, *(one for one in full if one.name not in whole.sheets)]
    ratings = [one for one in full if not _items_of(one).has_texts]
    return _joined(book, ratings, full, look) or texts


def _lacks_originals(sheet: Looked) -> bool:
    """Whether a sheet has texts of one kind alone, whose originals may be elsewhere."""
    roles = {one.guess.role for one in _items_of(sheet).columns}
    kinds = roles & {"sentence", "phrase"}, roles & {"paraphrase", "output_of"}
    return bool(kinds[0]) != bool(kinds[1])


def _items_of(sheet: Looked) -> Looked:
    twin = sheet.twin
    return twin if twin is not None and twin.what == "items" else sheet


def _joined(
    book: Book, many: Sequence[Looked], full: Sequence[Looked], look: Look
) -> tuple[Book, Looked] | None:
    """Return the only join of one of `many` sheets to another; None for none, or several."""
    joins = [
        (ratings, texts, join)
        for ratings in many
        for texts in full
        if texts is not ratings and (join := _join(book, ratings, texts)) is not None
    ]
    if len(joins) != 1:
        return None
    [(ratings, texts, join)] = joins
    book = joined_sheets(book, join)
    whole = look(book, JOINED)
    sheets = ratings.sheets or (ratings.name,)
    whole.sheets, whole.join = (*sheets, *(texts.sheets or (texts.name,))), join
    whole.parts = (*(ratings.parts or (ratings,)), *(texts.parts or (texts,)))
    joined = say(
        "each row of %(ratings)s is joined to the text of the same %(keys)s in %(texts)s",
        ratings=", ".join(sheets),
        keys=", ".join(
            [texts.head.names[place_of(two) or 0] for _, two in join.keys]
            + [ratings.head.names[place_of(join.label) or 0]] * bool(join.wide)
        ),
        texts=", ".join(texts.sheets or (texts.name,)),
    )
    whole.how = (*texts.how, *ratings.how, joined)
    return book, whole


def are_of_a_person_each(parts: Sequence[Looked]) -> bool:
    """Whether sheets with the same columns are those of an annotator each: called after people,
    with the same rows but for values, and without a column of annotators."""
    people = any(one.guess.role == "annotator" for one in (parts[0].twin or parts[0]).columns)
    names = short_names([one.name for one in parts])
    return not people and _are_people(names) and _differ_in_values(parts)


def are_of_a_system_each(parts: Sequence[Looked]) -> bool:
    """Whether sheets with the same columns are those of a system each: with the same originals, or
    their ids, beside other texts, without a column that names systems, and called after neither
    people nor parts of the data."""
    items = [_items_of(one) for one in parts]
    places: dict[str, int] = {}
    for one in items[0].columns:
        places.setdefault(one.guess.role, place_of(one.column) or 0)
    key = next((places[role] for role in ("sentence", "item") if role in places), None)
    if key is None or "paraphrase" not in places or {"system", "output_of"} & places.keys():
        return False
    if any(len(one.profiles) <= max(key, places["paraphrase"]) for one in parts):
        return False
    texts = [one.profiles[places["paraphrase"]].texts for one in parts]
    originals = [{*one.profiles[key].texts} for one in parts]
    same = len(set.union(*originals)) <= SAME * min(map(len, originals))
    own = all(one != two for one, two in combinations(texts, 2))
    names = short_names([one.name for one in parts])
    return same and own and not any(map(_is_nobody, names)) and not _are_people(names)


def _is_nobody(name: str) -> bool:
    words = lexicon_plain_name(name).split()
    return not words or bool({*words} & _NOBODY or concepts(name) & _PARTS)


def are_of_a_scale_each(parts: Sequence[Looked]) -> bool:
    """Whether sheets with the same columns are those of a scale each: called after criteria, with
    the same rows but for values, and without a column that names scales."""
    about = [concepts(name) for name in (*parts[0].head.names, *parts[0].head.groups)]
    named = any({"criterion", "scale"} & one for one in about)
    criteria = all("criterion" in concepts(one.name) for one in parts)
    return not named and criteria and _differ_in_values(parts)


def _differ_in_values(parts: Sequence[Looked]) -> bool:
    """Whether sheets have the same rows but for numbers and remarks."""
    width = len(parts[0].profiles)
    if any(len(one.profiles) != width for one in parts):
        return False
    same, numbers = [], 0
    for at in range(width):
        columns = [one.profiles[at] for one in parts]
        if all(one.texts == columns[0].texts for one in columns):
            same.append(at)
        elif all(one.is_number for one in columns if one.n):
            numbers += 1
        elif "comment" not in concepts(parts[0].head.names[at]):
            same = _sorted_alike(parts, width)
            numbers = width - len(same)
            break
    rows = list(zip(*(parts[0].profiles[at].texts for at in same), strict=True))
    return numbers > 0 and len(rows) > 1 and len({*rows}) == len(rows)


def _sorted_alike(parts: Sequence[Looked], width: int) -> list[int]:
    """Return the columns with the same cells in all sheets where each has its own order of rows;
    none unless all others hold numbers, and the rows are the same in these columns together."""
    same = [
        at
        for at in range(width)
        if all(
            sorted(one.profiles[at].texts) == sorted(parts[0].profiles[at].texts) for one in parts
        )
    ]
    rest = [at for at in range(width) if at not in same]
    rows = [
        sorted(zip(*(one.profiles[at].texts for at in same), strict=True)) for one in parts if same
    ]
    numbers = all(
        one.profiles[at].is_number or "comment" in concepts(parts[0].head.names[at])
        for one in parts
        for at in rest
        if one.profiles[at].n
    )
    return same if numbers and all(one == rows[0] for one in rows) else []


def _are_people(names: Sequence[str]) -> bool:
    """Whether sheets are called as people are: by names, numbers of annotators, or single words
    with capitals that mean nothing else."""
    if are_people(names, ()):
        return True
    if any(map(_is_nobody, names)):
        return False
    words = [lexicon_plain_name(name).split() for name in names]
    return all(
        is_person(name) and not concepts(name) and not any(map(str.isdigit, name)) for name in names
    ) or all({*one} & FIRST_NAMES for one in words)


def _join(book: Book, ratings: Looked, texts: Looked) -> Join | None:
    """Return how each row of judgments is found once among the texts of another sheet, below or
    beside each other; None where this is not so."""
    items = _items_of(texts)
    roles = [one.guess.role for one in items.columns]
    if _lacks_originals(ratings):
        fits = "sentence" in roles and not items.has_texts
    else:
        fits = items.has_texts and any(one.is_number for one in ratings.profiles)
    if not fits or len(texts.head.rows) != 1:
        return None
    keys = _shared(ratings, texts)
    label, wide = _systems(ratings, items) if "output_of" in roles else ("", ())
    if not keys or ("output_of" in roles and not wide):
        return None
    pairs = tuple((letters(one), letters(two)) for one, two in keys)
    heads = ratings.head.rows, texts.head.rows
    made_by = texts.join if texts.name == JOINED else None
    join = Join(ratings.name, texts.name, *heads, pairs, wide, label, made_by)
    places = [one for one, _ in keys] + ([place_of(label) or 0] if wide else [])
    here = {
        tuple(key_of(cells, one) for one in places)
        for number, cells in book.rows(ratings.name)
        if number > max(ratings.head.rows, default=0)
    }
    try:
        _, there = texts_by_key(book, join, [two for _, two in keys])
    except TableError:
        return None  # A key stands twice.
    complete = all(all(one) for one in (*here, *there))
    return join if complete and here and here <= there.keys() else None


def _systems(ratings: Looked, texts: Looked) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the only column of judgments whose labels are those of columns of texts, and these
    columns with their labels."""
    columns: dict[str, str] = {}
    for one in texts.columns:
        if one.guess.role == "output_of":
            columns |= {one.name.casefold(): one.column, one.guess.of.casefold(): one.column}
    labels = [
        (at, one.words)
        for at, one in enumerate(ratings.profiles)
        if one.n and all(word.casefold() in columns for word in one.words)
    ]
    if len(labels) != 1:
        return "", ()
    [(at, words)] = labels
    named = {columns[word.casefold()]: word for word in words}
    rest = {
        one.column: one.guess.of
        for one in texts.columns
        if one.guess.role == "output_of" and one.column not in named
    }
    return letters(at), (*named.items(), *rest.items())


def _shared(ratings: Looked, texts: Looked) -> list[tuple[int, int]]:
    """Return the pairs of columns that are called alike, or the only ones that are called ids."""
    here = {lexicon_plain_name(name): at for at, name in enumerate(ratings.head.names) if name}
    there = {lexicon_plain_name(name): at for at, name in enumerate(texts.head.names) if name}
    pairs = [(here[name], there[name]) for name in here if name in there]
    if pairs:
        return pairs
    ids = [
        [
            at
            for at, name in enumerate(one.head.names)
            if (roles_named(name)[:1] == ("item",) or "id" in concepts(name))
            and not concepts(name) & {"original", "annotator", "system"}
        ]
        for one in (ratings, texts)
    ]
    return [(ids[0][0], ids[1][0])] if len(ids[0]) == len(ids[1]) == 1 else []


def place_in_whole(looked: Looked, part: Looked, at: int) -> int:
    """Return where a column of a sheet stands in the table that it is a part of."""
    name = part.head.names[at] if at < len(part.head.names) else ""
    names = [*looked.head.names]
    if looked.join is None or name in looked.head.names[at : at + 1]:
        return at
    return names.index(name) if name in names else len(names) - 1  # of texts that stood beside


def other_tables(
    best: Looked, others: Sequence[Looked], twins: Sequence[str]
) -> Iterator[Sentence]:
    """Ask about sheets that are tables of as many rows: of judgments, or of what names mean."""
    labels = {
        place_of(one.column) or 0: one.name
        for one in (*best.columns, *(best.twin.columns if best.twin else ()))
        if one.guess.role in ("system", "annotator")
    }
    for one in others:
        key = _explained_labels(best, labels, one)
        if key is not None:
            yield say(
                "sheet %(name)s explains the labels of column %(column)s: are they to be read as "
                "they stand?",
                name=shown(one.name),
                column=shown(key),
            )
            continue
        filled = [column for column in one.columns if column.filled]
        several = len(filled) > 1 or any(column.kind == "number" for column in filled)
        large = several and len(one.rows) * 2 >= len(best.rows)
        if one.name not in twins and (large or has_values(one)):
            yield say(
                "sheet %(name)s has %(n)s rows, and is not read: is nothing of it needed?",
                name=shown(one.name),
                n=len(one.rows),
            )


def _explained_labels(best: Looked, labels: Mapping[int, str], sheet: Looked) -> str | None:
    """Return the column of labels of which a sheet has each once, beside something else."""
    if sum(bool(one.n) for one in sheet.profiles) < 2:
        return None
    keys = [{*one.words} for one in sheet.profiles if one.n == one.distinct > 1]
    rest = [one for one in sheet.columns if sheet.profile(one).n and one.kind == "number"]
    if len(rest) + 1 >= sum(bool(one.n) for one in sheet.profiles) and all(
        computed_by_name(one.name) or roles_named(one.name)[:1] == ("n",) for one in rest
    ):
        return None  # Means of each label, and how many they are of.
    return next(
        (
            name
            for at, name in labels.items()
            if any({*best.profiles[at].words} <= key for key in keys)
        ),
        None,
    )


# What sheets may be, and whether they are.
_OF = (
    (OF_PERSON, are_of_a_person_each),
    (OF_SCALE, are_of_a_scale_each),
    (OF_SYSTEM, are_of_a_system_each),
)
_HOW = {
    OF_PERSON: say("the sheets %(names)s are of an annotator each"),
    OF_SCALE: say("the sheets %(names)s are of a scale each"),
    OF_SYSTEM: say("the sheets %(names)s are of a system each"),
}
