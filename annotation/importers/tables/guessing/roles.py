"""Guess what the columns of a table are, from their names and contents."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.importers.tables.guessing.doubts import doubts
from annotation.importers.tables.guessing.labels import LabelGuesses, Leftovers
from annotation.importers.tables.guessing.state import ELSEWHERE, Columns, Guess
from annotation.importers.tables.guessing.texts import HUMAN, TextGuesses
from annotation.importers.tables.guessing.values import ValueGuesses
from annotation.importers.tables.mapping import IGNORE, ROLES_OF_KIND
from annotation.importers.tables.names import (
    concepts,
    lexicon_plain_name,
    roles_named,
    says,
    scale_named,
)
from annotation.importers.tables.profiles import Profile, computed_by_name
from annotation.importers.tables.word_values import Ranges
from paraanno.common.texts import Sentence, say, shown

# Which columns hold gold: the value of a text on a scale, its deviation and its number.


def guess_gold(columns: Columns, texts: TextGuesses) -> None:
    """Guess the columns of gold, and which text it is about."""
    if texts.paraphrase is None and texts.sentence is not None and texts.phrase is None:
        columns.set(texts.sentence, "paraphrase", say("the only text: what was judged"))
        texts.sentence = None
    candidates = [
        at
        for at in sorted(columns.free)
        if columns.profiles[at].is_number and not _is_id(columns, at)
    ]
    scales = columns.scales
    for at in candidates:
        name = columns.names[at]
        scale = scale_named(name, scales) or (
            scale_named(columns.groups[at], scales) if columns.groups[at] else None
        )
        if scale is None and (len(scales) == 1 or len(candidates) <= 3):
            other_scales = [scale_named(columns.names[other], scales) for other in candidates]
            scale = next((one for one in other_scales if one), None)
            scale = scale or (scales[0] if len(scales) == 1 else None)
        role = "sd_of" if says(name, "sd") or "sd" in concepts(name) else "value_of"
        if role == "value_of" and (roles_named(name)[:1] == ("n",) or "count" in concepts(name)):
            role = "n_of"
        taken = {(one.role, one.of) for one in columns.guesses}
        one = columns.profiles[at]
        if scale is None or (role, scale) in taken:
            columns.aside(at, say("numbers, but of which scale?"), ask=True)
        else:
            columns.set(
                at,
                role,
                say(
                    "numbers from %(least)s to %(most)s",
                    least=f"{one.lowest or 0:g}",
                    most=f"{one.highest or 0:g}",
                ),
                scale,
            )


def _is_id(columns: Columns, at: int) -> bool:
    first = roles_named(columns.names[at])[:1]
    if first == ("item",):
        return True
    one = columns.profiles[at]
    return not first and one.n > 10 and one.distinct == one.n and "." not in "".join(one.texts)


SCALES = ("MEANING", "GRAMMAR")
_NESTED = re.compile(r"[^\W\d][\w-]*(\.[\w-]+)*\.[^\W\d][\w -]*")
COMPUTED = frozenset({"mean", "median", "sd", "sum", "count"})  # mean.meaning
_OF_ITEMS = ("system", "rank", "language", "reference", "output_of", "attr", "made_from")
LONGER = 3.0  # times the length of the phrases that what replaces them mostly is not
SHORT = 0.5  # A reference of fewer characters than this share of its sentence is hardly one.


@dataclass(slots=True)
class Guessed:
    """A guess for each column, questions about all of them, and the points of words by scale.
    `outputs` are the places of texts of a system each, `values` those of judgments, `texts` those
    of paraphrases; `scales` are those of labels, `spoken` the words of values by scale."""

    guesses: list[Guess]
    questions: list[Sentence] = field(default_factory=list)
    words: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    outputs: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    texts: list[int] = field(default_factory=list)
    scales: Mapping[str, str] = field(default_factory=dict)
    spoken: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def guess_roles(
    names: Sequence[str],
    profiles: Sequence[Profile],
    *,
    what: str,
    groups: Sequence[str] = (),
    scales: Sequence[str] = SCALES,
    ranges: Ranges | None = None,
    rescaled: frozenset[int] = frozenset(),
    codes: frozenset[float] = frozenset(),
) -> Guessed:
    """Return a guess for each column. `groups` are the names over those of the columns, `ranges`
    the lowest and highest points of scales, `rescaled` the columns whose values were read to
    them, and `codes`
    numbers that say that there is no answer."""
    spoken = [_spoken(name) for name in names]
    above = [
        over or (name.rpartition(".")[0] if _NESTED.fullmatch(name) else "")
        for over, name in zip(groups or [""] * len(names), names, strict=True)
    ]
    columns = Columns(spoken, above, profiles, scales, rescaled=rescaled, codes=codes)
    values = ValueGuesses(columns, ranges or {})
    columns.free -= {*values.values, *values.aside}
    texts = TextGuesses(columns)
    texts.find()
    labels = LabelGuesses(columns, texts)
    labels.find(judged=bool(values.values))
    columns.free |= {*values.values, *values.aside}
    if what == "gold":
        for at in values.aside:
            labels.number(at)
        guess_gold(columns, texts)
    else:
        annotator, scale = columns.has("annotator"), columns.has("scale")
        if what == "judgments":
            _judged(columns, texts)
            values.find(annotator=annotator, scale=scale)
        _numbers(columns, values, labels, what)
        if what == "judgments" and annotator and not values.values:
            _judged_by_name(columns)
    Leftovers(columns, texts).rest(what=what, judged=bool(values.values))
    _other_kind(columns, what, bool(values.values))
    if what == "items":
        columns.questions += [
            *_texts_left(columns),
            *_reference_rows(columns),
            *_original_rows(columns),
        ]
        _short_references(columns)
    labels_of_scales = _scales(columns)
    columns.questions += doubts(columns, what=what, ranges=ranges or {})
    questions = list(dict.fromkeys(columns.questions))
    new = [at for at, one in enumerate(columns.guesses) if one.role in ("paraphrase", "output_of")]
    return Guessed(
        columns.guesses,
        questions,
        values.words,
        texts.outputs,
        values.values,
        new,
        labels_of_scales,
        values.spoken,
    )


def _spoken(name: str) -> str:
    """Return the last part of a nested name, if it says something: outputs.text, data.original."""
    first, _, last = name.rpartition(".")
    meaning = _NESTED.fullmatch(name) and (roles_named(last) or concepts(last))
    return last if meaning and not concepts(first) & COMPUTED else name


def _judged(columns: Columns, texts: TextGuesses) -> None:
    """Say which text was judged, where it is not called a paraphrase."""
    if texts.paraphrase is not None:
        return
    if len(texts.outputs) == 1:
        at = texts.outputs[0]
        columns.guesses[at] = Guess("paraphrase", reason=columns.guesses[at].reason)
    elif texts.outputs:
        columns.questions.append(
            say(
                "the texts of %(n)s systems stand beside each other: which of them was judged?",
                n=len(texts.outputs),
            )
        )
    elif texts.sentence is not None and texts.phrase is None:
        # One text alone, whatever it is called, is what was judged.
        columns.set(texts.sentence, "paraphrase", say("the only text: what was judged"))
        texts.sentence = None


def _judged_by_name(columns: Columns) -> None:
    """Ask about numbers that are set aside by their names alone where annotators are named, and no
    other column holds what they gave: counts of errors, or ranks."""
    for at, guess in enumerate(columns.guesses):
        reason = computed_by_name(columns.names[at])
        if columns.profiles[at].is_number and guess.role in (IGNORE, "rank") and reason is not None:
            about = columns.about(at)
            lower = say("numbers of the annotators, of which the lowest may be the best")
            reason = lower if about & {"rank", "count", "otherwise"} else reason
            columns.guesses[at] = Guess(reason=reason, ask=True)


def _numbers(columns: Columns, values: ValueGuesses, labels: LabelGuesses, what: str) -> None:
    """Set columns of numbers aside that hold no judgments, or those that the other kind reads."""
    for at, reason in values.aside.items():
        if at in columns.free and not labels.number(at):
            columns.aside(at, reason)
    if what == "items":
        for at in values.values:
            if at in columns.free:
                columns.aside(at, ELSEWHERE[0])


def _other_kind(columns: Columns, what: str, judged: bool) -> None:
    """Set aside what the other import of the same table reads; columns of it do not ask."""
    allowed = (*ROLES_OF_KIND[what], IGNORE)
    for at, guess in enumerate(columns.guesses):
        if guess.role in allowed:
            continue
        if what != "items" and guess.role in _OF_ITEMS:
            columns.guesses[at] = Guess(reason=ELSEWHERE[1])
        elif judged or what == "gold":
            columns.guesses[at] = Guess(reason=ELSEWHERE[0])
        elif guess.role == "annotator":
            columns.guesses[at] = Guess(reason=say("about who judged"))
        else:
            # Of items, without judgments, something that is kept.
            columns.guesses[at] = Guess("attr", columns.names[at], columns.guesses[at].reason)


def _reference_rows(columns: Columns) -> list[Sentence]:
    """Return a question where a column of systems has references among them."""
    words = [
        word
        for at, one in enumerate(columns.guesses)
        if one.role == "system"
        for word in columns.profiles[at].words
        if concepts(word) == {"reference"}
        # "Human" may be a system; "Human (reference)" is none.
        and any(
            lexicon_plain_name(part) not in HUMAN and concepts(part) == {"reference"}
            for part in re.findall(r"\w+", word)
        )
    ]
    if not words:
        return []
    return [say("%(name)s is among the systems: are its texts references?", name=shown(words[0]))]


def _short_references(columns: Columns) -> None:
    """Ask whether references that are much shorter than the sentences replace the phrase."""
    by_role = {one.role: at for at, one in enumerate(columns.guesses)}
    if not {"sentence", "phrase", "reference"} <= by_role.keys():
        return
    whole = columns.profiles[by_role["sentence"]].length
    replaced = columns.profiles[by_role["phrase"]].length
    new = [
        columns.profiles[at].length
        for at, guess in enumerate(columns.guesses)
        if guess.role in ("paraphrase", "output_of")
    ]
    for at, guess in enumerate(columns.guesses):
        one = columns.profiles[at]
        if guess.role != "reference" or one.length >= SHORT * whole:
            continue
        if one.length < LONGER * replaced and new and max(new) < LONGER * replaced:
            guess.role = "phrase_reference"
            guess.reason = say("as long as the phrase and what replaces it")
        else:
            guess.ask = True
            guess.reason = say(
                "much shorter than the sentences: if it replaces the phrase, choose “Reference in "
                "place of the phrase”"
            )


def _scales(columns: Columns) -> dict[str, str]:
    """Return the scales of the labels in a column of scales, and ask about labels of none."""
    scales: dict[str, str] = {}
    for at, guess in enumerate(columns.guesses):
        if guess.role != "scale":
            continue
        for word in columns.profiles[at].words:
            scale = scale_named(word, columns.scales)
            if scale is None:
                guess.ask = True
                guess.reason = say("%(word)s is no scale of the campaign", word=shown(word))
            elif scale != word:
                scales[word] = scale
        if len({scales.get(word, word) for word in columns.profiles[at].words}) < len(
            columns.profiles[at].words
        ):
            guess.ask = True
    return scales


def _texts_left(columns: Columns) -> list[Sentence]:
    """Return a question where a table holds nothing but originals, though it has other texts."""
    roles = {one.role for one in columns.guesses}
    if roles & {"paraphrase", "output_of"} or not roles & {"sentence", "phrase"}:
        return []
    if any(one.ask for one in columns.guesses):
        return []
    if "system" in roles:
        return [say("systems are named, but no column holds their texts: is that right?")]
    if "reference" in roles:
        return [say("there are references, but no texts of systems: is that right?")]
    alone = [at for at, one in enumerate(columns.guesses) if one.role == "sentence"]
    if alone and not columns.text_role(alone[0]) and len(roles) < 3:
        return [say("one column of texts alone is read, whose name says nothing: is that right?")]
    left = [
        at
        for at, one in enumerate(columns.guesses)
        if one.role == "attr" and columns.profiles[at].is_text and not _is_group(columns, at)
    ]
    if left:
        return [
            say(
                "no column holds paraphrases, though %(columns)s may: is that right?",
                columns=", ".join(map(columns.shown, left)),
            )
        ]
    return []


def _is_group(columns: Columns, at: int) -> bool:
    return "group" in columns.about(at) or roles_named(columns.names[at])[:1] == ("language",)


def _original_rows(columns: Columns) -> list[Sentence]:
    """Return a question where labels say that the originals are rows among others."""
    for at, one in enumerate(columns.guesses):
        labelled = columns.profiles[at].is_label and "comment" not in columns.about(at)
        if one.role not in ("attr", "system") or not labelled:
            continue
        words = columns.profiles[at].words
        if len(words) > 1:
            for word in words:
                if concepts(word) == {"original"}:
                    return [
                        say(
                            "%(name)s in column %(column)s: are the originals rows of their own?",
                            name=shown(word),
                            column=columns.shown(at),
                        )
                    ]
    return []
