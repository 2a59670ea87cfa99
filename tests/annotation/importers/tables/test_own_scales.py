"""Scales that a table names itself, and sheets that are one table, where the cells prove it."""

import io
import json
import random
import zipfile

import pytest

from annotation.importers.items import read_items
from annotation.importers.judgments import read_judgments
from annotation.importers.tables import ColumnMap, MappedTable, inspect_book, open_book
from annotation.importers.tables.books import TableError
from annotation.importers.tables.guessing.own_scales import own_scales
from annotation.importers.tables.mapping import MapError
from tests.annotation.importers.tables import traps
from tests.annotation.spreadsheets import book

PEOPLE = ("P01", "P02", "P03")
THINNED = 7


def long_rows(*names, ends=(1, 5), n=24):
    """A row for each judgment, with a column for each scale."""
    rng = random.Random(3)
    rows = [["Original", "Paraphrase", "Annotator", *names]]
    for at in range(n):
        text = f"The committee put off meeting number {at} until Monday."
        goods = [rng.uniform(ends[0] - 1, ends[1] + 1) for _ in names]
        for who in PEOPLE:
            points = [min(ends[1], max(ends[0], round(rng.gauss(good, 0.6)))) for good in goods]
            rows.append([text, text.replace("put off", "postponed"), who, *points])
    return rows


def csv_of(rows):
    return "\n".join(";".join(map(str, row)) for row in rows).encode()


def found(rows):
    opened = open_book(io.BytesIO(csv_of(rows)), "d.csv")
    return [(one.name, one.low, one.high) for one in own_scales(opened)]


@pytest.mark.parametrize(
    ("names", "ends"),
    [
        (("Einfachheit", "Bedeutungserhalt", "Grammatikalität"), (1, 5)),
        (("simplicité", "fidélité"), (0, 4)),
        (("Politeness",), (1, 7)),
        (("DA",), (0, 100)),
        (("가독성", "자연스러움"), (1, 5)),
        (("Adeq.", "Flu."), (1, 5)),
        (("Acceptability", "Fluency slider"), (1, 4)),
    ],
)
def test_scales_that_no_template_has_are_those_of_the_file(names, ends):
    rows = long_rows(*names, ends=ends)
    assert found(rows) == [(name, *ends) for name in names]
    data = csv_of(rows)
    seen = inspect_book(
        open_book(io.BytesIO(data), "d.csv"),
        what="judgments",
        scales=names,
        ranges=dict.fromkeys(names, ends),
    )
    assert not seen.mapping.waits() and not seen.mapping.missing()


@pytest.mark.parametrize(
    ("names", "ends"),
    [
        (("Clarity",), (2, 4)),  # Which range?
        (("errors",), (0, 5)),
        (("Difficulty",), (1, 5)),
        (("难度",), (1, 5)),
        (("Toxicity",), (1, 5)),
        (("rank",), (1, 5)),
        (("Clarity", "Zest"), (1, 5)),
        (("Clarity (1-4)",), (1, 5)),
    ],
)
def test_where_range_or_direction_are_unknown_a_person_says_them(names, ends):
    assert found(long_rows(*names, ends=ends)) == []


def test_a_range_in_the_name_counts_more_than_the_values():
    assert found(long_rows("Clarity (1-7)", ends=(2, 6))) == [("Clarity", 1, 7)]


@pytest.mark.parametrize(
    ("name", "words", "ends"),
    [
        ("Same meaning?", ("no", "yes"), (0, 1)),
        ("Lesbarkeit", ("schlecht", "mittel", "gut"), (1, 3)),
        ("Fidelidad", ("muy mal", "mal", "regular", "bien", "muy bien"), (1, 5)),
        ("Adequacy", ("None", "Little", "Much", "Most", "All"), (1, 5)),
        ("Fluency", ("1/5", "2/5", "3/5", "4/5", "5/5"), (1, 5)),
        ("Verdict", ("different", "partly the same", "same"), (1, 3)),
        ("Clarity", ("very bad", "bad", "fair", "good"), None),  # Is there a "very good"?
        ("Clarity", ("poor", "fair", "very good"), None),
        ("Has errors", ("no", "yes"), None),
    ],
)
def test_words_that_are_a_whole_scale_are_its_points(name, words, ends):
    rows = long_rows("Clarity", ends=(0, len(words) - 1))
    rows = [[*rows[0][:3], name], *([*row[:3], words[row[3]]] for row in rows[1:])]
    assert found(rows) == ([(name, *ends)] if ends else [])
    if ends:
        opened = open_book(io.BytesIO(csv_of(rows)), "d.csv")
        seen = inspect_book(opened, what="judgments", scales=[name], ranges={name: ends})
        assert not seen.mapping.waits()
        assert {*seen.mapping.words[name].values()} == {*range(ends[0], ends[1] + 1)}


