"""Lists of people to invite: one per line, name, e-mail, role, group."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass

from paraanno.plain.problems import Problem
from paraanno.plain.sentence import say

COLUMNS = ("name", "email", "role", "group")
LONGEST = {"name": 100, "email": 254, "role": 20, "group": 60}
_EMAIL = re.compile(r"[^@\s,;<>\"]+@[^@\s,;<>\"]+\.[^@\s,;<>\".]+")
_MAILBOX = re.compile(r"([^<>]*)<([^<>]*)>")


@dataclass(frozen=True, slots=True)
class InvitedPerson:
    """One line. The e-mail, the role and the group may be empty."""

    line: int
    name: str
    email: str
    role: str
    group: str


def people_read(
    text: str, *, name: str, roles: Sequence[str]
) -> tuple[list[InvitedPerson], list[Problem]]:
    """Read lines separated by commas, semicolons or tabs; empty lines and a line of headings are
    skipped.

    `name` is the file's name for problems; `roles` are allowed, the first is the default. An
    e-mail that occurs twice is a problem that names both lines.
    """
    lines = text.lstrip("\ufeff").splitlines()
    first = next((line for line in lines if line.strip()), "")
    divided = next((line for line in lines if re.search("[\t;,]", line)), "")
    separator = max("\t;,", key=divided.count)
    people: list[InvitedPerson] = []
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
        if not any(cells) or (line == first and cells[0].casefold() in ("name", "email", "e-mail")):
            continue
        one, problem = _person(cells, number, name, roles)
        if problem is None and one.email and one.email.casefold() in seen:
            where = seen[one.email.casefold()]
            problem = Problem(
                name, number, "email",
                say("%(email)s is in line %(line)s too: remove one of them",
                    email=one.email, line=where),
            )  # fmt: skip
        if problem is not None:
            problems.append(problem)
            continue
        seen[one.email.casefold()] = number
        people.append(one)
    return people, problems


def _person(
    cells: list[str], number: int, file: str, roles: Sequence[str]
) -> tuple[InvitedPerson, Problem | None]:
    padded = [*cells, "", "", "", ""][:4]
    if "@" in padded[0] and not padded[1]:  # As mail programs write them: addresses without names,
        mailbox = _MAILBOX.fullmatch(padded[0])  # or "Name <address>".
        padded[:2] = [mailbox[1].strip(), mailbox[2].strip()] if mailbox else ["", padded[0]]
    given = dict(zip(COLUMNS, padded, strict=True))
    one = InvitedPerson(
        number, given["name"], given["email"], given["role"].casefold() or roles[0], given["group"]
    )
    return one, _wrong(one, given, cells, file, roles)


def _wrong(
    one: InvitedPerson, given: dict[str, str], cells: list[str], file: str, roles: Sequence[str]
) -> Problem | None:
    line = one.line
    if any(cells[4:]):
        said = say("more than four cells: give name, e-mail, role and group")
        return Problem(file, line, None, said)
    for column, longest in LONGEST.items():
        if len(given[column]) > longest or "\0" in given[column]:
            said = say("longer than %(n)s characters, or with a NUL: shorten it", n=longest)
            return Problem(file, line, column, said)
    if one.email and not _EMAIL.fullmatch(one.email):
        said = say("%(text)s is no e-mail address: correct it", text=one.email)
        return Problem(file, line, "email", said)
    if not one.email and not one.name:
        said = say("neither a name nor an e-mail address: give one")
        return Problem(file, line, "name", said)
    if one.role not in roles:
        said = say(
            "%(text)s is no role: give one of %(roles)s, or nothing",
            text=one.role, roles=", ".join(roles),
        )  # fmt: skip
        return Problem(file, line, "role", said)
    return None
