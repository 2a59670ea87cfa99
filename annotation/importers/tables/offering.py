"""Repairs that a person may choose for a table, each with what it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from annotation.importers.tables.books import is_empty, letters, place_of
from annotation.importers.tables.guessing.state import Guess
from annotation.importers.tables.looking import Seen
from annotation.importers.tables.mapping import IGNORE
from annotation.importers.tables.steps import Table
from annotation.importers.tables.suggesting import LOOKED_AT, Step, cells_by_column, unpivoting
from annotation.importers.tables.word_values import (
    MARKS,
    TWO_NUMBERS,
    Ranges,
    has_entity,
    needs_space,
    parts_of,
)
from paraanno.common.cells import read_number
from paraanno.common.texts import Sentence, say, shown

VALUES = 11  # different ones that points of a scale may have, whatever the number of rows
OFTEN = 0.3  # share of the cells from which on a mark or sign is offered
MOST = 12
SIGNS = ("\n", "|", ";", " / ", "/")
# The ranges of values that people mostly use, the likelier first.
USUAL = (
    (0, 100),
    (1, 100),
    (0, 10),
    (1, 10),
    (0, 1),
    (1, 7),
    (0, 5),
    (1, 5),
    (0, 4),
    (1, 4),
    (0, 3),
    (1, 3),
    (0, 2),
    (0, 6),
    (1, 6),
    (1, 9),
    (-1, 1),
    (-2, 2),
    (-3, 3),
)
TEXTS = ("sentence", "phrase", "paraphrase", "output_of", "reference")


@dataclass(frozen=True, slots=True)
class Offer:
    """A repair: its name in the form (`key`), what the button says, and the step."""

    key: str
    label: Sentence
    step: Step


def offers(
    table: Table, guesses: Mapping[int, Guess], ranges: Ranges, *, asks: bool = False
) -> list[Offer]:
    """Return the repairs that change something in the table, the likelier first; `ranges` are the
    lowest and highest points of scales. `asks`: what the values say is open, so that turning them
    round is one."""
    cells = cells_by_column(table)
    texts = [at for at, column in enumerate(cells) if _is_text(column)]
    repairs = [
        *_rescaled(table, guesses, ranges),
        *(_turned(table, guesses, ranges) if asks else ()),
        *_reversed(table, guesses),
        *_of_cells(table, texts, cells),
        *_cut(table, cells),
        *_below(table, guesses),
        *_joined(table, texts, cells),
    ]
    return [Offer(str(at), label, step) for at, (label, step) in enumerate(repairs[:MOST])]


def _name(table: Table, at: int) -> str:
    return table.names[at] or letters(at)


def _is_text(cells: Sequence[str]) -> bool:
    return len(cells) > 1 and sum(map(len, cells)) >= 4 * len(cells)


def _reversed(table: Table, guesses: Mapping[int, Guess]) -> Iterator[tuple[Sentence, Step]]:
    roles = {guess.role: at for at, guess in guesses.items()}
    if {"sentence", "paraphrase"} <= roles.keys():
        one, two = roles["sentence"], roles["paraphrase"]
        yield (
            say("Exchange %(one)s and %(two)s", one=_name(table, one), two=_name(table, two)),
            {"step": "reverse", "columns": [letters(one), letters(two)]},
        )


def _of_cells(
    table: Table, texts: Sequence[int], by_column: Sequence[Sequence[str]]
) -> Iterator[tuple[Sentence, Step]]:
    for at in texts:
        cells, name = by_column[at], _name(table, at)
        for key, mark in MARKS.items():
            if sum(mark.search(cell) is not None for cell in cells) >= OFTEN * len(cells):
                yield (
                    say("Take the phrase marked by %(mark)s out of %(name)s", mark=key, name=name),
                    {"step": "marked", "columns": [letters(at)], "mark": key},
                )
                break
        for sign in SIGNS:
            several = sum(len(parts_of(cell, sign)) > 1 for cell in cells)
            if several >= OFTEN * len(cells):
                spoken = say("line ends") if sign == "\n" else sign
                yield (
                    say("Split %(name)s at %(sign)s, a row for each", name=name, sign=spoken),
                    {"step": "split", "columns": [letters(at)], "sign": sign},
                )
                break
    coded = [at for at in texts if any(map(has_entity, by_column[at]))]
    if coded:
        yield (
            say(
                "Decode signs such as &amp; in %(name)s",
                name=", ".join(_name(table, at) for at in coded),
            ),
            {"step": "entities", "columns": [letters(at) for at in coded]},
        )


def _cut(table: Table, by_column: Sequence[Sequence[str]]) -> Iterator[tuple[Sentence, Step]]:
    """Offer to give each of two numbers in one cell a column of its own."""
    for at, cells in enumerate(by_column):
        signs = [match[1] for cell in cells if (match := TWO_NUMBERS.fullmatch(cell))]
        if signs and len(set(signs)) == 1:
            name = _name(table, at)
            label = say("Cut %(name)s at %(sign)s into two columns", name=name, sign=signs[0])
            yield label, {"step": "cut", "columns": [letters(at)], "sign": signs[0]}


def _joined(
    table: Table, texts: Sequence[int], by_column: Sequence[Sequence[str]]
) -> Iterator[tuple[Sentence, Step]]:
    """Offer to join three columns of texts that stand beside each other, of which no row is empty
    in the middle."""
    for left, key, right in combinations(texts, 3):
        if (key, right) == (left + 1, left + 2):
            parts = [text for at in (left, key, right) for text in by_column[at]]
            yield (
                say(
                    "Join %(left)s, %(key)s and %(right)s to a sentence",
                    left=_name(table, left),
                    key=_name(table, key),
                    right=_name(table, right),
                ),
                {
                    "step": "join",
                    "columns": [letters(left), letters(key), letters(right)],
                    "space": needs_space(parts),
                },
            )


def _places_by_scale(guesses: Mapping[int, Guess]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for at, guess in guesses.items():
        if guess.role in ("value", "value_of", "voice_of"):
            places.setdefault(guess.of if guess.role == "value_of" else guess.scale, []).append(at)
    return places


def _turned(
    table: Table, guesses: Mapping[int, Guess], ranges: Ranges
) -> Iterator[tuple[Sentence, Step]]:
    """Offer to turn values round whose lowest number is the best."""
    for scale, places in _places_by_scale(guesses).items():
        low, high = ranges.get(scale, (0.0, 0.0))
        left = [at for at in places if at not in table.rescaled]
        if low < high and left:
            step: Step = {"step": "rescale", "columns": [letters(at) for at in left]}
            yield (
                say(
                    "Turn the values of %(columns)s round: %(low)s becomes %(high)s",
                    columns=", ".join(_name(table, at) for at in left),
                    low=f"{low:g}",
                    high=f"{high:g}",
                ),
                step | {"from": [low, high], "to": [high, low]},
            )


def _rescaled(
    table: Table, guesses: Mapping[int, Guess], ranges: Ranges
) -> Iterator[tuple[Sentence, Step]]:
    """Offer to read values beyond their scale to its range."""
    for scale, places in _places_by_scale(guesses).items():
        values = [number for at in places for number in _numbers(table, at)]
        least, most = ranges.get(scale, (0.0, 0.0))
        if least == most or not values or (min(values) >= least and max(values) <= most):
            continue
        for low, high in _ranges_of(min(values), max(values)):
            step: Step = {"step": "rescale", "columns": [letters(at) for at in places]}
            step |= {"from": [low, high], "to": [least, most]}
            yield (
                say(
                    "Read values from %(low)s to %(high)s as points from %(least)s to %(most)s",
                    low=f"{low:g}",
                    high=f"{high:g}",
                    least=f"{least:g}",
                    most=f"{most:g}",
                ),
                step,
            )


def _ranges_of(least: float, most: float) -> list[tuple[float, float]]:
    """Return the usual ranges that values may be of, else that from the lowest to the highest."""
    usual = [
        (float(low), float(high))
        for low, high in USUAL
        if low <= least and most <= high and (most - low) * 2 >= high - low
    ]
    return usual[:2] or ([(least, most)] if least < most else [])


def _numbers(table: Table, at: int) -> list[float]:
    cells = (cells[at] for _, cells in islice(table.rows(), LOOKED_AT) if at < len(cells))
    numbers = (
        read_number(cell.strip(), "," if "," in cell else ".") if isinstance(cell, str) else cell
        for cell in cells
        if not isinstance(cell, bool)
    )
    return [float(one) for one in numbers if isinstance(one, int | float)]


def _below(table: Table, guesses: Mapping[int, Guess]) -> Iterator[tuple[Sentence, Step]]:
    """Offer to put the texts of systems below each other, with the values of each."""
    yield from _below_with_values(table, guesses)
    outputs = {
        guess.of: [letters(at)] for at, guess in guesses.items() if guess.role == "output_of"
    }
    if len(outputs) > 1:
        yield (
            say("Put the texts of %(n)s systems below each other", n=len(outputs)),
            {"step": "unpivot", "label": "system", "into": ["paraphrase"], "groups": outputs},
        )


def _below_with_values(
    table: Table, guesses: Mapping[int, Guess]
) -> Iterator[tuple[Sentence, Step]]:
    """Offer each way in which values may belong to the texts beside them: by names and places, all
    of the first text before those of the second, or in turn."""
    outputs = sorted(at for at, guess in guesses.items() if guess.role == "output_of")
    values = [
        at
        for at, guess in sorted(guesses.items())
        if guess.role in (IGNORE, "attr", "value_of", "voice_of") and _is_values(table, at)
    ]
    if len(outputs) < 2 or not values or len(values) % len(outputs):
        return
    each = len(values) // len(outputs)
    ways: list[dict[str, list[str]]] = []
    if (step := unpivoting(table, outputs, values)) is not None:
        ways.append(step["groups"])
        into = step["into"]
    else:
        # Numbered questions: nothing says that they are those of people.
        into = ["paraphrase", *(f"question {n}" for n in range(1, each + 1))]
    for own in (
        [values[n * each : (n + 1) * each] for n in range(len(outputs))],
        [values[n :: len(outputs)] for n in range(len(outputs))],
    ):
        names = [guesses[at].of or _name(table, at) for at in outputs]
        ways.append(
            {
                name: [letters(at), *map(letters, places)]
                for name, at, places in zip(names, outputs, own, strict=True)
            }
        )
    for groups in {str(sorted(way.values())): way for way in reversed(ways)}.values():
        pairs = "; ".join(f"{name}: {', '.join(places[1:])}" for name, places in groups.items())
        yield (
            say("Put texts and their values below each other (%(pairs)s)", pairs=pairs),
            {"step": "unpivot", "label": "system", "into": into, "groups": groups},
        )


def _is_values(table: Table, at: int) -> bool:
    """Whether a column mostly holds few different numbers."""
    numbers = _numbers(table, at)
    filled = sum(not is_empty(cells[at]) for _, cells in table.rows() if at < len(cells))
    return len(numbers) * 2 > filled and len(set(numbers)) <= max(VALUES, len(numbers) // 2)


# The other answer to a question: what it is about is left out.


@dataclass(frozen=True, slots=True)
class Refusal:
    """What is left out where a question is answered with no: a column by its letters, or rows by a
    step. `below`: the column is left out already, and what it is can be chosen."""

    label: Sentence
    column: str = ""
    step: Step | None = None
    below: bool = False


def is_about_direction(question: Sentence) -> bool:
    """Whether a question asks which end of the values is the best."""
    return "the best" in question.template or "way round" in question.template


def _turning(question: Sentence, columns: Sequence[Seen], offered: Sequence[Offer]) -> Step | None:
    """Return the step that turns the values round that a question is about: of one annotator
    alone, if it asks whether these are the other way round."""
    for one in offered:
        step = one.step
        if step["step"] != "rescale" or step["to"] != step["from"][::-1]:
            continue
        if "way round" not in question.template:
            return step
        about = str(question.values.get("name"))
        own = [each.column for each in columns if about in (each.guess.of, shown(each.guess.of))]
        if len(own) == 1 and own[0] in step["columns"]:
            return {**step, "columns": own}
    return None


def refusal(
    question: Sentence,
    columns: Sequence[Seen],
    table: Table | None,
    offered: Sequence[Offer] = (),
) -> Refusal | None:
    """Return what can be done with a table instead of reading it as it stands: its values turned
    round by an offered repair, or the column, the row, or the rows of the annotator or system left
    out that a question is about; None for none of these."""
    turned = _turning(question, columns, offered)
    if turned is not None:
        whose = [one.name or one.column for one in columns if one.column in turned["columns"]]
        (low, high), text = turned["from"], ", ".join(whose)
        label = say(
            "The lowest number is the best: read %(columns)s turned round, %(low)s as %(high)s",
            columns=text,
            low=f"{low:g}",
            high=f"{high:g}",
        )
        return Refusal(label, step=turned)
    number = question.values.get("n")
    if "row %(n)s" in question.template and isinstance(number, int):
        label = say("No: leave row %(n)s out", n=number)
        return Refusal(label, step={"step": "drop", "rows": [number]})
    about = {str(question.values.get(key)) for key in ("column", "columns", "name", "two")}
    for one in sorted(columns, key=lambda one: one.guess.role == IGNORE):
        names = {one.name or one.column, one.guess.of} - {""}
        if about & {*names, *map(shown, names)}:
            return _of_column(one)
    for one in columns if table is not None else ():
        if one.guess.role in ("annotator", "system"):
            word = next((word for word in _words(table, one) if shown(word) in about), None)
            if word is not None:
                label = say("No: leave out the rows of %(name)s", name=word)
                return Refusal(label, step={"step": "drop", "column": one.column, "word": word})
    return None


def _of_column(one: Seen) -> Refusal:
    name = one.name or one.column
    if one.guess.role == IGNORE:
        return Refusal(
            say("No: say what column %(column)s is", column=name), one.column, None, True
        )
    return Refusal(say("No: leave column %(column)s out", column=name), one.column)


def _words(table: Table | None, one: Seen) -> list[str]:
    at = place_of(one.column) or 0
    rows = table.rows() if table is not None else ()
    return list(dict.fromkeys(str(cells[at]).strip() for _, cells in rows if at < len(cells)))
