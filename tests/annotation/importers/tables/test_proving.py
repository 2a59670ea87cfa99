"""Tables whose roles are clear, and of which something else says that the values are others."""

import json
from io import BytesIO

import pytest

from annotation.importers.judgments import read_judgments
from annotation.importers.tables import MappedTable, inspect_book, open_book

RANGES = {"MEANING": (1, 5)}
UP = [*map(int, "12453524135241")]
TWO = [3, *UP[1:]]


def rows_of(*values, names=("R1", "R2"), above=(), below=()):
    table = [["Original", "Paraphrase", *names]]
    for at, points in enumerate(zip(*values, strict=True)):
        words = f"The committee put off meeting number {at} until Monday."
        table.append([words, words.replace("put off", "postponed"), *points])
    lines = [*([one] for one in above), *table, *([one] for one in below)]
    return "\n".join(";".join(map(str, line)) for line in lines).encode()


def looked_at(data, steps=None):
    book = open_book(BytesIO(data), "d.csv")
    return inspect_book(book, what="judgments", scales=list(RANGES), ranges=RANGES, steps=steps)


def asks(data):
    return looked_at(data).mapping.waits()


@pytest.mark.parametrize(
    "names", [("R1", "R2"), ("Meaning (Anna)", "Meaning (Ben)"), ("T. Sato", "L. Costa")]
)
@pytest.mark.parametrize("below", [(), ("1 = very bad, 5 = very good",), ("1 nichts, 5 perfekt",)])
def test_values_that_nothing_doubts_are_read(names, below):
    assert not asks(rows_of(UP, TWO, names=names, below=below))


@pytest.mark.parametrize(
    "names",
    [
        ("Meaning R1", "Meaning loss R1"),
        ("Unähnlichkeit A", "Unähnlichkeit B"),
        ("Bedeutungsunterschied A", "Bedeutungsunterschied B"),
        ("의미 훼손도 1", "의미 훼손도 2"),
        ("Meaning Anna old", "Meaning Anna new"),
        ("Note Anna", "Note Ben"),
        ("Meaning (1-4) R1", "Meaning (1-4) R2"),
        ("How sure are you about the meaning? (R1)", "How sure are you about the meaning? (R2)"),
        ("Meaning R1 (1/2/3)", "Meaning R2 (1/2/3)"),
        ("Anna", "ANNA"),
    ],
)
def test_a_name_that_is_not_understood_wholly_asks(names):
    assert asks(rows_of(UP, TWO, names=names))


@pytest.mark.parametrize(
    "text",
    [
        "1 = best, 5 = worst",
        "Skala: 1 sehr gut bis 5 mangelhaft",
        "Lower is better",
        "1 pour excellent et 5 pour mauvais",
        "1점: 매우 좋음",
        "1表示最好",
        "from very good (1) to very bad (5)",
        "1 = zim, 5 = zum",
        "1 = very bad, 4 = very good",
    ],
)
def test_a_legend_beside_the_table_asks_unless_it_agrees(text):
    assert asks(rows_of(UP, TWO, above=[text]))
    assert asks(rows_of(UP, TWO, below=[text]))


def test_values_whose_lowest_number_is_the_best_are_turned_round_by_a_repair():
    data = rows_of(UP, TWO, below=["1 = best, 5 = worst"])
    seen = looked_at(data)
    [offer] = [one for one in seen.offers_for(seen.mapping) if str(one.label).startswith("Turn")]
    turned = looked_at(data, steps=[offer.step])
    assert not turned.mapping.waits()
    read = MappedTable(BytesIO(data), "d.csv", turned.mapping)
    assert [row.value for row in read_judgments(read, name="d.csv").rows][::2] == [
        6 - n for n in UP
    ]


def test_a_note_about_an_annotator_asks_and_one_about_nothing_is_in_the_ledger():
    assert asks(rows_of(UP, TWO, below=["R2 used the scale the other way round"]))
    data = rows_of(UP, TWO, below=["Thank you"])
    assert not asks(data)
    seen = inspect_book(open_book(BytesIO(data), "d.csv"), what="judgments", scales=["MEANING"])
    assert "Thank you" in dict(seen.ledger.not_read)


