"""What a table as it is guessed leaves doubtful: looked for in its cells, whatever the names say.

A safety net below the rules that guess: each doubt is a question, and nothing is imported while it
stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from annotation.importers.tables.guessing.marked_rows import is_apart, is_no
from annotation.importers.tables.guessing.point_words import word_set
from annotation.importers.tables.guessing.state import ELSEWHERE, Columns
from annotation.importers.tables.mapping import IGNORE
from annotation.importers.tables.names import concepts, lexicon_plain_name, roles_named
from annotation.importers.tables.profiles import Profile, same_texts, shared_words
from annotation.importers.tables.word_values import Ranges, are_values, bounds
from paraanno.common.cells import read_number
from paraanno.common.texts import Sentence, say, shown

WHOLE = ("sentence", "paraphrase", "output_of", "reference")
NEW = ("paraphrase", "output_of", "reference")
VALUES = ("value", "value_of", "voice_of")
LEAST = 5  # texts or values, below which nothing is compared
FOREIGN = 0.03  # mean share of words that a text has of its original, in another language
OPENING = 3  # words
LONG = 2.0  # times the length of the originals
MOSTLY = 0.8  # share of the texts that begin alike, if that is no part of them
CLASSES = ("label", "labels", "class", "classes")  # as data sets number them from 0 on
MANY = 40  # values among which the lowest point of a scale is expected
_ASIDE = (IGNORE, "attr", "status", "role", "kind", "comment", "reason")
_NO_TEXT = word_set(
    "n/a; na; n.a.; nan; null; none; -; –; —; error; failed; empty; todo; tbd; ditto; id.; ibid.; "
    "s.o.; s. o.; siehe oben; same; same as above; see above; fehler; leer; keine; k.a.; idem; "
    "voir ci-dessus; erreur; vacío; ninguno; ninguna; véase arriba; 없음; 해당 없음; 위와 같음; "
    "오류; 无; 空; 同上; 错误"
)
_PARTS = word_set("train; training; test; testing; dev; valid; validation; eval")  # of data sets
_ACCEPTED = re.compile(r"accept|approv", re.IGNORECASE)
_OF_OTHERS = frozenset({"mean", "median", "sum", "majority"})
# What the rows of a text may differ in besides its system.
_NO_SYSTEM = frozenset(
    {
        "id",
        "rank",
        "annotator",
        "scale",
        "date",
        "duration",
        "length",
        "metric",
        "person",
        "confidence",
    }
)
# "Please choose 4": a check that somebody reads.
_INSTRUCTION = re.compile(
    r"\battention check\b|\b(please|bitte|veuillez|por favor)\b.{0,40}"
    r"\b(select|choose|click|pick|mark|w[aä]hlen|ankreuzen|klicken|choisir|s[eé]lectionner|cocher|"
    r"seleccione|elija|marque)\b|(선택|클릭)(하세요|해 주세요|하십시오)|请(选择|点击|选)",
    re.IGNORECASE,
)
# What a tokenizer leaves, and letters that were decoded by the wrong encoding.
_PIECES = re.compile(r"@@( |$)|▁|</s>|<pad>|\[(?:CLS|SEP|PAD)\]|<\|[a-z_]+\|>")
_DECODED = re.compile("Ã[\u0080-\u00bf¼¤¶Ÿ©¨±³¡\xad]|â€|ì[\u0080-\u00bf]|\ufffd")


def doubts(columns: Columns, *, what: str, ranges: Ranges) -> Iterator[Sentence]:
    """Yield what the columns, as they are guessed, leave doubtful."""
    yield from _rows_apart(columns)
    if what == "items":
        yield from _texts(columns)
        yield from _foreign(columns)
        yield from _untold_systems(columns)
        yield from _kept_texts(columns)
        yield from _long_texts(columns)
    elif what == "judgments":
        yield from _values(columns, ranges)
        yield from _as_many_people(columns)
        yield from _no_people(columns)
        yield from _reversed(columns)


def _rows_apart(columns: Columns) -> Iterator[Sentence]:
    """Ask where a column, or a text, says that rows are checks, practice, or left out."""
    judged = [one for one in columns.guesses if one.role in VALUES or one.reason == ELSEWHERE[0]]
    for at, guess in enumerate(columns.guesses):
        one = columns.profiles[at]
        words = {*one.words}
        if guess.role in _ASIDE and words and guess.reason != ELSEWHERE[0]:
            several = len(words) > 1 or (one.filled < 1 and not all(map(is_no, words)))
            named = "apart" in columns.about(at) and several and one.length < 40
            # The judgments ask whether these are some themselves.
            parts = {word.casefold() for word in words} <= _PARTS
            named = named and not (_ACCEPTED.search(columns.names[at]) and len(judged) < 2)
            if named or (len(words) > 1 and any(map(is_apart, words)) and not parts):
                yield say(
                    "column %(column)s may mark rows that are checks, practice or left out: are "
                    "all rows to be read?",
                    column=columns.shown(at),
                )
        elif guess.role in WHOLE:
            instruction = next((text for text in one.words if _INSTRUCTION.search(text)), None)
            if instruction:
                yield say("%(text)s: is this a text, or a check?", text=shown(instruction))


def _texts(columns: Columns) -> Iterator[Sentence]:
    """Ask about cells of texts that are none, or have something around them."""
    phrase = any(one.role == "phrase" for one in columns.guesses)
    for at, guess in enumerate(columns.guesses):
        if guess.role not in WHOLE:
            continue
        one, name = columns.profiles[at], columns.shown(at)
        words = one.words
        usual = median(map(len, words)) if words else 0.0
        odd = [text for text in words if _is_odd(text, usual, len(words), of_phrase=phrase)]
        if odd:
            yield say(
                "column %(column)s holds %(text)s among its texts: is it one?",
                column=name,
                text=shown(odd[0]),
            )
        if sum(map(bool, map(_PIECES.search, one.words))) * 10 > len(one.words):
            yield say(
                "the texts of column %(column)s are in pieces, or have marks of a model "
                "in them: are they texts?",
                column=name,
            )
        if sum(map(bool, map(_DECODED.search, one.words))) * 20 > len(one.words):
            yield say(
                "letters of column %(column)s look wrongly decoded: is the encoding right?",
                column=name,
            )
    yield from _openings(columns)


def _openings(columns: Columns) -> Iterator[Sentence]:
    """Ask about what the texts of a column begin with, unless all columns have such beginnings:
    sentences that were made by a pattern."""
    places = [at for at, guess in enumerate(columns.guesses) if guess.role in WHOLE]
    first = {columns.guesses[at].role: columns.profiles[at] for at in reversed(places)}
    openings = {}
    for at in places:
        new = columns.guesses[at].role in NEW
        others = first.get("sentence") if new else first.get("paraphrase")
        openings[at] = _opening(columns.profiles[at], others)
    if all(opening and opening[-1] not in ":：" for opening in openings.values()):
        return
    for at, opening in openings.items():
        if opening:
            yield say(
                "the texts of column %(column)s begin with %(text)s: is it a part of them?",
                column=columns.shown(at),
                text=shown(opening),
            )


def _is_odd(text: str, usual: float, n: int, *, of_phrase: bool) -> bool:
    """Whether a cell among `n` texts is a number, says that there is no text, or is far shorter
    than is `usual`."""
    if of_phrase and text.isalpha() and len(text) > 4:
        return False  # What replaces a phrase may be any word.
    if text.casefold() in _NO_TEXT or (text.startswith("#") and text.isupper()):
        return n > 1
    if read_number(text, ".") is not None:
        return not of_phrase
    wide = text[0] > "\u2e80"
    if of_phrase or n < LEAST or usual < (8 if wide else 20):
        return False
    return len(text) * 4 < usual and " " not in text


def _opening(one: Profile, others: Profile | None) -> str:
    """Return what most texts begin with, where those beside them do not; "" for nothing."""
    texts = [text.split() for text in one.words if " " in text]
    if len(texts) < LEAST:
        return ""
    beside = [text.split() for text in others.words] if others is not None else []
    for size in (OPENING, 1):
        [(words, n)] = Counter(tuple(text[:size]) for text in texts).most_common(1)
        if size == 1 and words[0][-1] not in ":：":
            continue
        there = sum(tuple(text[:size]) == words for text in beside)
        if n >= MOSTLY * len(texts) and there * 2 < n:
            return " ".join(words)
    return ""


def _foreign(columns: Columns) -> Iterator[Sentence]:
    """Ask about texts that hardly share a word with their originals: of another language?"""
    places = {one.role: at for at, one in enumerate(columns.guesses)}
    if "sentence" not in places or "phrase" in places:
        return
    original = columns.profiles[places["sentence"]]
    for at, guess in enumerate(columns.guesses):
        one = columns.profiles[at]
        if guess.role not in NEW or one.distinct < LEAST or guess.ask:
            continue
        if shared_words(one, original) < FOREIGN:
            yield say(
                "the texts of column %(column)s hardly share a word with the originals: are they "
                "of the same language?",
                column=columns.shown(at),
            )


def _untold_systems(columns: Columns) -> Iterator[Sentence]:
    """Ask where a column that is not read tells the texts of an original apart, as the names of
    systems or their settings do."""
    places = {one.role: at for at, one in enumerate(columns.guesses)}
    needed = {"sentence", "paraphrase"} <= places.keys()
    if {"rank", "output_of"} & places.keys() or not needed:
        return
    original, new = (columns.profiles[places[one]] for one in ("sentence", "paraphrase"))
    if same_texts(original, new):
        return  # One text of each original.
    originals, news = original.texts, new.texts
    if "system" in places:  # What tells several texts of one system apart?
        systems = columns.profiles[places["system"]].texts
        originals = tuple(map("\n".join, zip(originals, systems, strict=True)))
    for at, guess in enumerate(columns.guesses):
        one = columns.profiles[at]
        no_system = roles_named(columns.names[at])[:1] == ("occasion",)
        no_system = no_system or bool(columns.about(at) & _NO_SYSTEM)
        if guess.role not in _ASIDE or guess.ask or no_system or not one.repeats:
            continue
        if guess.reason == ELSEWHERE[0] and one.is_text and are_values(one.words):
            continue  # yes and no: verdicts
        if one.distinct > 1 and _tells_apart(one.texts, originals, news):
            yield say(
                "column %(column)s tells the texts of each original apart: does it name systems?",
                column=columns.shown(at),
            )


def _kept_texts(columns: Columns) -> Iterator[Sentence]:
    """Ask about sentences that are kept as attributes, though their name says that they are
    originals, paraphrases or references."""
    for at, guess in enumerate(columns.guesses):
        one = columns.profiles[at]
        role = columns.text_role(at)[:1]
        texts = one.is_text and not one.is_label
        if guess.role == "attr" and texts and role in (("reference",), ("paraphrase",)):
            yield say("column %(column)s holds texts: which?", column=columns.shown(at))


def _long_texts(columns: Columns) -> Iterator[Sentence]:
    """Ask about texts that are much longer than their originals: several in a cell?"""
    places = {one.role: at for at, one in enumerate(columns.guesses)}
    if "sentence" not in places or "phrase" in places:
        return
    usual = columns.profiles[places["sentence"]].length
    for at, guess in enumerate(columns.guesses):
        one = columns.profiles[at]
        if guess.role in NEW and one.n >= LEAST and one.length > LONG * usual:
            yield say(
                "the texts of column %(column)s are much longer than the originals: does a cell "
                "hold several?",
                column=columns.shown(at),
            )


def _tells_apart(labels: Sequence[str], originals: Sequence[str], news: Sequence[str]) -> bool:
    """Whether each original has the same labels, one for each of its texts."""
    each: dict[str, set[tuple[str, str]]] = {}
    for label, original, new in zip(labels, originals, news, strict=True):
        each.setdefault(original, set()).add((label, new))
    sets = [sorted(label for label, _ in pairs) for pairs in each.values()]
    if any(len({new for _, new in pairs}) < len(pairs) for pairs in each.values()):
        return False  # The same text under several labels: these are of its judgments.
    return len(sets) > 1 and all(len(set(one)) == len(one) > 1 and one == sets[0] for one in sets)


def _values(columns: Columns, ranges: Ranges) -> Iterator[Sentence]:
    """Ask where values hardly use their scale, never its lowest point, or lie between points."""
    used: dict[str, list[float]] = {}
    for at, guess in enumerate(columns.guesses):
        if guess.role not in VALUES or guess.ask:
            continue
        scale = guess.of if guess.role == "value_of" else guess.scale
        values = [one for one in columns.profiles[at].values if one is not None]
        used.setdefault(scale, []).extend(values)
        if values and lexicon_plain_name(columns.names[at]) in CLASSES:
            yield say(
                "the numbers of column %(column)s may be those of classes: are they points?",
                column=columns.shown(at),
            )
        low, high = bounds(columns, ranges, scale)
        high = max(values, default=0.0) if high is None else high
        between = next((one for one in values if one * 2 % 1), None)
        if at in columns.rescaled:
            continue
        if between is not None and 2 <= high - (low or 0.0) <= 20:
            yield say(
                "column %(column)s has values between points, such as %(value)s: are they means?",
                column=columns.shown(at),
                value=f"{between:g}",
            )
    for scale, values in used.items():
        low, high = bounds(columns, ranges, scale)
        if low is not None and high is not None:
            yield from of_another_scale(values, low, high)


def of_another_scale(values: Sequence[float], low: float, high: float) -> Iterator[Sentence]:
    """Ask whether values that use little of a scale are points of it."""
    if len(set(values)) < 2:
        return
    least, most = min(values), max(values)
    narrow = len(values) >= LEAST and low <= least and (most - low) * 4 <= high - low
    above = len(values) >= MANY and low == 0 and least == 1 and most == high
    if narrow or above:
        yield say(
            "the values go from %(least)s to %(most)s, the scale from %(low)s to %(high)s: are "
            "they points of this scale?",
            least=f"{least:g}",
            most=f"{most:g}",
            low=f"{low:g}",
            high=f"{high:g}",
        )


def _no_people(columns: Columns) -> Iterator[Sentence]:
    """Ask about annotators whose names say that their values are made of those of others."""
    for at, guess in enumerate(columns.guesses):
        words = columns.profiles[at].words if guess.role == "annotator" else []
        for word in [guess.of] if guess.role == "voice_of" else words:
            plain = lexicon_plain_name(word)
            if plain.partition(" ")[0] == "gold" or (
                concepts(word) & _OF_OTHERS and plain not in ("max", "min")
            ):
                yield say(
                    "%(name)s is among the annotators: are its values those of a person?",
                    name=shown(word),
                )
                break


def _reversed(columns: Columns) -> Iterator[Sentence]:
    """Ask where a name says that the numbers are of something else than the scale."""
    for at, guess in enumerate(columns.guesses):
        if guess.role not in VALUES or guess.ask:
            continue
        scale = guess.of if guess.role == "value_of" else guess.scale
        if "otherwise" in columns.about(at) and "otherwise" not in concepts(scale):
            yield say(
                "column %(column)s may hold something else than points of the scale: is it right?",
                column=columns.shown(at),
            )


def _as_many_people(columns: Columns) -> Iterator[Sentence]:
    """Ask where each row names an annotator of its own."""
    for at, guess in enumerate(columns.guesses):
        one = columns.profiles[at]
        if guess.role == "annotator" and not guess.ask and one.distinct == one.n > LEAST:
            yield say(
                "each row of column %(column)s names another annotator: is that right?",
                column=columns.shown(at),
            )
