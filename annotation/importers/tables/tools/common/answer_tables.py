"""From texts with people's answers to a plain table, whatever tool wrote them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from annotation.importers.tables.books import Cell, Coded, Row, is_empty
from annotation.importers.tables.guessing.roles import guess_roles
from annotation.importers.tables.guessing.state import Guess
from annotation.importers.tables.mapping import IGNORE
from annotation.importers.tables.names import concepts, plain_name, roles_named, scale_named
from annotation.importers.tables.profiles import SAMPLE, Profile, profile
from annotation.importers.tables.tools.common.answers import (
    Answered,
    FieldSplit,
    Occasions,
    Records,
    Tool,
    ToolColumn,
    ToolTable,
    key_of,
    like_remark,
    like_scale,
    number_of,
    plain_text,
    points_of,
    sampled,
    split_data,
    split_of,
)
from paraanno.common.texts import Sentence, say

# Records with several outputs and an answer to each: one record for each output.


_NUMBERED = re.compile(r"(.*?)(?:[\s_.\-]*([0-9]{1,4})|[\s_.\-]([A-Za-z]))")
Part = tuple[Mapping[str, Cell], Mapping[str, Cell]]  # fields, answers


class OutputGrid:
    """How records with several outputs come apart; `parts` yields them, one for each output."""

    def __init__(self, data: Sequence[str], questions: Sequence[str]) -> None:
        self.endings = _by_ending(data, questions)
        self.by_name = self.endings or _by_name(data, questions)
        self.by_number = {} if self.by_name else _by_number(data, questions)
        self.placed = {name for one in self.by_name.values() for name in one} | {
            name for _, one in self.by_number.values() for name in one
        }
        numbered = {name for one, _ in self.by_number.values() for name in one}
        self.outside = [name for name in data if name not in numbered and name not in self.by_name]

    def __bool__(self) -> bool:
        return bool(self.by_name or self.by_number)

    def parts(self, data: Mapping[str, Cell], answers: Mapping[str, Cell]) -> Iterator[Part]:
        """Yield the fields and the answers of each output that has a text."""
        shared = {name: data[name] for name in self.outside if name in data}
        rest = {name: value for name, value in answers.items() if name not in self.placed}
        for output, questions in self.by_name.items():
            if data.get(output) not in (None, ""):
                own = {stem: answers.get(name) for name, stem in questions.items()}
                system = output.rpartition("_")[2] if self.endings else output
                yield {**shared, "paraphrase": data[output], "system": system}, {**rest, **own}
        for fields, questions in self.by_number.values():
            values = {stem: data.get(name) for name, stem in fields.items()}
            if not any(isinstance(value, str) and value.strip() for value in values.values()):
                continue
            own = {stem: answers.get(name) for name, stem in questions.items()}
            yield {**shared, **values, **self._system(data, fields)}, {**rest, **own}

    def _system(self, data: Mapping[str, Cell], fields: Mapping[str, str]) -> dict[str, Cell]:
        """Return the system where an original outside has numbered outputs: the output's column."""
        shown = any(
            {"sentence", "phrase"} & set(roles_named(name)) or {"original", "text"} & concepts(name)
            for name in self.outside
        )
        if len(fields) != 1 or not shown:
            return {}
        [(name, stem)] = fields.items()
        system = {"paraphrase": data.get(name), "system": name}
        return system if stem == "paraphrase" else {**system, stem: None}


