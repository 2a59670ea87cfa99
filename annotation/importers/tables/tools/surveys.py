"""Answers to surveys (Qualtrics, Google Forms): a row a respondent, a column a question.

The questions show the texts: with labels the texts are in the file; without, a question names the
text of the campaign whose original and paraphrase stand in it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

from annotation.importers.tables.books import Book, Cell, Row, TableError, is_empty
from annotation.importers.tables.guessing.point_words import NO, YES, plain_word
from annotation.importers.tables.names import concepts, plain_name, roles_named, scale_named
from annotation.importers.tables.proving.legends import directions
from annotation.importers.tables.tools.common.answer_tables import table_of_answers
from annotation.importers.tables.tools.common.answers import (
    COMMON,
    REST,
    Answered,
    Records,
    Tool,
    ToolTable,
    parts_of,
    plain_text,
)
from annotation.importers.tables.tools.common.headings import headings_of, scale_in
from paraanno.common.texts import Sentence, say

QUALTRICS, FORMS = "Qualtrics", "Google Forms"
# The first column of Google Forms, in the language of its owner.
STAMPS = {
    "timestamp",
    "zeitstempel",
    "horodateur",
    "marca temporal",
    "타임스탬프",
    "时间戳记",
    "时间戳",
    "タイムスタンプ",
}
MAIL = {
    "email address",
    "e mail adresse",
    "adresse e mail",
    "direccion de correo electronico",
    "이메일 주소",
    "email",
    "e mail",
    "username",
    "nutzername",
    "nom d utilisateur",
    "nombre de usuario",
    "사용자 이름",
    "이메일",
    "电子邮件地址",
    "用户名",
}
SURVEY = "Survey"
SAMPLE, MOST_HEADINGS = 500, 3000
PREVIEW_WORDS = {"survey preview", "preview", "survey test", "pretest", "test"}
PREVIEW = {"1", "survey preview", "preview", "2", "survey test"}
SHORTEST = 25  # characters of a question that may show two texts
_PIPED = re.compile(r"\$\{|\[Field-|Field/|lm://", re.IGNORECASE)
_YOURS = re.compile(
    r"\b(your|ihre?n?|dein|votre|ton|su|tu)\b|당신|귀하|본인|참가|您|你", re.IGNORECASE
)
_CODE = re.compile(r"code\b|c[oó]digo\b|k[uü]rzel\b|코드|代码|代号|コード", re.IGNORECASE)
_GRID = re.compile(r"(.*)\[([^\[\]]+)\]\s*", re.DOTALL)
# 1. Original: "..." Paraphrase: "..." How similar are they?
_QUOTED = re.compile(r'(?:[0-9]+[.)]\s*)?(.*["”“»」’])\s+([^"”“»」]{4,})', re.DOTALL)
_DOUBLE = re.compile(r"(.*?)\.[0-9]{1,3}", re.DOTALL)
PREVIEWED = say("a preview of the survey's owner, no answer")
LEFT_OUT = say("left out, as a column of the file says")
_EXCLUDES = re.compile(
    r"exclu|discard|delete|remove|drop|reject|invalid|ausgeschl|ausschl|제외|剔除|排除"
)
_ALL_ROWS = say(
    "a column may mark rows that are left out (%(names)s): are all rows to be read?"
).template


@dataclass(frozen=True, slots=True)
class AskedColumn:
    """A column of answers: the text that was shown, and what was asked about it."""

    at: int
    shown: str
    wording: str


def recognise(book: Book, what: str | None, scales: Sequence[str]) -> ToolTable | None:
    """Return the plain table of a survey; None for another file."""
    sheet = book.sheets[0]
    try:
        head = list(islice(book.rows(sheet), 3))
    except TableError:
        return None
    if len(head) < 2 or book.kind == "zip":
        return None
    names = _texts(head[0])
    table = None
    if len(head) == 3 and _imported(head[2]):
        table = _qualtrics(book, sheet, head, what, scales)
    elif names and plain_name(names[0]) in STAMPS and len(names) > 2 and not _has_texts(names):
        table = _forms(book, sheet, names, what, scales)
    roles = {one.role for one in table.columns} if table is not None else set()
    if table is None or table.refused is not None or "displayed" in roles:
        table = _of_headings(book, sheet, head, what, scales) or table
    return table


def _has_texts(names: Sequence[str]) -> bool:
    """Whether columns of their own hold the original and the paraphrase: a plain table."""
    return {"sentence", "paraphrase"} <= {role for name in names for role in roles_named(name)[:1]}


def _texts(row: Row) -> list[str]:
    return ["" if cell is None else str(cell).strip() for cell in row[1]]


def _imported(row: Row) -> list[str]:
    """Return the ids of Qualtrics's third row; none if it is no such row."""
    ids = []
    for text in _texts(row):
        try:
            value = json.loads(text) if text.startswith("{") else None
        except (ValueError, RecursionError):
            value = None
        ids.append(str(value.get("ImportId", "")) if isinstance(value, dict) else "")
    return ids if sum(map(bool, ids)) > len(ids) / 2 else []