def test_scales_of_a_tool_are_those_of_its_labels():
    lines = [
        {
            "id": at,
            "text": f"The committee postponed meeting number {at}.",
            "original": f"The committee put off meeting number {at}.",
            "label": [f"Clarity {1 + at % 5}/5", f"Fluency {1 + at * 2 % 5}/5"],
            "Comments": [],
        }
        for at in range(12)
    ]
    folder = io.BytesIO()
    with zipfile.ZipFile(folder, "w") as packed:
        packed.writestr("anna.jsonl", "\n".join(map(json.dumps, lines)))
    opened = open_book(folder, "d.zip")
    scales = own_scales(opened)
    ranges = {one.name: (one.low, one.high) for one in scales}
    assert ranges == {"Clarity": (1, 5), "Fluency": (1, 5)}
    seen = inspect_book(opened, what="judgments", scales=list(ranges), ranges=ranges)
    assert not seen.mapping.waits() and seen.ledger.annotators == ("anna",)


def test_an_end_that_is_not_used_is_that_of_the_other_scales():
    rows = long_rows("Clarity", "Fluency")
    for row in rows[1:]:
        row[4] = max(2, row[4])
    assert found(rows) == [("Clarity", 1, 5), ("Fluency", 1, 5)]
    for row in rows[1:]:
        row[4] = min(4, row[4])
    assert found(rows) == []


def test_merged_names_over_annotators_are_scales_and_colours_of_values_say_no_more():
    rows = long_rows("Clarity", "Fluency", n=14)
    heads = [
        ["Original", "Paraphrase", "Clarity (1-5)", None, "Fluency (1-5)", None],
        [None, None, "Anna", "Ben", "Anna", "Ben"],
    ]
    wide = [
        [*rows[at][:2], *(rows[at + who][scale] for scale in (3, 4) for who in (0, 1))]
        for at in range(1, len(rows), 3)
    ]

    def coloured(workbook, sheet):
        colours = [workbook.add_format({"bg_color": f"#FF{n}0{n}0"}) for n in range(6)]
        for at, row in enumerate(wide):
            for place in range(2, 6):
                sheet.write(at + 2, place, row[place], colours[row[place]])

    opened = open_book(io.BytesIO(book({"Ratings": [*heads, *wide]}, coloured)), "d.xlsx")
    scales = own_scales(opened)
    assert [one.name for one in scales] == ["Clarity", "Fluency"]
    seen = inspect_book(
        opened,
        what="judgments",
        scales=[one.name for one in scales],
        ranges={one.name: (one.low, one.high) for one in scales},
    )
    assert not seen.mapping.waits() and seen.ledger.annotators == ("Anna", "Ben")


def renamed(trap):
    """The data with names of a scale that no template has."""
    head, _, rest = trap.data.decode("utf-8", "surrogateescape").partition("\n")
    for who in ("R1", "R2", "R3", "Anna", "Ben", "Kim"):
        head = head.replace(who, f"Clarity {who}")
    text = f"{head.replace('Rating', 'Clarity')}\n{rest}"
    return text.encode("utf-8", "surrogateescape")


