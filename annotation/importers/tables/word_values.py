"""Words that stand for points of a scale: "very bad ... very good", "yes" and "no"."""

from __future__ import annotations

import ast
import html
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.importers.tables.books import Cell, is_empty
from annotation.importers.tables.guessing.point_words import (
    DEGREES,
    NO,
    YES,
    highest_in,
    label_in,
    levels,
    levels_of_classes,
    number_in,
    plain_word,
    says_nothing,
    word_set,
)
from annotation.importers.tables.guessing.state import Columns
from annotation.importers.tables.guessing.value_names import parts
from annotation.importers.tables.names import concepts, roles_named
from annotation.importers.tables.profiles import Profile
from paraanno.common.texts import Sentence, say

MOST_WORDS = 12  # different ones in a column of values


def are_values(words: Sequence[str]) -> bool:
    """Whether all words are degrees, answers or numbers with a label: values of a scale."""
    meaningful = [
        word for word in words if not says_nothing(word) and word.casefold() not in NO_VALUE
    ]
    if not meaningful:
        return False
    if all(highest_in(word) is not None for word in meaningful):
        return True  # 80 %, 4/5
    if len(words) > MOST_WORDS:
        return False
    plain = {plain_word(word) for word in meaningful}
    return (
        plain <= DEGREES.keys()
        or plain <= YES | NO
        or levels(meaningful) is not None
        or all(number_in(word) is not None or TWO_NUMBERS.fullmatch(word) for word in meaningful)
    )


def proposed(
    words: Sequence[str], low: float | None = None, high: float | None = None
) -> Mapping[str, float | None]:
    """Return a point for each word that is known, on a scale from `low` to `high` (1 to 5 if they
    are not given): numbers as they stand, degrees in equal steps, "no" and "yes" at the ends.
    Words that say nothing have None; others are left out.
    """
    least, most = (1.0, 5.0) if low is None or high is None else (low, high)
    points: dict[str, float | None] = {}
    degrees = sorted({DEGREES[plain_word(word)] for word in words if plain_word(word) in DEGREES})
    placed = _of_levels(words, least, most)
    for word in words:
        plain = plain_word(word)
        number = number_in(word)
        if says_nothing(word):
            points[word] = None
        elif number is not None:
            points[word] = number
        elif word in placed:
            points[word] = placed[word]
        elif plain in DEGREES:
            points[word] = _point(DEGREES[plain], degrees, least, most)
        elif plain in YES or plain in NO:
            points[word] = most if plain in YES else least
    return points


def _of_levels(words: Sequence[str], least: float, most: float) -> Mapping[str, float]:
    """Return the points of words whose scale has as many levels as that from `least` to `most`."""
    found_levels = levels(words)
    if found_levels is None or found_levels[1] != most - least + 1:
        return {}
    return {word: float(least + level) for word, level in found_levels[0].items()}


def _point(degree: int, degrees: Sequence[int], least: float, most: float) -> float:
    """Return the point of a degree: five of them are spread over the scale, four skip the middle of
    theirs, and three to the ends and the middle."""
    lowest, highest = (-2, 2) if len(degrees) > 3 else (degrees[0], degrees[-1])
    if highest == lowest:
        return most if degree > 0 else least
    point = least + (degree - lowest) * (most - least) / (highest - lowest)
    return float(round(point, 2))


# The points of words in columns of judgments, and values that are beyond their scale.


DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.{0,20}")  # A spreadsheet program made it of a score.
# Cells that say that there is no value.
NO_VALUE = word_set(
    "na; n/a; n.a.; k.a.; k. a.; nan; null; missing; fehlt; n/d; n.d.; s/d; -; --; –; —; .; "
    "결측; 무응답; 미응답; 缺失"
)
# The same beside numbers; beside other words, one of the points.
_NO_NUMBER = word_set("none; keine; keiner; aucun; aucune; ninguno; ninguna; 없음; 无")
WORDS = say("words stand for points%(scale)s: %(points)s. Is that right?").template
Ranges = Mapping[str, tuple[float, float]]


