"""Traps: right tables, each changed by a program so that its plain reading is wrong.

A trap must ask, be refused, or come out as the table did before it was changed.
"""

import csv
import io
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from statistics import fmean, median, stdev

from annotation.importers.items import read_items
from annotation.importers.judgments import read_judgments
from annotation.importers.tables import ColumnMap, MappedTable, inspect_book, open_book
from annotation.importers.tables.books import TableError
from annotation.importers.tables.mapping import MapError
from tests.annotation.spreadsheets import book

_WHO = (
    "The committee",
    "Our neighbour",
    "The old captain",
    "Every visitor",
    "The young doctor",
    "My brother",
    "The tired teacher",
    "A famous singer",
    "The village baker",
    "Her assistant",
    "The new manager",
    "Nobody in town",
)
_DID = (
    ("put off the meeting", "postponed the meeting", "delayed the meeting", "moved the meeting"),
    (
        "looked into the complaint",
        "investigated the complaint",
        "examined the complaint",
        "checked the complaint",
    ),
    ("gave up the search", "abandoned the search", "stopped the search", "ended the search"),
    ("came across a letter", "found a letter by chance", "discovered a letter", "met a letter"),
    ("turned down the offer", "rejected the offer", "refused the offer", "declined the offer"),
    ("made up a story", "invented a story", "created a story", "built a story"),
)
_WHEN = ("last winter", "on Friday", "after the storm", "before the election")
SYSTEMS = ("BART", "T5", "Pivot")
FIVE = {"MEANING": (1, 5)}


@dataclass(frozen=True)
class Base:
    """A right table: its head and rows, and what must be read of it. `people` are the places of
    columns of values."""

    head: list
    rows: list
    items: set
    judgments: set | None
    ranges: dict = field(default_factory=lambda: FIVE)
    people: tuple = ()
    long: bool = False
    must_ask: bool = False  # something is meant that no cell says

    def with_rows(self, rows):
        return replace(self, rows=[list(row) for row in rows])


@dataclass(frozen=True)
class Trap:
    name: str
    base: Base
    data: bytes
    file: str