def outcome(trap, data):
    """What is read of the judgments with the scales of the file: as `traps.outcome`."""
    base = trap.base
    try:
        opened = open_book(io.BytesIO(data), trap.file)
        scales = own_scales(opened)
        ranges = {one.name: (one.low, one.high) for one in scales}
        seen = inspect_book(opened, what="judgments", scales=list(ranges), ranges=ranges)
        if not scales or seen.mapping.waits() or seen.mapping.missing():
            return "asks"
        mapping = ColumnMap.from_json(seen.mapping.to_json())
    except (TableError, MapError):
        return "refused"
    parsed = read_judgments(MappedTable(io.BytesIO(data), trap.file, mapping), name=trap.file)
    rows = {(row.target.paraphrase, row.annotator, row.value) for row in parsed.rows}
    if not parsed.ok or {row[0] for row in rows} - {row[2] for row in base.items}:
        return "refused"
    wanted = {(text, who, value) for text, who, _, value in base.judgments or ()}
    right = not base.must_ask and {row for row in rows if row[2] is not None} == wanted
    return "right" if right else "silent"


TRAPS = [
    pytest.param(one, marks=() if at % THINNED == 0 else pytest.mark.nightly, id=one.name)
    for at, one in enumerate([*traps.rights(), *traps.traps()])
    if one.file.endswith("csv") and one.base.judgments is not None
]


@pytest.mark.parametrize("trap", TRAPS)
def test_no_trap_is_silent_with_scales_of_its_own(trap):
    assert outcome(trap, renamed(trap)) != "silent"
    if trap.name in ("wide:right", "names:right", "long:right", "scales:right"):
        assert outcome(trap, renamed(trap)) == "right"


def test_halves_that_many_give_are_points_and_notes_on_means_are_none():
    rows = long_rows("Clarity", n=30)
    for at, row in enumerate(rows[1:]):
        row[3] = row[3] + 0.5 if at % 2 and row[3] < 5 else row[3]
    data = csv_of([*rows, [], ["Mean = that of three people"]])
    opened = open_book(io.BytesIO(data), "d.csv")
    [scale] = own_scales(opened)
    assert (scale.low, scale.high, scale.step) == (1, 5, 0.5)
    seen = inspect_book(opened, what="judgments", scales=["Clarity"], ranges={"Clarity": (1, 5)})
    assert not seen.mapping.waits()


def test_nested_ratings_are_of_the_key_above_the_scale():
    rows = long_rows("Clarity", "meaning preservation", n=20)
    records = [
        {
            "original": rows[at][0],
            "text": rows[at][1],
            "ratings": {
                who: {"clarity": rows[at + n][3], "meaning preservation": rows[at + n][4]}
                for n, who in enumerate(("R1", "R2"))
            },
        }
        for at in range(1, len(rows), 3)
    ]
    opened = open_book(io.BytesIO(json.dumps(records).encode()), "d.json")
    ranges = {one.name: (one.low, one.high) for one in own_scales(opened)}
    assert list(ranges) == ["clarity", "meaning preservation"]
    seen = inspect_book(opened, what="judgments", scales=list(ranges), ranges=ranges)
    assert seen.ledger.annotators == ("R1", "R2")


RANGES = {"MEANING": (1, 5), "GRAMMAR": (1, 5)}
RATERS = ("Anna", "Ben", "Kim")


def texts_and_values():
    """Texts with an id each, and what three people gave to each on two scales."""
    base = traps.wide(n=8)
    texts = [[at, *row[:3]] for at, row in enumerate(base.rows, 1)]
    again = [*base.rows[5:], *base.rows[:5]]
    values = [
        (row[3 + who], other[3 + who])
        for row, other in zip(base.rows, again, strict=True)
        for who in range(3)
    ]
    return texts, values


TEXTS, VALUES = texts_and_values()
HEAD = ["id", "Original", "Paraphrase", "System"]
WANTED = {
    (text[2], who, scale, float(VALUES[at * 3 + n][place]))
    for at, text in enumerate(TEXTS)
    for n, who in enumerate(RATERS)
    for place, scale in enumerate(RANGES)
}


def long_ratings(name="id"):
    rows = [
        [text[0], who, *VALUES[at * 3 + n]]
        for at, text in enumerate(TEXTS)
        for n, who in enumerate(RATERS)
    ]
    return [[name, "Annotator", "Meaning", "Grammar"], *rows]


def of_each(*, with_texts, turned=False):
    head = [*(HEAD if with_texts else HEAD[:1]), "Meaning", "Grammar"]
    sheets = {}
    for n, who in enumerate(RATERS):
        rows = [
            [*(text if with_texts else text[:1]), *VALUES[at * 3 + n]]
            for at, text in enumerate(TEXTS)
        ]
        sheets[who] = [head, *(rows[::-1] if turned and n else rows)]
    return sheets