def points_of(
    columns: Columns, values: Sequence[int], ranges: Ranges, *, coded: bool = False
) -> tuple[dict[str, dict[str, float | None]], dict[str, tuple[str, ...]]]:
    """Return the points of words by scale as far as they are known, and all words; ask about them,
    and where values are beyond the scale. `coded`: some numbers say that there is no answer."""
    scale_points: dict[str, dict[str, float | None]] = {}
    spoken = {}
    by_scale: dict[str, dict[str, None]] = {}
    read = {
        at: guess.of if guess.role == "value_of" else guess.scale
        for at in values
        if (guess := columns.guesses[at]).role in ("value", "value_of", "voice_of")
    }
    codes = _coded(columns, read, by_column=coded) if coded or columns.codes else {}
    for at, scale in read.items():
        one = columns.profiles[at]
        strange = _strange(one)
        by_scale.setdefault(scale, {}).update(dict.fromkeys(strange))
        low, high = bounds(columns, ranges, scale)
        zero = 0.0 in one.values and one.lowest == 0 and 0.0 not in columns.codes
        if zero and _zero_says_nothing(columns, at, low, high):
            by_scale[scale].setdefault("0")
        elif low is not None and high is not None:
            columns.questions += _beyond(columns, at, low, high, codes.get(scale, {}))
    for scale, words in by_scale.items():
        none = codes.get(scale, {})
        if not words and none:
            scale_points[scale] = dict.fromkeys(none)
        if not words:
            continue
        low, high = bounds(columns, ranges, scale)
        points = _points(words, low, high)
        if "0" in words:
            points["0"] = None
        words = dict.fromkeys(sorted(words, key=lambda word: points.get(word) or 0.0))
        scale_points[scale] = {**points, **dict.fromkeys(none)}
        spoken[scale] = tuple(words)
        if not _speak_for_themselves(points, words, low, high):
            columns.questions.append(
                say(
                    WORDS,
                    scale=f" ({scale})" if scale else "",
                    points="; ".join(_point_text(word, points) for word in words),
                )
            )
    return scale_points, spoken


# Numbers that programs write where there is no answer.
_CODES = (-1.0, -9.0, -99.0, -999.0, -77.0, -88.0)
MOST_CODED = 0.35  # share of the values


def codes_of_none(values: Sequence[float]) -> set[float]:
    """Return the numbers that say that there is no answer: negative ones, where no other value is
    and points do not begin beside them."""
    codes = set()
    for code in {*values} & {*_CODES}:
        rest = [one for one in values if one != code and one not in codes]
        if not rest or len(rest) < (1 - MOST_CODED) * len(values):
            continue
        least, most = min(rest), max(rest)
        if least >= 0 and (least > 0 or code <= -9 or most > 10):
            codes.add(code)
    return codes


def _points(
    words: Mapping[str, None], low: float | None, high: float | None
) -> dict[str, float | None]:
    """Return the points of words; "none" alone, beside numbers, is no answer."""
    spoken = [word for word in words if word != "0"]
    alone = [word for word in spoken if not says_nothing(word)]
    points = dict(proposed(spoken, low, high))
    if len(alone) == 1 and plain_word(alone[0]) in _NO_NUMBER:
        points[alone[0]] = None
    return points


def _speak_for_themselves(
    points: Mapping[str, float | None],
    words: Mapping[str, None],
    low: float | None,
    high: float | None,
) -> bool:
    """Whether nobody has to confirm what words stand for: they say that there is no answer, or each
    has another number in it, a point of the scale."""
    if "0" in words or any(word not in points for word in words):
        return False
    numbers = {word: point for word, point in points.items() if point is not None}
    if not numbers:
        return True
    if low is not None and high is not None and _of_levels([*words], low, high) == numbers:
        return True
    numbered = all(number_in(word) == point for word, point in numbers.items())
    rising = sorted(numbers, key=lambda word: numbers[word])
    degrees = [DEGREES[rest] for word in rising if (rest := plain_word(label_in(word))) in DEGREES]
    if low is None or high is None or degrees != sorted(degrees):
        return False  # "1 - very good" of a scale whose highest point is the best
    within = all(low <= point <= high for point in numbers.values())
    return numbered and within and len(set(numbers.values())) == len(numbers) > 1


def speaking(words: Sequence[str], low: float, high: float) -> dict[str, float | None]:
    """Return the points of words, if nobody has to confirm them; else none."""
    points = dict(proposed(words, low, high))
    sure = _speak_for_themselves(points, dict.fromkeys(words), low, high)
    return points if sure else {}


def classed(points: Mapping[str, float | None], low: float, high: float) -> dict[str, float | None]:
    """Return the points of words that a file numbers from the worst to the best, on a scale with as
    many points; else none."""
    placed = levels_of_classes(points)
    if placed is None or placed[1] != high - low + 1:
        return {}
    return {word: float(low + level) for word, level in placed[0].items()}


def bounds(columns: Columns, ranges: Ranges, scale: str) -> tuple[float | None, float | None]:
    """Return the lowest and highest point of a scale, if they are known."""
    if scale in ranges:
        return ranges[scale]
    if not scale and len(columns.scales) == 1:
        return ranges.get(columns.scales[0], (None, None))
    return None, None


