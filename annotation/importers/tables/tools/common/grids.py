"""Records with several outputs and an answer to each: one record for each output."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from annotation.importers.tables.books import Cell
from annotation.importers.tables.names import concepts, plain_name, roles_named

_NUMBERED = re.compile(r"(.*?)(?:[\s_.\-]*([0-9]{1,4})|[\s_.\-]([A-Za-z]))")
Part = tuple[Mapping[str, Cell], Mapping[str, Cell]]  # fields, answers


class OutputGrid:
    """How records with several outputs come apart; `parts` yields them, one for each output."""

    def __init__(self, data: Sequence[str], questions: Sequence[str]) -> None:
        self.by_name = _by_name(data, questions)
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
                yield {**shared, "paraphrase": data[output], "system": output}, {**rest, **own}
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