def _of_headings(
    book: Book, sheet: str, head: Sequence[Row], what: str | None, scales: Sequence[str]
) -> ToolTable | None:
    """Read a survey whose headings show original, question and paraphrase; None for another."""
    if len(head[0][1]) > MOST_HEADINGS:
        return None
    first, second = _texts(head[0]), _texts(head[1])
    imported = len(head) == 3 and bool(_imported(head[2]))
    size, headings = max(
        (
            (n, headings_of(texts))
            for n, texts in (
                (1, first),
                (3 if imported else 2, second),
                (2, _joined(first, second)),
            )
        ),
        key=lambda one: sum(each is not None for each in one[1]),
    )
    places = {at: one for at, one in enumerate(headings) if one is not None}
    if not places:
        return None
    rest = [at for at in range(len(first)) if at not in places and (first[at] or second[at])]
    below = [cells for _, cells in islice(book.rows(sheet), size, size + SAMPLE)]
    flags = _flags(first, rest)
    people = next((at for at in rest if _numbers_people(first[at], below, at)), -1)

    def records() -> Iterator[Answered]:
        rows = islice(book.rows(sheet), size, None)
        for number, (line, cells) in enumerate(rows, 1):
            person = _cell(cells, people) or f"respondent-{number}"
            tried = any(_cell(cells, at).casefold() in PREVIEW_WORDS for at in rest)
            why = PREVIEWED if tried else LEFT_OUT if _is_left_out(cells, flags) else None
            by_text: dict[tuple[str, str], dict[str, Cell]] = {}
            for at, one in places.items():
                value = cells[at] if at < len(cells) else None
                own = by_text.setdefault((one.original, one.paraphrase), {})
                own[scale_in(one.wording)] = None if is_empty(value) else value
            for (original, paraphrase), answers in by_text.items():
                data = {"original": original, "paraphrase": paraphrase}
                yield Answered(line, data, person, answers, why=why)

    names = ", ".join(first[at] or second[at] for at in rest)
    left = ((say("%(names)s", names=names), say("columns of responses, not of texts")),)
    wordings = dict.fromkeys(one.wording for one in places.values())
    asks = [*directions(wordings)]
    if _unclear_flags(below, flags):
        asks.append(say(_ALL_ROWS, names=", ".join(first[at] for at in flags)))
    tool = Tool(QUALTRICS if imported else SURVEY, left_out=left if rest else (), asks=(*asks,))
    table = table_of_answers(tool, records, what or "judgments", scales)
    return replace(table, legends={scale_in(one): one for one in wordings})