def _zero_says_nothing(columns: Columns, at: int, low: float | None, high: float | None) -> bool:
    """Whether 0 is below the scale, or said to mean "cannot judge" in a name. Values from 0 that
    end a point below a scale from 1 may be points from 0."""
    name = f"{columns.groups[at]} {columns.names[at]}"
    is_named = any(says_nothing(part) for part in parts(name))
    one = columns.profiles[at]
    most = one.highest or 0
    return is_named or (low is not None and low > 0 and most <= 10 and most + 1 != high)


def _coded(
    columns: Columns, read: Mapping[int, str], *, by_column: bool
) -> dict[str, dict[str, None]]:
    """Return the cells with numbers that say that there is no answer, by scale."""
    values: dict[str, list[float]] = {}
    for at, scale in read.items():
        own = columns.profiles[at].values
        values.setdefault(scale, []).extend(one for one in own if one is not None)
    codes = {
        scale: (codes_of_none(own) if by_column else set()) | columns.codes
        for scale, own in values.items()
    }
    coded: dict[str, dict[str, None]] = {}
    for at, scale in read.items():
        one = columns.profiles[at]
        for text, value in zip(one.texts, one.values, strict=True):
            if value in codes[scale]:
                coded.setdefault(scale, {}).setdefault(text)
    return coded


def _beyond(
    columns: Columns, at: int, low: float, high: float, none: Mapping[str, None]
) -> list[Sentence]:
    """Return a question where values are beyond the points of their scale; `none` are cells that
    say that there is no answer."""
    one = columns.profiles[at]
    values = [
        value
        for text, value in zip(one.texts, one.values, strict=True)
        if value is not None and text not in none
    ]
    least, most = min(values, default=None), max(values, default=None)
    if least is None or most is None or (low <= least and most <= high):
        return []
    return [beyond(columns.shown(at), least, most, low, high)]


def beyond(column: str, least: float, most: float, low: float, high: float) -> Sentence:
    """Return the question about values beyond the points of their scale."""
    return say(
        "column %(column)s has values from %(least)s to %(most)s, the scale points from "
        "%(low)s to %(high)s: which are right?",
        column=column,
        least=f"{least:g}",
        most=f"{most:g}",
        low=f"{low:g}",
        high=f"{high:g}",
    )


def _strange(one: Profile) -> list[str]:
    """Return the cells of a column of values that are no numbers, blanks or dates."""
    return [
        text
        for text, value in zip(one.texts, one.values, strict=True)
        if text and value is None and text.casefold() not in NO_VALUE and not DATE.fullmatch(text)
    ]


def _point_text(word: str, points: Mapping[str, float | None]) -> str:
    point = points.get(word)
    return f"{word} = " + ("?" if word not in points else "–" if point is None else f"{point:g}")


# Repairs of single cells and rows: entities, marks, parts of a sentence, several texts in one.


# Marks around a phrase, by name; the text between stands in a group.
MARKS = {
    "<b>": re.compile(r"<(b|strong|em|i|u|mark|span)\b[^>]*>(.+?)</\1>", re.IGNORECASE | re.DOTALL),
    "[[ ]]": re.compile(r"(\[\[)\s*(.+?)\s*\]\]"),
    "**": re.compile(r"(\*\*)(\S.*?)\*\*"),
    "__": re.compile(r"(__)(\S.*?)__"),
    "{ }": re.compile(r"(\{)\s*([^{}]+?)\s*\}"),
    "[ ]": re.compile(r"(\[)\s*([^\[\]]+?)\s*\]"),
    "< >": re.compile(r"(<)\s*([^<>/]+?)\s*>"),
    "*": re.compile(r"(?<![\w*])(\*)(\S[^*]*?)\*(?![\w*])"),
    "_": re.compile(r"(?<![\w_])(_)(\S[^_]*?)_(?![\w_])"),
}
LISTED = "[]"
TWO_NUMBERS = re.compile(r"\s*[0-9]+(?:\.[0-9]+)?\s*([/;|,])\s*[0-9]+(?:\.[0-9]+)?\s*")  # 4/3
SPLITS = ("|", ";", "\n", " / ", "/", ",", "\t", LISTED)
MOST_OPENED = 50_000  # characters of a list or an object in a cell
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(r"\s*</?(?:br|p|div)\b[^<>]{0,100}>\s*", re.IGNORECASE)
_NO_SPACE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_CLOSING = re.compile(r"[.,;:!?…)\]}»”’。，、；：？！）]")
_COMPUTED = frozenset({"mean", "median", "sd", "sum", "count"})
_COUNTED = (("n",), ("sd",), ("mean",))
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_ARRAY = re.compile(rf"\[\s*(?:(?:{_QUOTED.pattern})\s*)+\]", re.DOTALL)
_ENDS = re.compile(r"['\"]\s+['\"]")  # of two texts without a comma between them
_NUMBERED = re.compile(r"\s*(?:[0-9]{1,2}[.)]|[-•*])\s+")