def of_each_scale():
    return {
        scale.capitalize(): [
            [*HEAD, *RATERS],
            *([*text, *(pair[at] for pair in VALUES[n * 3 :][:3])] for n, text in enumerate(TEXTS)),
        ]
        for at, scale in enumerate(RANGES)
    }


def seen(sheets, what, **more):
    opened = open_book(io.BytesIO(book(sheets, **more)), "d.xlsx")
    return inspect_book(opened, what=what, scales=list(RANGES), ranges=RANGES)


def judgments(sheets):
    looked = seen(sheets, "judgments")
    assert not looked.mapping.waits() and not looked.mapping.missing()
    mapping = ColumnMap.from_json(looked.mapping.to_json())
    table = MappedTable(io.BytesIO(book(sheets)), "d.xlsx", mapping)
    parsed = read_judgments(table, name="d.xlsx")
    assert parsed.ok, parsed.problems
    return {(one.target.paraphrase, one.annotator, one.scale, one.value) for one in parsed.rows}


JOINED = {"Texts": [HEAD, *TEXTS], "Ratings": long_ratings()}


@pytest.mark.parametrize(
    ("sheets", "how"),
    [
        (JOINED, "joined to the text of the same id"),
        ({**JOINED, "Ratings": long_ratings("text_id")}, "joined to the text of the same id"),
        ({"Notes": [["Three people rated the texts."]], **JOINED}, "joined"),
        (of_each(with_texts=True), "sheets Anna, Ben, Kim are of an annotator each"),
        (of_each(with_texts=True, turned=True), "an annotator each"),
        ({"Texts": [HEAD, *TEXTS], **of_each(with_texts=False)}, "an annotator each; each row of"),
        (of_each_scale(), "sheets Meaning, Grammar are of a scale each"),
    ],
)
def test_sheets_that_belong_together_are_read_as_one_unasked(sheets, how):
    assert judgments(sheets) == WANTED
    looked = seen(sheets, "items")
    assert not looked.mapping.waits() and how in str(looked.ledger.line)
    table = MappedTable(io.BytesIO(book(sheets)), "d.xlsx", looked.mapping)
    rows = read_items(table, name="d.xlsx").rows
    assert {(row.sentence, row.paraphrase, row.system) for row in rows} == {
        tuple(text[1:]) for text in TEXTS
    }


def test_texts_that_nobody_judged_come_too():
    more = [99, "Nobody came to the party.", "The party had no guests.", "BART"]
    sheets = {**JOINED, "Texts": [HEAD, *TEXTS, more]}
    assert judgments(sheets) == WANTED
    assert seen(sheets, "items").ledger.originals == len({text[1] for text in TEXTS}) + 1


def without(rows, at):
    return [*rows[:at], *rows[at + 1 :]]


@pytest.mark.parametrize(
    "sheets",
    [
        {**JOINED, "Texts": without(JOINED["Texts"], 3)},  # A judgment of no text.
        {**JOINED, "Texts": [*JOINED["Texts"], [3, "Other.", "Another.", "T5"]]},  # Of two texts.
        {**JOINED, "Ratings": [*long_ratings(), [None, "Anna", 3, 4]]},
        {**JOINED, "More": long_ratings()},  # Which of them?
        dict(
            zip(("Round 1", "Round 2", "Round 3"), of_each(with_texts=True).values(), strict=True)
        ),
        dict(zip(("Pre", "Post", "Late"), of_each(with_texts=True).values(), strict=True)),
        {**of_each(with_texts=True), "Ben": without(of_each(with_texts=True)["Ben"], 4)},
    ],
)
def test_what_is_not_proven_is_asked(sheets):
    assert seen(sheets, "items").mapping.waits()


def test_cells_of_another_colour_are_seen_in_each_sheet():
    def marked(workbook, sheet):
        sheet.write(5, 4, 3, workbook.add_format({"font_strikeout": True}))

    for sheets in (of_each(with_texts=True), JOINED):
        looked = seen(sheets, "judgments", more=marked)
        assert any("struck out" in str(one) for one in looked.mapping.waits()) == (
            sheets is not JOINED
        )
