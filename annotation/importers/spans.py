"""The span of a record's phrase in its sentence."""

from __future__ import annotations

from typing import NamedTuple

from paraanno.plain.cells import Cells
from paraanno.plain.problems import shown
from paraanno.plain.sentence import say
from paraanno.plain.texts import find_spans, nfc_offset

Identity = tuple[str, str, int, int]


class Place(NamedTuple):
    """The values that identify an item. `sentence[start:end] == phrase`, in code points of the
    NFC text.
    """

    phrase: str
    sentence: str
    start: int
    end: int


class OwnPlace(NamedTuple):
    """A sentence of the substitution's own, with the span that the text replaces."""

    sentence: str
    start: int
    end: int


def read_place(cells: Cells) -> Place | None:
    """Return the place given by `phrase`, `sentence`, `start` and `end`; None if they are
    invalid.

    Without phrase and span, the place is the full sentence. A phrase without a sentence is the
    sentence. `start` is needed if the phrase occurs more than once; `end` is optional with a
    phrase.
    """
    phrase, sentence = cells.text("phrase"), cells.text("sentence")
    start, end = cells.integer("start"), cells.integer("end")
    if cells.failed:
        return None
    if sentence is None:
        if phrase is None:
            cells.fail("sentence", say("there is neither a sentence nor a phrase: give one"))
            return None
        if start is None and end is None:
            return Place(phrase, phrase, 0, len(phrase))
        sentence = phrase
    column = "sentence" if "sentence" in cells.values else "phrase"
    if start is None and end is None:
        if phrase is None:
            return Place(sentence, sentence, 0, len(sentence))
        return _find(cells, phrase, sentence)
    return _check(cells, phrase, sentence, _span(cells, column, phrase, start, end))


def _find(cells: Cells, phrase: str, sentence: str) -> Place | None:
    if phrase == sentence:
        return Place(phrase, sentence, 0, len(sentence))
    at = sentence.find(phrase)
    if at >= 0 and sentence.find(phrase, at + 1) < 0:
        return Place(phrase, sentence, at, at + len(phrase))
    if at < 0:
        other = sentence.lower().find(phrase.lower()) >= 0
        where = say("only in different case") if other else say("nowhere")
        cells.fail(
            "phrase",
            say(
                "%(phrase)s occurs %(where)s in the sentence: correct one of the two",
                phrase=shown(phrase),
                where=where,
            ),
        )
        return None
    spans = find_spans(phrase, sentence)
    listed = ", ".join(f"{start}-{end}" for start, end in spans[:5])
    more = ", ..." if len(spans) > 5 else ""
    n = len(spans)
    often = say("%(n)s times", n=n) if n < 100 else say("%(n)s times or more", n=100)
    cells.fail(
        "start",
        say(
            "%(phrase)s occurs %(often)s in the sentence (%(listed)s%(more)s): give start and end "
            "of the one that is meant",
            phrase=shown(phrase),
            often=often,
            listed=listed,
            more=more,
        ),
    )
    return None


def _span(
    cells: Cells, column: str, phrase: str | None, start: int | None, end: int | None
) -> tuple[int, int] | None:
    """Return the given span, converted to the NFC text of `column`."""
    text = cells.values.get(column)
    if not isinstance(text, str):
        return None
    if start is None:
        cells.fail("start", say("is empty although end is given: give both or none"))
        return None
    first = _moved(cells, "start", text, start)
    if end is None:
        if phrase is None:
            cells.fail("end", say("is empty although start is given: give both or none"))
            return None
        return None if first is None else (first, first + len(phrase))
    last = _moved(cells, "end", text, end)
    if first is None or last is None:
        return None
    if first >= last:
        cells.fail(
            "end",
            say(
                "the span %(start)s-%(end)s is empty: end must be greater than start",
                start=start,
                end=end,
            ),
        )
        return None
    return first, last


def _moved(cells: Cells, column: str, text: str, offset: int) -> int | None:
    if offset > len(text):
        cells.fail(
            column,
            say(
                "%(offset)s lies beyond the text, which has %(n)s characters (from 0): correct "
                "it, or leave it out where the phrase occurs once",
                offset=offset,
                n=len(text),
            ),
        )
        return None
    moved = nfc_offset(text, offset)
    if moved is None:
        cells.fail(
            column,
            say(
                "%(offset)s lies inside a composed character: move it before or after",
                offset=offset,
            ),
        )
    return moved


def _check(
    cells: Cells, phrase: str | None, sentence: str, span: tuple[int, int] | None
) -> Place | None:
    if span is None:
        return None
    start, end = span
    there = sentence[start:end]
    if phrase is not None and there != phrase:
        spans = find_spans(phrase, sentence, 5)
        listed = ", ".join(f"{first}-{last}" for first, last in spans)
        where = say("it does not occur in the sentence")
        if listed:
            where = say("it occurs at %(listed)s", listed=listed)
        cells.fail(
            "start",
            say(
                "the sentence has %(there)s at %(start)s-%(end)s, the phrase is %(phrase)s "
                "(%(where)s; counted in characters from 0, end excluded): correct start and end",
                there=shown(there),
                start=start,
                end=end,
                phrase=shown(phrase),
                where=where,
            ),
        )
        return None
    return Place(there, sentence, start, end)


def read_own_place(cells: Cells, paraphrase: str | None) -> OwnPlace | None:
    """Return the optional own sentence of a substitution: `own_sentence`, `own_start`,
    `own_end`.

    Without a span, the paraphrase must occur in it exactly once.
    """
    sentence = cells.text("own_sentence")
    start, end = cells.integer("own_start"), cells.integer("own_end")
    if cells.failed or (sentence is None and start is None and end is None):
        return None
    if sentence is None or paraphrase is None:
        cells.fail(
            "own_sentence",
            say(
                "own_sentence, own_start, own_end need a text and a paraphrase: give both, or "
                "empty them"
            ),
        )
        return None
    raw = cells.values["own_sentence"]
    if start is None and end is None:
        spans = find_spans(paraphrase, sentence, 2)
        if len(spans) == 1:
            return OwnPlace(sentence, *spans[0])
        cells.fail(
            "own_start",
            say("the paraphrase does not occur exactly once in own_sentence: give the span"),
        )
        return None
    if start is None or end is None or not isinstance(raw, str):
        cells.fail(
            "own_start",
            say("one end of the span is missing: give both own_start and own_end, or none"),
        )
        return None
    first, last = _moved(cells, "own_start", raw, start), _moved(cells, "own_end", raw, end)
    if first is None or last is None:
        return None
    if first >= last:
        cells.fail("own_end", say("the span is empty: own_end must be greater than own_start"))
        return None
    return OwnPlace(sentence, first, last)