def _by_name(data: Sequence[str], questions: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the questions by the output whose name they end or begin with, each with its stem."""
    placed: dict[str, dict[str, str]] = {}
    for question in questions:
        words = f" {plain_name(question)} "
        for output in sorted(data, key=len, reverse=True):
            name = plain_name(output)
            if not name or f" {name} " not in words or words.strip() == name:
                continue
            stem = words.replace(f" {name} ", " ", 1).strip()
            placed.setdefault(output, {})[question] = stem
            break
    stems = [set(one.values()) for one in placed.values()]
    return placed if len(placed) > 1 and all(one & stems[0] for one in stems) else {}


def _by_ending(data: Sequence[str], questions: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the questions by the output that ends as they do, each with its stem: hyp_bart and
    adequacy_bart. The endings are names, of which one at least has a letter."""
    ends: dict[str, dict[str, str]] = {}
    for name in data:
        stem, sign, end = name.rpartition("_")
        if sign and concepts(stem) & {"output", "text", "system"}:
            ends.setdefault(stem, {})[end] = name
    for outputs in ends.values():
        placed: dict[str, dict[str, str]] = {name: {} for name in outputs.values()}
        for question in questions:
            stem, _, end = question.rpartition("_")
            if stem and end in outputs:
                placed[outputs[end]][question] = stem
        stems = [sorted(one.values()) for one in placed.values()]
        named = len(outputs) > 1 and not all(end.isdigit() or len(end) < 2 for end in outputs)
        if named and stems[0] and all(one == stems[0] for one in stems):
            return placed
    return {}


def _by_number(
    data: Sequence[str], questions: Sequence[str]
) -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    """Return the fields and the questions by the number that they end in, each with its stem."""
    fields, answers = _numbered(data), _numbered(questions)
    both = [number for number in answers if number in fields]
    if len(both) < 2 or set(fields) - set(both) - {""}:
        return {}
    return {number: (fields[number], answers[number]) for number in both}


def _numbered(names: Sequence[str]) -> dict[str, dict[str, str]]:
    result: dict[str, dict[str, str]] = {}
    for name in names:
        match = _NUMBERED.fullmatch(name)
        if match and match[1]:
            result.setdefault(match[2] or match[3].casefold(), {})[name] = match[1]
    return result


# The columns of the texts' own fields, guessed as those of any table of items.


# Roles of texts that judgments do not have.
OF_ITEMS = ("system", "reference", "rank", "language", "output_of", "attr")
ITEMS = say("read with the items")


def of_texts(
    tool: Tool, names: Sequence[str], sample: Sequence[Answered], what: str, scales: Sequence[str]
) -> Iterator[ToolColumn]:
    """Yield the columns of the texts' own fields, guessed as those of any table of items."""
    texts = {key_of(one.data): one.data for one in sample}
    tool = _with_text(tool, names, list(texts.values()))
    free = [name for name in names if name not in tool.set_aside and name not in tool.roles]
    profiles = [profile([one.get(name) for one in texts.values()], ".") for name in free]
    guessed = guess_roles(free, profiles, what="items", scales=scales)
    guesses = dict(zip(free, guessed.guesses, strict=True))
    _mend(free, profiles, guesses, set(tool.roles.values()))
    for name in names:
        if name in tool.set_aside:
            yield ToolColumn(name, IGNORE, tool.set_aside[name])
            continue
        if name in tool.roles:
            guess = Guess(tool.roles[name], "", say("the tool writes it there"))
        else:
            guess = guesses[name]
        role, reason, ask = guess.role, guess.reason, guess.ask
        if what == "judgments" and role in OF_ITEMS:
            role, reason, ask = IGNORE, ITEMS, False
        yield ToolColumn(name, role, reason, guess.of if role != IGNORE else "", ask=ask)


def _with_text(tool: Tool, names: Sequence[str], texts: Sequence[Mapping[str, Cell]]) -> Tool:
    """Return the tool with the role of the field `text`, which may be either of the two texts."""
    if "text" not in names or "text" in tool.roles or "text" in tool.set_aside:
        return tool
    others = [name for name in names if name != "text"]
    originals = [name for name in others if set(roles_named(name)) & {"sentence", "phrase"}]
    outputs = [name for name in others if roles_named(name)[:1] == ("paraphrase",)]
    for name in (*originals, *outputs):
        if all(one.get(name) == one.get("text") for one in texts):
            same = say("the same as %(name)s", name=name)
            return replace(tool, set_aside={**tool.set_aside, "text": same})
    if originals and not outputs:
        return replace(tool, roles={**tool.roles, "text": "paraphrase"})
    if outputs and not originals:
        return replace(tool, roles={**tool.roles, "text": "sentence"})
    return tool


def _mend(
    names: Sequence[str], profiles: Sequence[Profile], guesses: dict[str, Guess], taken: set[str]
) -> None:
    """Give roles that the names say and the guesses leave open, where the texts alone decide."""
    roles = {one.role for one in guesses.values()} | taken
    for name, one in zip(names, profiles, strict=True):
        guess = guesses[name]
        if guess.role != IGNORE or not one.n:
            continue
        named = roles_named(name)[:1]
        if named in (("system",), ("sentence",), ("paraphrase",)) and named[0] not in roles:
            guesses[name] = Guess(named[0], "", say("called %(name)s", name=repr(name)))
            roles.add(named[0])
        elif named == ("reference",) and one.is_text:
            guesses[name] = Guess("reference", "", say("called %(name)s", name=repr(name)))
        elif one.distinct == 1 and one.filled == 1:
            guess.ask, guess.reason = False, say("the same value everywhere")
        elif named == ("item",) or (one.distinct == one.n and one.is_number):
            guess.ask, guess.reason = False, say("numbers of rows")


# The table.


# Columns that the table has beside those of the file; a column of the same name gets a sign.
OF_PEOPLE = ("annotator", "judged_at", "comment", "occasion")
ANNOTATOR, TIME, COMMENT, OCCASION = OF_PEOPLE
TARGETS = ("displayed", "sentence", "phrase", "paraphrase", "start", "end")
LONGEST_ANSWER = 200  # characters: anything longer is a remark
JUDGMENTS = say("read with the judgments")
UNANSWERED = say("without an answer")
WORDS_ALONE = say("words: give each its point")
NOT_JUDGED = say("nobody has judged anything in this file: import it as items")
TWICE = say("the same row twice")


def table_of_answers(
    tool: Tool, records: Records, what: str | None, scales: Sequence[str]
) -> ToolTable:
    """Return the plain table: a row for each text and person, a column for each question."""
    records = _apart(records)
    split = split_of(sampled(records))
    if split.column:
        records = _split(records, split)
    tool = replace(tool, set_aside={**(split.set_aside or {}), **tool.set_aside})
    asks = () if split.ask is None else (split.ask,)
    sample = list(islice(records(), SAMPLE))
    data = list(dict.fromkeys(name for one in sample for name in one.data))
    questions = list(dict.fromkeys(name for one in sample for name in one.answers))
    judged = any(one.counts for one in sample)
    what = what or ("judgments" if judged else "items")
    columns = [*of_texts(tool, data, sample, what, scales)]
    columns = _displayed(columns) if what == "judgments" else columns
    texts = len(columns)
    points = {name: points_of(one.answers.get(name) for one in sample) for name in questions}
    remarks = [name for name in questions if _is_remark(name, sample, points[name])]
    questions = [name for name in questions if name not in remarks]
    columns += _of_questions(questions, points, what, scales)
    columns += _of_people(sample, remarks, what)
    names = _different([one.name for one in columns], texts)
    columns = [replace(one, name=name) for one, name in zip(columns, names, strict=True)]

    keys = [one.name for one in columns[:texts] if one.role in TARGETS]
    shown = {one.name for one in columns[:texts] if one.role == "displayed"}

    def rows() -> Iterator[Row]:
        yield 0, names
        occasions = Occasions(records, keys)
        for one in records():
            cells = [_shown(one.data.get(name), name in shown) for name in data]
            if not one.counts:
                yield one.line, [*cells, *[None] * (len(names) - texts)]
                continue
            occasion = occasions.of(one)
            if occasion is None:
                continue
            answers = [_point(one.answers.get(name), points[name]) for name in questions]
            yield (
                one.line,
                [
                    *cells,
                    *answers,
                    one.annotator or None,
                    one.judged_at or None,
                    _remark(one, remarks) or None,
                    occasion if occasion > 1 else None,
                ],
            )

    if what == "judgments":
        asks = (*asks, *tool.asks, *_asks_of_people(sample))
    return ToolTable(
        tool.name,
        what,
        tuple(columns),
        rows,
        (*tool.left_out, *_left_out(sample, remarks, keys)),
        asks,
        _refused(tool, columns, what, judged, bool(questions)),
        words=_words(columns, questions, points, sample) if what == "judgments" else {},
    )


def _apart(records: Records) -> Records:
    """Return a record for each output, where records have several outputs with answers to each."""
    sample = list(islice(records(), SAMPLE))
    grid = OutputGrid(
        list(dict.fromkeys(name for one in sample for name in one.data)),
        list(dict.fromkeys(name for one in sample for name in one.answers)),
    )
    if not grid:
        return records

    def parts() -> Iterator[Answered]:
        for one in records():
            for data, answers in grid.parts(one.data, one.answers):
                yield replace(one, data=data, answers=answers)

    return parts


def _split(records: Records, split: FieldSplit) -> Records:
    """Return records whose texts stand in fields of their own, where one field shows them."""
    return lambda: (replace(one, data=split_data(one.data, split)) for one in records())


def _is_remark(name: str, sample: Sequence[Answered], points: object) -> bool:
    if like_remark(name):
        return True
    if points is not None or like_scale(name):
        return False
    texts = [str(one.answers[name]) for one in sample if not is_empty(one.answers.get(name))]
    free = len(set(texts)) > max(7, len(texts) // 2) and any(" " in text for text in texts)
    return free or any(len(text) > LONGEST_ANSWER for text in texts)


def _of_questions(
    questions: Sequence[str],
    points: Mapping[str, Mapping[str, float] | None],
    what: str,
    scales: Sequence[str],
) -> Iterator[ToolColumn]:
    taken: set[str] = set()
    for name in questions:
        if what == "items":
            yield ToolColumn(name, IGNORE, JUDGMENTS)
            continue
        scale = scale_named(name, scales)
        if scale is None and len(scales) == len(questions) == 1:
            scale = scales[0]
        ask = scale is None or scale in taken
        of = name if scale is None or scale in taken else scale
        taken.add(of)
        if scale is None:
            reason = say("answers, but of which scale?")
        elif ask:
            reason = say("a second column for the scale %(scale)s", scale=scale)
        else:
            reason = say("named like the scale %(scale)s", scale=scale)
        if points[name] is None:
            ask, reason = True, WORDS_ALONE if not ask else reason
        yield ToolColumn(name, "value_of", reason, of[:40], ask=ask)


def _of_people(
    sample: Sequence[Answered], remarks: Sequence[str], what: str
) -> Iterator[ToolColumn]:
    has = {
        ANNOTATOR: any(one.annotator for one in sample),
        TIME: any(one.judged_at for one in sample),
        COMMENT: any(_remark(one, remarks) for one in sample),
        OCCASION: True,
    }
    for name in OF_PEOPLE:
        if what == "judgments" and has[name]:
            yield ToolColumn(name, name, say("the tool writes it there"))
        else:
            why = JUDGMENTS if has[name] else say("empty")
            yield ToolColumn(name, IGNORE, why)


def _different(names: Sequence[str], texts: int) -> list[str]:
    """Return the names, each once: questions and people stand behind the texts' own fields."""
    taken: set[str] = set()
    result = []
    for at, name in enumerate(names):
        while name.casefold() in taken:
            name = f"{name} (answer)" if at >= texts else f"{name} (field)"
        taken.add(name.casefold())
        result.append(name)
    return result


def _remark(one: Answered, remarks: Sequence[str]) -> str:
    texts = [one.comment, *(str(one.answers.get(name) or "") for name in remarks)]
    return "\n".join(text.strip() for text in texts if text.strip())


def _shown(value: Cell, displayed: bool) -> Cell:
    if displayed and isinstance(value, str):
        return plain_text(value)
    return value.label if isinstance(value, Coded) else value


def _displayed(columns: Sequence[ToolColumn]) -> list[ToolColumn]:
    """Return the columns; a field that shows both texts, if no field holds the paraphrase, names
    the text of the campaign that stands in it."""
    roles = [one.role for one in columns]
    if roles.count("sentence") != 1 or {"paraphrase", "output_of", "phrase"} & set(roles):
        return list(columns)
    why = say("it shows the original and the paraphrase of a text of the campaign")
    return [
        replace(one, role="displayed", reason=why, ask=False) if one.role == "sentence" else one
        for one in columns
    ]


def _point(value: Cell, points: Mapping[str, float] | None) -> Cell:
    if is_empty(value):
        return None
    return number_of(value, points)


def _words(
    columns: Sequence[ToolColumn],
    questions: Sequence[str],
    points: Mapping[str, Mapping[str, float] | None],
    sample: Sequence[Answered],
) -> dict[str, dict[str, float | None]]:
    """Return points for words that the file numbers: the first class is 1. Somebody confirms it."""
    scales = [one.of for one in columns if one.role == "value_of"]
    words: dict[str, dict[str, float | None]] = {}
    for scale, name in zip(scales, questions, strict=True):
        values = [one.answers.get(name) for one in sample]
        coded = {one.label.strip(): one.number + 1 for one in values if isinstance(one, Coded)}
        if points[name] is None and coded:
            words[scale] = dict(coded)
    return words


def _left_out(
    sample: Sequence[Answered], remarks: Sequence[str], keys: Sequence[str]
) -> Iterator[tuple[Sentence, Sentence]]:
    counts: Counter[Sentence] = Counter()
    occasions = Occasions(lambda: iter(sample), keys)
    lost = 0
    for one in sample:
        if one.why is not None:
            counts[one.why] += 1
        elif one.counts:
            counts[TWICE] += occasions.of(one) is None
        else:
            counts[UNANSWERED] += bool(one.annotator)
            lost += bool(_remark(one, remarks))
    for why, n in counts.items():
        if n:
            yield say("1 text") if n == 1 else say("%(n)s texts", n=n), why
    if lost:
        yield say("%(n)s remarks", n=lost), say("beside no judgment")


def _asks_of_people(sample: Sequence[Answered]) -> Iterator[Sentence]:
    nobody = any(not one.annotator for one in sample if one.counts)
    if nobody:
        yield say(
            "the file does not say who judged: name the annotator, or import the judgments as "
            "anonymous"
        )


def _refused(
    tool: Tool, columns: Sequence[ToolColumn], what: str, judged: bool, has_questions: bool
) -> Sentence | None:
    roles = {one.role for one in columns}
    if not roles & {"sentence", "phrase", "paraphrase", "output_of", "displayed"}:
        return tool.no_texts
    if what == "judgments" and not (judged and has_questions):
        return NOT_JUDGED
    return None