def test_values_against_those_of_all_others_and_ranks_ask():
    names = ("R1", "R2", "R3")
    assert not asks(rows_of(UP, TWO, [2, *TWO[1:-1], 2], names=names))
    turned = asks(rows_of(UP, TWO, [6 - one for one in UP], names=names))
    assert any("fall where those of the others rise" in str(one) for one in turned)
    ranked = [[words, new, *("A1", n)] for words, new, n in ranks()]
    table = [["Original", "Paraphrase", "Annotator", "Rating"], *ranked]
    assert asks("\n".join(";".join(map(str, line)) for line in table).encode())


def ranks():
    for at in range(8):
        words = f"The committee put off meeting number {at} until Monday."
        for new, n in zip(("postponed", "delayed"), (1, 2) if at % 2 else (2, 1), strict=True):
            yield words, words.replace("put off", new), n


def test_points_that_are_called_a_sum_and_are_none_ask():
    total = [*map(int, "51145142512513")]
    both = [a + b for a, b in zip(UP, TWO, strict=True)]
    names = ("Ana", "Luis", "Total")
    assert not asks(rows_of(UP, TWO, both, names=names))
    assert asks(rows_of(UP, TWO, total, names=names))


def test_two_annotators_with_the_same_values_ask():
    assert asks(rows_of(UP, UP, names=("Meaning (Anna)", "Meaning (Ben)")))


def test_values_of_records_are_points_of_their_scale():
    """Ratings of 1 to 5, in a file whose shape says everything else, are none of 0 to 100."""
    texts = ("The lorry was late.", "He sold his bicycle.", "Snow fell all night.", "She left.")
    rated = [
        {
            "original": original,
            "outputs": [
                {
                    "system": system,
                    "text": text + original,
                    "ratings": [
                        {"annotator": who, "MEANING": 1 + (n + k) % 5}
                        for k, who in enumerate(("Ann", "Ben", "Cho"))
                    ],
                }
                for system, text in (("A", "So they say: "), ("B", "So be it. "))
            ],
        }
        for n, original in enumerate(texts)
    ]
    data = "\n".join(map(json.dumps, rated)).encode()
    for high, asks in ((5.0, False), (100.0, True)):
        ranges = {"MEANING": (1.0, high)}
        book = open_book(BytesIO(data), "rated.jsonl")
        seen = inspect_book(book, what="judgments", scales=list(ranges), ranges=ranges)
        assert any("points of this scale" in str(one) for one in seen.missing) == asks


@pytest.mark.parametrize(
    ("high", "above", "words"),
    [
        (5, [], ["no value of MEANING is above 4"]),
        (5, ["Scale: 1-5"], []),
        (100, [], ["the values go from 1 to 4"]),
        (4, [], []),
    ],
)
def test_values_beside_labels_use_their_scale(high, above, words):
    labelled = [
        [f"The vote on bill {at} was late.", f"They voted late on bill {at}.", who, "Meaning", one]
        for at, value in enumerate(UP)
        for who, one in (("Ann", min(4, value)), ("Ben", min(4, value + at % 2)))
    ]
    head = [[one] for one in above] + [["Original", "Paraphrase", "Annotator", "Scale", "Value"]]
    looked = inspect_book(
        open_book(BytesIO(lines([*head, *labelled])), "d.csv"),
        what="judgments",
        scales=["MEANING"],
        ranges={"MEANING": (1, high)},
    )
    assert [str(one).partition(",")[0] for one in looked.questions] == words


NAMES = ("Original", "Paraphrase", "Annotator", "Meaning")


def long_of(*extra, names):
    """A row for each judgment of three people, with more columns."""
    rows = [[*NAMES, *names]]
    for at, value in enumerate(UP):
        text = f"The committee put off meeting number {at} until Monday."
        for n, who in enumerate(("Anna", "Ben", "Kim")):
            point = min(5, max(1, value + (n == at % 3)))
            more = [column[at] for column in extra]
            rows.append([text, text.replace("put off", "postponed"), who, point, *more])
    return rows


def lines(rows):
    return "\n".join(";".join(map(str, row)) for row in rows).encode()