def decoded(text: str) -> str:
    """Return a text with its entities decoded, also those that were encoded twice."""
    for _ in range(2):
        if not _ENTITY.search(text):
            break
        text = html.unescape(text)
    return _TAG.sub(" ", text.replace("\xa0", " ")).strip()


def has_entity(text: str) -> bool:
    """Whether a text has an entity that stands for a sign, or a tag that breaks its lines."""
    if _TAG.search(text):
        return True
    match = _ENTITY.search(text)
    return match is not None and html.unescape(match[0]) != match[0]


def unmarked(cell: Cell, mark: re.Pattern[str]) -> tuple[Cell, Cell, Cell]:
    """Return a text without its mark, the marked phrase, and where it starts."""
    match = mark.search(cell) if isinstance(cell, str) else None
    if not isinstance(cell, str) or match is None:
        return cell, None, None
    before = cell[: match.start()].lstrip()
    text = (before + match[2] + cell[match.end() :]).rstrip()
    return text, match[2], len(before)


def joined_cells(left: Cell, key: Cell, right: Cell, *, space: bool) -> tuple[Cell, Cell, Cell]:
    """Return the sentence of its three parts, the phrase and where it starts; `space` puts one
    between parts, but for signs that close."""
    one, two, three = ("" if is_empty(part) else str(part) for part in (left, key, right))
    phrase = two.strip()
    if not phrase:
        return (one + three).strip() or None, None, None
    before = one.lstrip()
    if space and before and not before.endswith((" ", "(", "“", "«", "„")):
        before += " "
    after = three.rstrip()
    if space and after and not after.startswith(" ") and not _CLOSING.match(after):
        after = f" {after}"
    return before + phrase + after, phrase, len(before)


def needs_space(texts: Sequence[str]) -> bool:
    """Whether parts of sentences are joined by a space: they have none at their ends, and are not
    written in Chinese or Japanese."""
    return not any(map(_NO_SPACE.search, texts)) and not any(text != text.strip() for text in texts)


def is_total(cells: Sequence[Cell]) -> bool:
    """Whether a row holds numbers and says that they are sums or means: no text of its own."""
    filled = [cell for cell in cells if not is_empty(cell)]
    words = [cell.strip() for cell in filled if isinstance(cell, str) and not _a_number(cell)]
    return (
        0 < len(words) <= 2
        and len(filled) > len(words)
        and all(len(word) <= 30 for word in words)
        and (bool(concepts(words[0]) & _COMPUTED) or roles_named(words[0])[:1] in _COUNTED)
    )


def opened(text: str) -> list[Any] | dict[str, Any] | None:
    """Return the list or the object that a cell holds as JSON, or as Python or numpy print it (the
    latter without commas); None for another text."""
    text = text.strip()
    if (text[:1] + text[-1:]) not in ("[]", "{}") or len(text) > MOST_OPENED:
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        # Neighbouring texts without a comma are one text to Python.
        several = isinstance(value, list) and len(_ENDS.findall(text)) >= max(1, len(value))
        if isinstance(value, dict | list) and not several:
            return value
    if text[0] == "{" or not _ARRAY.fullmatch(text):
        return None
    return [one[0] or one[1] for one in _QUOTED.findall(text)]


def _a_number(text: str) -> bool:
    return bool(re.fullmatch(r"\s*[+-]?[0-9]+([.,][0-9]+)?\s*%?\s*", text))


def is_head_again(cells: Sequence[Cell], names: Sequence[str]) -> bool:
    """Whether a row repeats the names of the columns."""
    pairs = [
        (str(cell).strip(), name)
        for cell, name in zip(cells, names, strict=False)
        if not is_empty(cell)
    ]
    return len(pairs) > 1 and all(cell == name for cell, name in pairs)


def parts_of(cell: Cell, sign: str) -> list[str]:
    """Return the texts in a cell, without the numbers before them; `LISTED` instead of a sign: the
    entries of the list that the cell holds."""
    if not isinstance(cell, str):
        return []
    if sign == LISTED:
        value = opened(cell)
        listed = value if isinstance(value, list) else []
        return [one.strip() for one in listed if isinstance(one, str) and one.strip()]
    parts = (_NUMBERED.sub("", part, count=1).strip() for part in cell.split(sign))
    return [part for part in parts if part]