def _joined(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Return the headings of two rows, of which the upper one stands over several columns."""
    joined, above = [], ""
    for upper, lower in zip_longest(first, second, fillvalue=""):
        above = upper or above
        joined.append(f"{above}\n{lower}")
    return joined


def _numbers_people(name: str, below: Sequence[Sequence[Cell]], at: int) -> bool:
    """Whether a column has another name, number or code for each who answered."""
    cells = [_cell(cells, at) for cells in below]
    named = (
        _names_people(name)
        or plain_name(name) in MAIL
        or bool(concepts(name) & {"id", "annotator"})
        or name.casefold() in ("case", "responseid")
    )
    return named and all(cells) and len({*cells}) == len(cells)


def _flags(names: Sequence[str], rest: Sequence[int]) -> dict[int, bool]:
    """Return the columns that say which rows are read, and whether yes means so."""
    return {
        at: not _EXCLUDES.search(plain_name(names[at]))
        for at in rest
        if "apart" in concepts(names[at])
    }


def _is_left_out(cells: Sequence[Cell], flags: Mapping[int, bool]) -> bool:
    """Whether a column says that a row is not read."""
    words = [(plain_word(_cell(cells, at)), reads) for at, reads in flags.items()]
    return any(word in (NO if reads else YES) for word, reads in words)


def _unclear_flags(below: Sequence[Sequence[Cell]], flags: Mapping[int, bool]) -> bool:
    """Whether such columns hold something else than yes and no."""
    words = {plain_word(_cell(cells, at)) for cells in below for at in flags} - {""}
    return not words <= YES | NO


def _qualtrics(
    book: Book, sheet: str, head: Sequence[Row], what: str | None, scales: Sequence[str]
) -> ToolTable:
    names, texts, ids = _texts(head[0]), _texts(head[1]), _imported(head[2])
    questions = [
        _question(at, text)
        for at, (text, one) in enumerate(zip(texts, ids, strict=False))
        if "QID" in one
    ]
    status = names.index("Status") if "Status" in names else -1
    person = names.index("ResponseId") if "ResponseId" in names else -1
    flags = _flags(names, range(len(names)))

    def records() -> Iterator[Answered]:
        for number, (line, cells) in enumerate(islice(book.rows(sheet), 3, None), 1):
            code = _cell(cells, person) or f"respondent-{number}"
            preview = _cell(cells, status).casefold() in PREVIEW
            why = PREVIEWED if preview else LEFT_OUT if _is_left_out(cells, flags) else None
            yield from _of_row(line, cells, questions, code, why)

    piped = [one for one in questions if _PIPED.search(one.shown + one.wording)]
    refusal = None
    if piped:
        refusal = say(
            "the questions hold piped fields instead of the texts (%(name)s): export the embedded "
            "fields too, or make a table with a row for each text and respondent",
            name=repr((piped[0].shown or piped[0].wording)[:60]),
        )
    rest = [name for name, one in zip(names, ids, strict=False) if name and "QID" not in one]
    return _table(QUALTRICS, records, questions, rest, refusal, what, scales)


def _forms(
    book: Book, sheet: str, names: Sequence[str], what: str | None, scales: Sequence[str]
) -> ToolTable:
    mails = [
        at
        for at, name in enumerate(names)
        if at and (plain_name(name) in MAIL or _names_people(name))
    ]
    questions = [
        _question(at, name) for at, name in enumerate(names) if at and name and at not in mails
    ]

    def records() -> Iterator[Answered]:
        for number, (line, cells) in enumerate(islice(book.rows(sheet), 1, None), 1):
            person = next((code for at in mails if (code := _cell(cells, at))), "")
            yield from _of_row(line, cells, questions, person or f"respondent-{number}", None)

    shown = {one.at for one in questions if one.shown}
    rest = [name for at, name in enumerate(names) if name and at not in {*shown, *mails}]
    return _table(FORMS, records, questions, rest, None, what, scales)


def _names_people(name: str) -> bool:
    """Whether a short question asks for the name or number or code of who answers: "Your ID"."""
    about = concepts(name)
    return len(name) < SHORTEST + 15 and (
        roles_named(name)[:1] == ("annotator",)
        or ("annotator" in about and bool(about & {"id", "name"} or _CODE.search(name)))
        or (bool(_YOURS.search(name)) and bool(about & {"id", "name"}))
    )


def _cell(cells: Sequence[Cell], at: int) -> str:
    return "" if not 0 <= at < len(cells) or cells[at] is None else str(cells[at]).strip()


def _question(at: int, text: str) -> AskedColumn:
    """Part a question into the text that it shows and what it asks: its last line, its row of a
    grid ("... [Meaning]"), or what stands behind a dash ("... - Meaning")."""
    text = plain_text(text).strip()
    double = _DOUBLE.fullmatch(text)
    text = double[1] if double and double[1] else text
    grid = _GRID.fullmatch(text)
    if grid:
        return AskedColumn(at, grid[1].strip(), grid[2].strip())
    quoted = _QUOTED.fullmatch(text)
    if quoted and isinstance(parts_of(quoted[1]), Mapping):
        return AskedColumn(at, quoted[1], quoted[2])
    shown, _, question = text.rpartition("\n")
    before, _, behind = text.rpartition(" - ")
    if not shown or isinstance(parts_of(before), Mapping):
        shown, question = before, behind
    is_question = scale_named(question, COMMON) is not None or (
        isinstance(parts_of(shown), Mapping) and (shown.endswith("\n") or "?" in question)
    )
    if shown and not is_question and isinstance(parts_of(text), Mapping):
        return AskedColumn(at, text, "")
    return AskedColumn(at, shown.strip(), question.strip()) if shown else AskedColumn(at, "", text)


def _of_row(
    line: int,
    cells: Sequence[Cell],
    questions: Sequence[AskedColumn],
    person: str,
    why: Sentence | None,
) -> Iterator[Answered]:
    """Yield the answers of a respondent, together for each text that was shown."""
    by_text: dict[str, dict[str, Cell]] = {}
    for one in questions:
        value = cells[one.at] if one.at < len(cells) else None
        by_text.setdefault(one.shown, {})[_question_name(one)] = None if is_empty(value) else value
    for question, answers in by_text.items():
        if question:
            yield Answered(line, {"question": question}, person, answers, why=why)


def _question_name(one: AskedColumn) -> str:
    return scale_named(one.wording, COMMON) or one.wording or "answer"


def _legends(questions: Sequence[AskedColumn]) -> dict[str, str]:
    """Return what all questions of a scale say of its points, beside the texts."""
    wordings: dict[str, set[str]] = {}
    for one in questions:
        parts = parts_of(one.shown) if one.shown else []
        rest = parts.get(REST, "") if isinstance(parts, Mapping) else ""
        wordings.setdefault(_question_name(one), set()).add(f"{rest} {one.wording}".strip())
    return {name: min(texts) for name, texts in wordings.items() if len(texts) == 1}


def _table(
    name: str,
    records: Records,
    questions: Sequence[AskedColumn],
    rest: Sequence[str],
    refusal: Sentence | None,
    what: str | None,
    scales: Sequence[str],
) -> ToolTable:
    what = what or "judgments"
    texts = {one.shown for one in questions if len(one.shown) >= SHORTEST}
    twice = Counter((one.shown, _question_name(one)) for one in questions)
    left = ((say("%(names)s", names=", ".join(rest)), say("columns of responses, not of texts")),)
    legends = _legends(questions)
    tool = Tool(name, left_out=left if rest else (), asks=directions(legends.values()))
    table = table_of_answers(tool, records, what, scales)
    table = replace(table, legends=legends)
    if refusal is None and (not texts or any(n > 1 and key[0] for key, n in twice.items())):
        refusal = say(
            "the questions do not show which text was judged: make a table with a row for each "
            "text and respondent"
        )
    roles = {one.role for one in table.columns}
    if refusal is None and what == "items" and not {"sentence", "paraphrase"} <= roles:
        refusal = say(
            "the questions show the texts without saying which is the original: import the items "
            "from a table of their own first, then this file as judgments"
        )
    return table if refusal is None else replace(table, refused=refusal)