@pytest.mark.parametrize("name", ["mean", "total", "final", "majority"])
def test_what_is_called_computed_is_proven_by_arithmetic(name):
    """The mean of each text is left out in silence; what no arithmetic makes of the judgments is
    asked about, whatever it is called."""
    points = [
        [min(5, max(1, value + (n == at % 3))) for n in range(3)] for at, value in enumerate(UP)
    ]
    made = {"mean": lambda own: round(sum(own) / 3, 2), "total": sum, "final": max, "majority": min}
    right = [made[name](own) for own in points]
    assert not asks(lines(long_of(right, names=[name])))
    assert any("no arithmetic" in one for one in asks(lines(long_of(right[::-1], names=[name]))))


def test_parts_of_a_table_on_another_range_ask():
    rows = long_of(["first", "second"] * 7, names=["phase"])
    head, *below = rows
    long = [[*row[:3], row[3] * (20 if row[-1] == "second" else 1), row[-1]] for row in below]
    looked = inspect_book(
        open_book(BytesIO(lines([head, *long])), "d.csv"),
        what="judgments",
        scales=["MEANING"],
        ranges={"MEANING": (1, 100)},
    )
    words = "'first' in column 'phase' go from 1 to 5, others up to 100"
    assert any(words in str(one) for one in looked.questions)
    assert not asks(lines(rows))


def test_two_numbers_in_a_cell_are_no_word_and_can_be_cut():
    rows = rows_of(
        [f"{one}/{two}" for one, two in zip(UP, UP[::-1], strict=True)], names=("Rating",)
    )
    seen = looked_at(rows)
    assert any("several numbers in one, such as '1/1'" in one for one in seen.mapping.waits())
    step = next(one.step for one in seen.offers_for(seen.mapping) if one.step["step"] == "cut")
    again = looked_at(rows, steps=[step])
    names = [one.name for one in again.columns]
    assert names[-2:] == ["Rating 1", "Rating 2"]
    assert [one.examples for one in again.columns][-2:] == [("1", "2", "4"), ("1", "4", "2")]


def test_ranks_say_which_end_is_the_best_and_are_stored_so():
    rows = [["Original", "Paraphrase", "Annotator", "Meaning"]]
    for at in range(8):
        text = f"The committee put off meeting number {at} until Monday."
        for n, new in enumerate(("postponed", "delayed", "moved")):
            rank = (at * 2 + n * (1 + at % 2)) % 3 + 1
            rows += [[text, text.replace("put off", new), who, rank] for who in ("Anna", "Ben")]
    data = lines(rows)
    seen = looked_at(data)
    question = next(one for one in seen.questions if "are they ranks" in one)
    assert "the highest number is the best" in question
    no = seen.refusal_of(question)
    assert "The lowest number is the best" in no.label
    mapping = looked_at(data, steps=[no.step]).mapping.sure()
    read = read_judgments(MappedTable(BytesIO(data), "d.csv", mapping), name="d.csv").rows
    assert {one.value for one in read} == {3, 4, 5}
    first = next(one for one in read if one.value == 5)
    assert next(row[3] for row in rows if row[1] == first.target.paraphrase) == 1


@pytest.mark.parametrize("name", ["errors", "rank"])
def test_numbers_of_annotators_are_not_left_out_by_their_names_alone(name):
    rows = long_of(names=[])
    rows[0][3] = name
    assert asks(lines(rows))


def test_words_of_a_criterion_are_judgments_that_nobody_can_read():
    words = ["naja", "geht so", "brauchbar", "passt"]
    own = [words[value % 4] for value in UP]
    assert asks(rows_of(own, own[::-1], names=("Lesbarkeit Person 1", "Lesbarkeit Person 2")))
    bare = open_book(BytesIO(rows_of(own, own[::-1], names=("Anna", "Ben"))), "d.csv")
    assert any("same few words" in one for one in inspect_book(bare, what="items").questions)


def test_a_pair_that_is_called_alike_asks_which_text_is_the_systems():
    rows = [["sentence1", "sentence2", "system"]]
    for at in range(12):
        text = f"The committee put off meeting number {at} until Monday."
        rows.append([text, text.replace("put off", "postponed"), ("A1", "B2")[at % 2]])
    seen = inspect_book(open_book(BytesIO(lines(rows)), "d.csv"), what="items")
    assert any("called alike" in one for one in seen.mapping.waits())