def _texts(n):
    for at in range(n):
        did = _DID[at % 6]
        rest = f"{_WHEN[at % 4]}, as {_WHO[(at * 5 + 3) % 12].lower()} had expected"
        who = _WHO[(at + at // 12) % 12]
        yield f"{who} {did[0]} {rest}.", [f"{who} {one} {rest}." for one in did[1:]]


def _points(rng, people):
    """Values from 1 to 5 that people give, who mostly agree."""
    quality = rng.uniform(0.6, 5.4)
    return [min(5, max(1, round(rng.gauss(quality, 0.6)))) for _ in range(people)]


def wide(people=("R1", "R2", "R3"), n=14):
    """A row for each text, a column for each annotator."""
    rng = random.Random(7)
    rows, items, judgments = [], set(), set()
    for original, news in _texts(n):
        for system, new in zip(SYSTEMS, news, strict=True):
            values = _points(rng, len(people))
            rows.append([original, new, system, *values])
            items.add((original, original, new, system))
            judgments |= {
                (new, who, "MEANING", float(value))
                for who, value in zip(people, values, strict=True)
            }
    places = tuple(range(3, 3 + len(people)))
    head = ["Original", "Paraphrase", "System", *people]
    return Base(head, rows, items, judgments, people=places)


def long(people=("Anna", "Ben", "Kim"), n=14):
    """A row for each judgment."""
    table = wide(people, n)
    rows = [
        [*row[:3], who, value]
        for row in table.rows
        for who, value in zip(people, row[3:], strict=True)
    ]
    head = ["Original", "Paraphrase", "System", "Annotator", "Rating"]
    return replace(table, head=head, rows=rows, people=(), long=True)


def outputs():
    """A row for each original, a column for each system."""
    rows = [[original, *news] for original, news in _texts(14)]
    items = {
        (row[0], row[0], new, system)
        for row in rows
        for system, new in zip(SYSTEMS, row[1:], strict=True)
    }
    return Base(["Original", *SYSTEMS], rows, items, None)


def two_scales():
    """A row for each text and annotator, a column for each of two scales."""
    ranges = {"MEANING": (1, 5), "GRAMMAR": (1, 5)}
    rng = random.Random(3)
    table = long()
    rows, judgments = [], set()
    for row in table.rows:
        other = min(5, max(1, row[4] + rng.choice((-1, 0, 0, 1))))
        rows.append([*row, other])
        judgments |= {
            (row[1], row[3], "MEANING", float(row[4])),
            (row[1], row[3], "GRAMMAR", float(other)),
        }
    head = [*table.head[:4], "Meaning", "Grammar"]
    return replace(table, head=head, rows=rows, judgments=judgments, ranges=ranges)


# What is done to a table: each makes another table of one, or nothing where it does not fit.

Change = Callable[[Base], Base | None]
WIDE: dict[str, Change] = {}
LONG: dict[str, Change] = {}
TEXTS: dict[str, Change] = {}
TWO: dict[str, Change] = {}


def of(*tables):
    def add(change):
        for table in tables:
            table[change.__name__] = change
        return change

    return add


def copied(base):
    return [[*row] for row in base.rows]


def _column(name, values_of, place=None):
    """A column more, on the right or at a place, made of the values of each row."""

    def change(base):
        at = len(base.head) if place is None else place
        rows = copied(base)
        for n, row in enumerate(rows):
            values = [row[one] for one in base.people]
            row.insert(at, values_of(values, n, row))
        head = [*base.head]
        head.insert(at, name)
        return replace(base, head=head, rows=rows)

    return change


def _majority(values):
    return Counter(sorted(values)).most_common(1)[0][0]


def _deviating(values, n, row):
    return round((values[0] - 3.02) / 1.37, 2)


_DERIVED = {
    "mean": lambda values, n, row: round(fmean(values), 2),
    "rounded_mean": lambda values, n, row: int(fmean(values) + 0.5),
    "floored_mean": lambda values, n, row: int(fmean(values)),
    "median": lambda values, n, row: median(values),
    "highest": lambda values, n, row: max(values),
    "lowest": lambda values, n, row: min(values),
    "majority": lambda values, n, row: _majority(values),
    "sum": lambda values, n, row: sum(values),
    "sd": lambda values, n, row: round(stdev(values), 2),
    "z": _deviating,
    "difference": lambda values, n, row: values[0] - values[1],
    "distance": lambda values, n, row: abs(values[0] - values[-1]),
    "mean_of_two": lambda values, n, row: (values[0] + values[1]) / 2,
    "rounded_mean_of_two": lambda values, n, row: int((values[0] + values[1]) / 2 + 0.5),
    "reversed_copy": lambda values, n, row: 6 - values[0],
    "near_copy": lambda values, n, row: values[1] if n % 14 else 3,
    "binary": lambda values, n, row: int(fmean(values) >= 3),
    "doubled": lambda values, n, row: 2 * values[0],
    "constant": lambda values, n, row: 4,
    "index": lambda values, n, row: n + 1,
    "of_item": lambda values, n, row: n // 3 + 1,
    "place": lambda values, n, row: n % 3 + 1,
    "turned_place": lambda values, n, row: (n // 3 + n) % 3 + 1,
    "seconds": lambda values, n, row: 11 + (n * 37) % 90,
    "year": lambda values, n, row: 2019 + (n * 7) % 5,
    "words": lambda values, n, row: len(row[1].split()),
    "words_more": lambda values, n, row: len(row[1].split()) - len(row[0].split()) + 2,
    "letters": lambda values, n, row: len(row[1]),
    "hundred": lambda values, n, row: int(fmean(values) * 19 + n % 5),
    "seven": lambda values, n, row: min(7, values[0] + 1 + n % 2),
    "from_nought": lambda values, n, row: max(0, values[0] - 1 - (n % 5 == 0)),
    "day": lambda values, n, row: f"2024-05-{1 + n % 28:02}",
}
for _name, _values in _DERIVED.items():
    WIDE[f"{_name}_as_R4"] = _column("R4", _values)
for _name in ("mean", "rounded_mean", "median", "majority", "words", "place", "sd"):
    WIDE[f"{_name}_as_K7"] = _column("K7", _DERIVED[_name])
    WIDE[f"{_name}_unnamed"] = _column("", _DERIVED[_name])
    WIDE[f"{_name}_first_as_R0"] = _column("R0", _DERIVED[_name], place=3)


@of(WIDE)
def rank_as_R4(base):
    rows = []
    for at in range(0, len(base.rows), 3):
        group = base.rows[at : at + 3]
        order = sorted(range(3), key=lambda n: -fmean(group[n][3:]) + n / 100)
        rows += [[*row, order.index(n) + 1] for n, row in enumerate(group)]
    return replace(base, head=[*base.head, "R4"], rows=rows)


@of(WIDE)
def mean_of_the_item_as_R4(base):
    rows = []
    for at in range(0, len(base.rows), 3):
        group = base.rows[at : at + 3]
        mean = round(fmean(value for row in group for value in row[3:]))
        rows += [[*row, mean] for row in group]
    return replace(base, head=[*base.head, "R4"], rows=rows)


def _cells(base, change, rows=None):
    """The table with some cells of the second annotator changed."""
    at = len(base.head) - 1 if base.long else base.people[1]
    table = copied(base)
    for n, row in enumerate(table):
        mine = not base.long or row[3] == "Ben"
        if mine and (rows is None or n in rows):
            row[at] = change(row[at])
    return base.with_rows(table)


@of(WIDE, LONG)
def reversed_in_the_second_half(base):
    return _cells(base, lambda value: 6 - value, range(len(base.rows) // 2, len(base.rows)))


for _name, _cell in {
    "reversed_annotator": lambda value: 6 - value,
    "from_nought": lambda value: value - 1,
    "of_seven": lambda value: round((value - 1) * 1.5) + 1,
    "of_ten": lambda value: value * 2,
    "of_three": lambda value: (1, 1, 2, 3, 3)[value - 1],
    "of_hundred": lambda value: value * 20 - 7,
    "yes_or_no": lambda value: int(value > 3),
}.items():
    WIDE[_name] = LONG[_name] = partial(_cells, change=_cell)


for _name, _cell in {
    "nought": lambda value: 0,
    "nine": lambda value: 9,
    "ninety_nine": lambda value: 99,
    "minus_one": lambda value: -1,
    "six": lambda value: 6,
    "half": lambda value: value - 0.5 if value > 1 else 1.5,
    "of_five": lambda value: f"{value}/5",
    "two_with_dash": lambda value: f"{max(1, value - 1)}-{max(2, value)}",
    "two_with_space": lambda value: f"{value} {max(1, value - 1)}",
    "two_with_comma": lambda value: f"{value},{max(1, value - 1)}",
    "two_with_lines": lambda value: f"{value}\n{max(1, value - 1)}",
    "with_question_mark": lambda value: f"{value}?",
    "with_star": lambda value: f"{value}*",
    "arrow": lambda value: f"{max(1, value - 1)} -> {value}",
    "date": lambda value: f"2024-0{value}-05",
    "day_and_month": lambda value: f"0{value}. Mai",
    "tilde": lambda value: f"~{value}",
}.items():
    for _size, _rows in (("a_few", range(3, 30, 9)), ("all", None)):
        if _size == "a_few" or _name in (
            "half",
            "two_with_dash",
            "two_with_comma",
            "day_and_month",
        ):
            change = partial(_cells, change=_cell, rows=_rows)
            WIDE[f"{_name}_in_{_size}"] = LONG[f"{_name}_in_{_size}"] = change


def _sum_row(base, label, of, at=None):
    places = base.people or (len(base.head) - 1,)
    row = [""] * len(base.head)
    row[0] = label
    for place in places:
        row[place] = of([one[place] for one in base.rows])
    rows = [*base.rows]
    rows.insert(len(rows) if at is None else at, row)
    return base.with_rows(rows)


for _label in ("Mean", "Átlag", "", "Keskiarvo", "Ø", "平均", "n", "SD", "M", "all texts", "I alt"):
    below = partial(_sum_row, label=_label, of=lambda values: round(fmean(values), 2))
    WIDE[f"row_{_label or 'unnamed'}"] = LONG[f"row_{_label or 'unnamed'}"] = below


@of(WIDE)
def rounded_means_below(base):
    return _sum_row(base, "Gjennomsnitt", lambda values: round(fmean(values)))


@of(WIDE)
def numbers_of_texts_below(base):
    return _sum_row(base, "antall", len)


@of(WIDE)
def sums_below(base):
    return _sum_row(base, "yhteensä", sum)


@of(WIDE)
def means_within(base):
    return _sum_row(base, "Del 1", lambda values: round(fmean(values[:18]), 1), at=18)


@of(WIDE)
def means_beside_a_text(base):
    """A line of means whose texts are repeated."""
    table = _sum_row(base, "x", lambda values: round(fmean(values)))
    table.rows[-1][:3] = ["all of the texts above", "all of the texts above", "all"]
    return table


@of(WIDE, LONG)
def again_with_other_values(base):
    other = [[*row] for row in base.rows[4:9]]
    for row in other:
        row[-1] = row[-1] % 5 + 1
    return base.with_rows([*base.rows, *other])


@of(WIDE, LONG, TEXTS)
def again(base):
    return base.with_rows([*base.rows, *base.rows[4:9]])


@of(WIDE, LONG)
def texts_exchanged_in_a_third(base):
    rows = copied(base)
    for row in rows[6 : 6 + len(rows) // 3]:
        row[0], row[1] = row[1], row[0]
    return base.with_rows(rows)


@of(WIDE, LONG, TEXTS)
def shifted_block(base):
    rows = [["", *row] if 8 <= n < 14 else [*row] for n, row in enumerate(base.rows)]
    return base.with_rows(rows)


@of(WIDE, LONG)
def values_shifted_to_the_right(base):
    rows = [[*row[:2], "", *row[2:]] if 8 <= n < 14 else [*row] for n, row in enumerate(base.rows)]
    return base.with_rows(rows)


@of(WIDE)
def values_a_row_down(base):
    rows = copied(base)
    at = base.people[1]
    column = [None, *(row[at] for row in base.rows)]
    for row, value in zip(rows, column, strict=False):
        row[at] = value
    return base.with_rows(rows)


@of(WIDE, LONG, TEXTS)
def texts_a_row_down(base):
    rows = copied(base)
    column = [base.rows[-1][0], *(row[0] for row in base.rows)]
    for row, value in zip(rows, column, strict=False):
        row[0] = value
    return base.with_rows(rows)


@of(WIDE, LONG, TEXTS)
def no_head(base):
    return replace(base, head=[])


@of(WIDE, LONG, TEXTS)
def names_of_columns_within(base):
    rows = [*base.rows[:15], base.head, *base.rows[15:]]
    return base.with_rows(rows)


@of(WIDE, LONG)
def columns_called_by_letters(base):
    return replace(base, head=[chr(ord("A") + at) for at in range(len(base.head))])


@of(WIDE)
def two_tables_beside(base):
    half = len(base.rows) // 2
    rows = [[*a, *b] for a, b in zip(base.rows[:half], base.rows[half:], strict=True)]
    return replace(base, head=[*base.head, *base.head], rows=rows)


@of(WIDE, LONG)
def second_table_below_of_seven(base):
    at = len(base.head) - 1
    rows = copied(base)
    for row in rows[len(rows) // 2 :]:
        for place in base.people or (at,):
            row[place] = min(7, row[place] + 2)
    return base.with_rows(rows)


def _one_more(base, name, value_of):
    rows = []
    for at in range(0, len(base.rows), 3):
        group = base.rows[at : at + 3]
        rows += [*group, [*group[0][:3], name, value_of([row[4] for row in group])]]
    return base.with_rows(rows)


for _name, _who, _value in (
    ("mean_among_the_annotators", "X", lambda values: round(fmean(values), 2)),
    ("rounded_mean_among_the_annotators", "Lee", lambda values: int(fmean(values) + 0.5)),
    ("median_among_the_annotators", "Lee", median),
    ("majority_among_the_annotators", "Lee", _majority),
    ("constant_annotator", "Lee", lambda values: 5),
    ("copied_annotator", "Lee", lambda values: values[0]),
    ("seconds_among_the_annotators", "Lee", lambda values: 40 + 7 * sum(values)),
):
    LONG[_name] = partial(_one_more, name=_who, value_of=_value)


@of(LONG)
def ranks(base):
    """Each annotator orders the texts of an original."""
    rows = copied(base)
    for at in range(0, len(rows), 9):
        for who in range(3):
            group = rows[at + who : at + 9 : 3]
            order = sorted(range(3), key=lambda n, group=group: (-group[n][4], n))
            for n, row in enumerate(group):
                row[4] = order.index(n) + 1
    return base.with_rows(rows)


@of(LONG)
def annotators_exchanged_with_systems(base):
    rows = [[*row[:2], row[3], row[2], row[4]] for row in base.rows]
    return base.with_rows(rows)


@of(LONG)
def annotators_with_two_names(base):
    rows = copied(base)
    for row in rows[40:]:
        row[3] = row[3].lower()
    return base.with_rows(rows)


@of(LONG)
def numbers_of_rows_as_annotators(base):
    rows = [[*row[:3], n + 1, row[4]] for n, row in enumerate(base.rows)]
    return base.with_rows(rows)


LONG["numbers_beside"] = _column("Rating 2", lambda values, n, row: (n * 5) % 7 + 1)
TWO["one_scale_is_the_mean"] = _column("Style", lambda values, n, row: (row[4] + row[5]) / 2)


def _other_scale(base, value_of):
    return base.with_rows([[*row[:5], value_of(row)] for row in base.rows])


for _name, _value in {
    "one_scale_reversed": lambda row: 6 - row[5],
    "one_scale_of_seven": lambda row: min(7, row[5] + 2),
    "one_scale_copied": lambda row: row[4],
}.items():
    TWO[_name] = partial(_other_scale, value_of=_value)


@of(TWO)
def scales_without_annotators(base):
    return replace(
        base, head=[*base.head[:3], *base.head[4:]], rows=[[*r[:3], *r[4:]] for r in base.rows]
    )


_COMMENTS = (
    "sounds fine to me",
    "a bit formal, but fine",
    "I would not say it this way",
    "the same as the first one",
    "much better than the others here",
)
for _name, _text in {
    "copy_of_the_original": lambda n, row: row[0],
    "copy_of_another": lambda n, row: row[1],
    "copy_in_small_letters": lambda n, row: row[1].lower(),
    "of_the_next_row": lambda n, row: f"{_WHO[(n + 1) % 12]} left early yesterday evening.",
    "both": lambda n, row: f"{row[1]} {row[2]}",
    "chosen": lambda n, row: row[1 + n * 7 % 3],
    "comments": lambda n, row: _COMMENTS[n % 5],
    "remarks": lambda n, row: f"{_WHO[n % 12]} is not the subject, so I would not accept this.",
    "few_comments": lambda n, row: _COMMENTS[n % 5] if n % 4 == 0 else "",
    "ids": lambda n, row: f"doc-{n * 31 % 97:03}-a{n}",
    "labels": lambda n, row: ("good", "bad", "unsure")[n % 3],
    "name_of_the_best": lambda n, row: SYSTEMS[n % 3],
    "prompt": lambda n, row: f"Paraphrase the following sentence: {row[0]}",
    "with_opening": lambda n, row: f"Sure! Here is a paraphrase: {row[2]}",
    "other_language": lambda n, row: f"El comité {n} decidió aplazar todas las reuniones hoy.",
    "phrase": lambda n, row: " ".join(row[1].split()[2:4]),
    "half_empty_copy": lambda n, row: row[2] if n % 2 else "",
    "tokens": lambda n, row: row[1].replace(" ", " @@ "),
    "cut": lambda n, row: row[1][:30] + "...",
    "links": lambda n, row: f"https://example.org/t/{n}",
    "reordered": lambda n, row: " ".join(sorted(row[0].split())),
}.items():
    for _head in ("Sys4", "GPT-4", "K7"):
        TEXTS[f"{_name}_as_{_head}"] = _column(
            _head, lambda values, n, row, text=_text: text(n, row)
        )


def written(base):
    """A table as a file with semicolons."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";")
    writer.writerows([base.head] if base.head else [])
    writer.writerows(base.rows)
    return out.getvalue().encode()


# What spreadsheets may say without cells: what is written, then what is done to the sheet.


def _hidden_rows(book, sheet):
    for row in range(10, 16):
        sheet.set_row(row, None, None, {"hidden": True})


def _hidden_column(book, sheet):
    sheet.set_column("E:E", None, None, {"hidden": True})


def _filtered(book, sheet):
    sheet.autofilter(0, 0, 42, 5)
    sheet.filter_column(2, "x == BART")
    _hidden_rows(book, sheet)


def _struck_row(book, sheet):
    sheet.set_row(12, None, book.add_format({"font_strikeout": True}))
    _formatted({"font_strikeout": True}, (12,), range(6))(book, sheet)


def _formatted(look, rows, columns=(4,)):
    def change(book, sheet):
        form = book.add_format(look)
        table = wide()
        for row in rows:
            for at in columns:
                sheet.write(row, at, table.rows[row - 1][at], form)

    return change


def _merged_values(book, sheet):
    sheet.merge_range(5, 4, 7, 4, 4)


def _remark(book, sheet):
    sheet.write_comment("E9", "should be 2, I mixed up the scale")


def _dates(book, sheet):
    form = book.add_format({"num_format": "dd.mm.yyyy"})
    for row in (8, 9, 20):
        sheet.write_datetime(row, 4, datetime(2024, 5, row), form)


def _of_seven(table):
    rows = [[min(7, one + 2) if isinstance(one, int) else one for one in row] for row in table.rows]
    return [table.head, *rows]


SHEETS = {
    "hidden_rows": _hidden_rows,
    "hidden_column": _hidden_column,
    "filtered": _filtered,
    "struck_row": _struck_row,
    "struck_values": _formatted({"font_strikeout": True}, (8, 9, 20)),
    "coloured_values": _formatted({"bg_color": "red"}, (8, 9, 20)),
    "coloured_letters": _formatted({"font_color": "red"}, (8, 9, 20)),
    "coloured_row": _formatted({"bg_color": "yellow"}, (12,), range(6)),
    "merged_values": _merged_values,
    "remark": _remark,
    "dates": _dates,
}


def _books():
    table = wide()
    plain = {"first": [table.head, *table.rows]}
    for name, change in SHEETS.items():
        yield name, replace(table, must_ask=True), book(plain, change)
    yield "second_of_seven", table, book({**plain, "second": _of_seven(table)})
    for size, rest in (("rounded_mean", 0.5), ("mean", None)):
        means = [
            fmean(row[3:]) if rest is None else int(fmean(row[3:]) + rest) for row in table.rows
        ]
        more = [[*row, mean] for row, mean in zip(table.rows, means, strict=True)]
        sheets = {
            "first": [[*table.head, "R4"], *more],
            "all": [["no", "x"], *map(list, enumerate(means))],
        }
        yield f"{size}_on_another_sheet", table, book(sheets)


BASES = {
    "wide": (wide, WIDE),
    "names": (lambda: wide(("Anna", "Ben", "Kim")), WIDE),
    "long": (long, LONG),
    "outputs": (outputs, TEXTS),
    "scales": (two_scales, TWO),
}


def traps():
    """All traps, in the order of their bases."""
    for name, (make, changes) in BASES.items():
        base = make()
        for what, change in changes.items():
            table = change(base)
            yield Trap(f"{name}:{what}", table, written(table), "table.csv")
    for name, table, data in _books():
        yield Trap(f"sheet:{name}", table, data, "table.xlsx")


def rights():
    """The tables before anything is done to them."""
    for name, (make, _) in BASES.items():
        base = make()
        yield Trap(f"{name}:right", base, written(base), "table.csv")


def outcome(trap):
    """What the import makes of a table: "right", "asks", "refused", or "silent" for wrong."""
    outcomes = {
        _outcome(trap, what, wanted)
        for what, wanted in (("items", trap.base.items), ("judgments", trap.base.judgments))
        if wanted is not None
    }
    # Texts that ask are looked at before their judgments are imported.
    return next(one for one in ("silent", "asks", "refused", "right") if one in outcomes)


def _outcome(trap, what, wanted):
    base = trap.base
    try:
        found = open_book(io.BytesIO(trap.data), trap.file)
        seen = inspect_book(found, what=what, scales=list(base.ranges), ranges=base.ranges)
        if seen.mapping.waits() or seen.mapping.missing():
            return "asks"
        mapping = ColumnMap.from_json(seen.mapping.to_json())
    except (TableError, MapError):
        return "refused"
    read = {"items": read_items, "judgments": read_judgments}[what]
    parsed = read(MappedTable(io.BytesIO(trap.data), trap.file, mapping), name=trap.file)
    if not parsed.ok:
        return "refused"
    if what == "items":
        rows = {(row.sentence, row.phrase, row.paraphrase, row.system) for row in parsed.rows}
    else:
        rows = {
            (row.target.paraphrase, row.annotator, row.scale, row.value)
            for row in parsed.rows
            if row.value is not None
        }
        if {row[0] for row in rows} - {row[2] for row in base.items}:
            return "refused"  # The campaign has no such text.
        if base.must_ask:
            return "silent"
    return "right" if rows == wanted else "silent"
