"""What words, rows and cells say of values: names of columns, annotators and scales, and texts
beside the table; whether columns that are set aside as computed are made of the judgments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import fsum
from statistics import fmean, median, multimode, pstdev, stdev

from annotation.importers.tables.guessing.point_words import says_nothing, word_set
from annotation.importers.tables.guessing.value_names import FIRST_NAMES
from annotation.importers.tables.mapping import IGNORE
from annotation.importers.tables.names import concepts, lexicon_plain_name, scale_named
from annotation.importers.tables.profiles import Profile, computed_by_name, fits, same_texts
from annotation.importers.tables.proving.legends import (
    are_people,
    extremes,
    ranges_in,
    turned,
    unexplained,
)
from annotation.importers.tables.proving.people import TEXT, Findings, Proof
from paraanno.common.texts import shown

SHORT = 200  # characters of a text that may explain numbers
MOST_BESIDE = 20_000  # characters beside the table
LEAST = 5  # originals whose texts are ranked
MOST_CODE = 4  # letters
FEW = 12  # different texts of a column that may explain them
# "Note" is a remark in English, points in French, and in German a mark of which 1 is the best.
_MARKS = word_set("note; noten; schulnote; schulnoten; zensur; zensuren; benotung; gesamtnote")
_QUALITY = re.compile(r"qualit\w*|calidad|품질|质量", re.IGNORECASE)
TOOK = computed_by_name("duration")
_FRENCH = word_set("le; la; les; des; une; du; est; et; dans; pour; sur; au; il; elle")


def alike(proof: Proof) -> Findings:
    """Systems, or annotators, whose names differ in nothing but capitals and signs."""
    names: dict[str, dict[str, str]] = {"system": {}, "annotator": {}}
    for _, one in proof.records:
        for role, seen in names.items():
            name = str(one.get(role) or "")
            other = seen.setdefault("".join(filter(str.isalnum, name.casefold())), name)
            if other != name:
                yield {"one": shown(other), "two": shown(name)}
                return


def labels_of_scales(proof: Proof) -> Findings:
    """Labels of scales that say more than the scale."""
    scales = proof.mapping.scales
    for one in proof.columns("scale"):
        for word in proof.profiles[one.column].words:
            left = unexplained(word, scales.get(word, word))
            if left:
                yield {"name": shown(word), "words": left}


def another_criterion(proof: Proof) -> Findings:
    """A title that names another criterion than the scale, which no column names."""
    looked, beside = proof.looked, proof.beside
    scales = {proof.scale_of(one) for one in proof.values}
    if not scales or not all(scales):
        return
    if any(one.guess.role == "value_of" or one.guess.scale for one in proof.values):
        return
    for text in (*beside.above, *beside.below, looked.name):
        about = concepts(_QUALITY.sub(" ", text))
        if "criterion" in about and scale_named(text, scales) is None:
            yield {"text": shown(text[:SHORT]), "scale": ", ".join(sorted(scales))}


def notes(proof: Proof) -> Findings:
    """Notes below the table and on cells that speak of annotators, values, scales, or columns, and
    do not just say what the points mean."""
    if not proof.values:
        return
    names = {lexicon_plain_name(one.name) for one in proof.looked.columns} - {""}
    explained = extremes("; ".join(proof.beside.below)) is not None
    labels = _codes(proof)
    for text in (*proof.beside.above, *proof.beside.below, *proof.beside.sheets):
        explained_words = {one.strip() for one in re.findall(r"([^=:;,\n]{1,40})\s*[=:]", text)}
        if explained_words & labels:
            yield {"text": shown(text[:SHORT])}
            return
    for text in (*proof.beside.below, *proof.beside.remarks):
        plain = f" {lexicon_plain_name(text)} "
        term, sign, _ = text.partition("=")
        if sign and says_nothing(term.strip()):
            continue  # "n/a = could not decide"
        if len(plain.split()) == 1 and explained:
            continue  # "Scale", over what its points mean
        if sign and concepts(term) and concepts(term) <= {"mean", "median", "sd"}:
            continue  # "Mean = that of four people": of columns that are not read.
        about = concepts(text) & {"annotator", "value", "scale", "apart", "otherwise"}
        if (about or any(f" {name} " in plain for name in names)) and extremes(text) is None:
            yield {"text": shown(text[:SHORT])}


def _codes(proof: Proof) -> set[str]:
    """Return the systems and annotators that are called by codes: S1, A."""
    twin = proof.looked.twin
    columns = [one.column for one in proof.columns("annotator")]
    columns += [one.column for one in (twin.columns if twin else ()) if one.guess.role == "system"]
    words = [word for one in columns for word in proof.profiles[one].words]
    return {word for word in words if len(word) <= MOST_CODE}


def names(proof: Proof) -> Findings:
    """Words in names of values that nobody knows."""
    group_of = proof.looked.group_of
    columns = [one for one in proof.plain if one.guess.role == "voice_of"]
    groups = [group_of(one.column) for one in columns]
    people = are_people([*dict.fromkeys(one.guess.of for one in columns)], groups)
    people = people or all(one.name.endswith(f"({one.guess.of})") for one in columns)
    texts = [one.name for one in proof.looked.columns if one not in proof.values]
    for one in proof.plain:
        guess, scale = one.guess, proof.scale_of(one)
        person = guess.of if guess.role == "voice_of" and people else ""
        group = group_of(one.column)
        path = one.name.rpartition(".")[0]
        while path and not any(name.startswith(f"{path}.") for name in texts):
            path = path.rpartition(".")[0]  # of nested objects, in which texts are too
        left = unexplained(one.name.removeprefix(path), scale, person)
        left = left or _but(unexplained(group, scale, person) if group else "", person)
        if left:
            yield {"column": shown(one.name or group), "words": left}


def _but(words: str, person: str) -> str:
    """Return words without those in the name of somebody."""
    own = lexicon_plain_name(person).split()
    return " ".join(word for word in words.split() if word not in own)


def nameless(proof: Proof) -> Findings:
    """Columns of values, or of the texts of systems, that have no name."""
    for one in proof.columns("voice_of", "output_of"):
        if not (one.guess.ask or one.name or proof.looked.group_of(one.column)):
            yield {"column": one.column}


def school_marks(proof: Proof) -> Findings:
    """Marks of a school, of which the lowest may be the best, but in French."""
    texts = (one for one in proof.profiles.values() if one.is_text and not one.is_label)
    words = [word for text in texts for cell in text.words[:50] for word in cell.casefold().split()]
    if words and sum(word in _FRENCH for word in words) * 20 > len(words):
        return
    for one in proof.plain:
        name = f"{proof.looked.group_of(one.column)} {one.name}"
        if set(lexicon_plain_name(name).split()) & _MARKS:
            yield {"column": shown(one.name)}


def legends(proof: Proof) -> Findings:
    """Texts beside the values that say that their lowest number is the best, or explain numbers
    with words that nobody knows."""
    looked, beside, profiles = proof.looked, proof.beside, proof.profiles
    if not proof.plain:
        return
    column_names = [f"{looked.group_of(one.column)} {one.name}" for one in proof.plain]
    read = {one.column for one in proof.plain}
    others = [
        text
        for one in looked.columns
        if one.column not in read and profiles[one.column].is_text and one.guess.role not in TEXT
        for text in (one.name, *profiles[one.column].words[:FEW])
        if profiles[one.column].distinct <= FEW
    ]
    joined = ("; ".join(beside.above), "; ".join(beside.below), *beside.sheets, *beside.remarks)
    short = [text for text in (*joined, *others) if len(text) <= MOST_BESIDE]
    scales = [looked.ranges.get(proof.scale_of(one)) for one in proof.plain]
    usual = {(low, high) for low, high in filter(None, scales)}
    other = [
        *(text for text in (*column_names, *short) if usual and {extremes(text)} - {None} - usual),
        *(text for text in column_names if usual and {*ranges_in(text)} - usual),
    ]
    for text in dict.fromkeys((*turned((*column_names, *short)), *other)):
        yield {"text": shown(text[:SHORT])}


def points_left(proof: Proof) -> Findings:
    """Columns that are set aside as means or sums by their names alone, though their cells are
    points that are not between those of the annotators, or differ beside the same text."""
    profiles, values = proof.profiles, proof.values
    columns = [profiles[one.column] for one in values if one.guess.role != "value_of"]
    text = next(iter(proof.columns("paraphrase")), None)
    highest = max((profiles[one.column].highest or 0.0 for one in values), default=0.0)
    lowest = min((profiles[one.column].lowest or 0.0 for one in values), default=0.0)
    for one in proof.columns(IGNORE) if values else ():
        profile = profiles[one.column]
        points = [value for value in profile.values if value is not None]
        if one.guess.ask or not profile.is_number:
            continue
        if one.guess.reason != computed_by_name(one.name) or not _may_be_points(
            points, lowest, highest
        ):
            continue
        if "rank" in concepts(one.name) and _orders(proof, profile):
            continue
        scales = all(value.guess.role == "value_of" for value in values)
        if scales and one.guess.reason == TOOK and concepts(one.name) == {"duration"}:
            continue  # Seconds beside scales that have names.
        person = lexicon_plain_name(one.name) in FIRST_NAMES and not _is_an_end(profile, columns)
        if (
            len(columns) > 1
            and not person
            and all(_between(value, beside) for value, *beside in _rows_of([profile, *columns]))
        ):
            continue
        once = text is None or profiles[text.column].distinct == profiles[text.column].n
        if len(columns) < 2 and not once and text and same_texts(profiles[text.column], profile):
            continue
        yield {"column": shown(one.name), "reason": one.guess.reason}


def _orders(proof: Proof, profile: Profile) -> bool:
    """Whether numbers order the texts that somebody saw of an original: 1 to their number, with
    ties at most in some."""
    by = [proof.profiles[one.column].texts for one in proof.columns("sentence", "phrase", "item")]
    by += [proof.profiles[one.column].texts for one in proof.columns("annotator", "scale")]
    groups: dict[tuple[str, ...], list[float]] = {}
    for *key, value in zip(*by, profile.values, strict=True):
        if value is not None:
            groups.setdefault(tuple(map(str, key)), []).append(value)
    several = [sorted(values) for values in groups.values() if len(values) > 1]
    whole = sum(values == [*range(1, len(values) + 1)] for values in several)
    within = all(values[0] == 1 and values[-1] <= len(values) for values in several)
    return len(several) >= LEAST and within and whole * 2 > len(several)


def nobodys(proof: Proof) -> Findings:
    """Labels that neither this import nor that of the items reads, though they differ among the
    judgments of a text."""
    looked = proof.looked
    twin = {one.column: one.guess for one in looked.twin.columns} if looked.twin else {}
    for one in proof.columns(IGNORE) if proof.values else ():
        there = twin.get(one.column)
        nowhere = there is not None and there.role == IGNORE
        if nowhere and there and there.ask and one.kind == "label" and not one.guess.ask:
            yield {"column": shown(one.name or one.column)}


def judges_of_themselves(proof: Proof) -> Findings:
    """Annotators who are called as systems are."""
    twin = proof.looked.twin
    systems = {
        word
        for one in (twin.columns if twin else ())
        if one.guess.role == "system" and one.column in proof.profiles
        for word in proof.profiles[one.column].words
    }
    for one in proof.columns("annotator") if proof.values else ():
        both = systems & {*proof.profiles[one.column].words}
        if both:
            yield {"name": shown(min(both))}


def _is_an_end(profile: Profile, columns: Sequence[Profile]) -> bool:
    """Whether a column is the highest or the lowest of others in each row, as "Max" may say."""
    rows = [
        (value, [one for one in beside if one is not None])
        for value, *beside in _rows_of([profile, *columns])
        if value is not None
    ]
    return any(
        all(not beside or value == end(beside) for value, beside in rows) for end in (max, min)
    )


def _rows_of(profiles: Sequence[Profile]) -> Iterator[tuple[float | None, ...]]:
    return zip(*(one.values for one in profiles), strict=True)


def _may_be_points(points: Sequence[float], lowest: float, highest: float) -> bool:
    whole = all(value.is_integer() and lowest <= value <= highest for value in points)
    return whole and len(set(points)) > 1


def _between(value: float | None, beside: Sequence[float | None]) -> bool:
    numbers = [one for one in beside if one is not None]
    return value is None or not numbers or min(numbers) <= value <= max(numbers)


# Columns that are set aside as computed.


LEAST_JUDGED = 3  # texts with judgments
_MADE = frozenset({"mean", "median", "sd", "sum", "majority"})
_TEXTS = ("sentence", "phrase", "paraphrase", "start", "item")
Parts = Sequence[float]
_RULES: tuple[Callable[[Parts], float], ...] = (
    fmean,
    median,
    fsum,
    max,
    min,
    lambda parts: float(len(parts)),
    lambda parts: max(parts) - min(parts),
    lambda parts: stdev(parts) if len(parts) > 1 else 0.0,
    pstdev,
    # The share of those who gave the commonest value.
    lambda parts: parts.count(multimode(parts)[0]) / len(parts),
)


def not_made_of_judgments(proof: Proof) -> Findings:
    """Columns that are called a mean, a sum, a majority ... of which no arithmetic makes them of
    the judgments of the same text."""
    if not proof.values:
        return
    left = {one["column"] for one in points_left(proof)}
    for one in proof.columns(IGNORE):
        if shown(one.name) in left:
            continue
        profile = proof.profiles[one.column]
        named = concepts(one.name) & _MADE
        if not named or not profile.is_number or one.guess.ask or _is_agreement(one.name, profile):
            continue
        if one.guess.reason == computed_by_name(one.name) and not _is_made(proof, one.column):
            yield {"column": shown(one.name)}


def _is_agreement(name: str, profile: Profile) -> bool:
    """Whether a column is called a coefficient of agreement, and holds no points."""
    low, high = profile.lowest or 0.0, profile.highest or 0.0
    return "kappa" in lexicon_plain_name(name).split() and low >= -1 and high <= 1


def _is_made(proof: Proof, column: str) -> bool:
    groups = list(_groups(proof, column))
    if len(groups) < LEAST_JUDGED:
        return False
    by_rule = any(
        all(
            any(fits(value, rule(parts), text) for parts in several)
            for value, text, several in groups
        )
        for rule in _RULES
    )
    return by_rule or all(
        any(value in multimode(parts) for parts in several) for value, _, several in groups
    )


def _groups(proof: Proof, column: str) -> Iterator[tuple[float, str, list[list[float]]]]:
    """Yield the value of each text in a column, as it is printed too, with the judgments of that
    text: of each scale, of all, and those of each row."""
    own = proof.profiles[column]
    texts = [proof.profiles[one.column].texts for one in proof.columns(*_TEXTS)]
    judged = []
    for one in proof.values:
        scale, profile = proof.scale_of(one), proof.profiles[one.column]
        words = proof.mapping.words.get(scale) or proof.mapping.words.get("") or {}
        points = zip(profile.values, profile.texts, strict=True)
        judged.append((scale, [None if text in words else value for value, text in points]))
    by_text: dict[tuple[str, ...], dict[str, list[float]]] = {}
    keys = list(zip(*texts, strict=True))
    for at, key in enumerate(keys):
        scales = by_text.setdefault(key, {})
        for scale, values in judged:
            if (value := values[at]) is not None:
                scales.setdefault(scale, []).append(value)
    for at, key in enumerate(keys):
        value = own.values[at]
        row = [number for _, values in judged if (number := values[at]) is not None]
        scales = by_text[key]
        several = [*scales.values(), [one for each in scales.values() for one in each], row]
        several = [one for one in several if one]
        if value is not None and several:
            yield value, own.texts[at], several
