"""Import fixed lists: who judges what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import BinaryIO

from annotation.importers import Problem, shown
from annotation.importers.lists import ListRow, read_lists
from annotation.models import Annotator, Campaign, Item, OutsideId, WorkList
from annotation.models.fields import text_digest
from annotation.services.audit import Actor, audit
from annotation.services.importing.report import ImportReport, pieces
from annotation.services.people.lists import list_write
from paraanno.plain.sentence import Sentence, say


def lists_import(
    *,
    campaign: Campaign,
    stream: BinaryIO,
    name: str,
    actor: Actor,
    format: str | None = None,
    raw: bool = False,
    dry_run: bool = False,
) -> ImportReport:
    """Import a file of lists (`annotation/importers/lists.py`) from a byte stream.

    A list that the file names becomes what the file says, but what its annotator has open or done
    stays on it; other lists stay as they are. Importing again is a no-op. `counts`: lists, and
    entries that are new.
    """
    parsed = read_lists(stream, name=name, format=format, raw=raw)
    problems, wanted = _resolved(campaign, parsed.rows, name)
    problems = [*parsed.problems, *problems]
    if any(one.severity == "error" for one in problems):
        return ImportReport(tuple(problems), len(parsed.rows), dry_run=dry_run)
    known = defaultdict(set)
    rows = WorkList.objects.filter(campaign=campaign).values_list(
        "annotator__code", "name", "entries__item"
    )
    for code, list_name, item in rows:
        known[(code, "") if code else ("", list_name)].add(item)
    counts = {
        "lists": len([one for one in wanted if one not in known]),
        "entries": sum(len(set(items) - known[one]) for one, items in wanted.items()),
    }
    if not dry_run:
        people = {one.code: one for one in _people(campaign, parsed.rows)}
        for (code, list_name), items in wanted.items():
            list_write(
                campaign=campaign, annotator=people.get(code), name=list_name or code,
                items=items, actor=actor,
            )  # fmt: skip
        audit(
            actor=actor, verb="import lists", about=campaign, campaign=campaign, **counts
        )  # fmt: skip
    return ImportReport(tuple(problems), len(parsed.rows), counts, dry_run)


def _people(campaign: Campaign, rows: Sequence[ListRow]) -> list[Annotator]:
    codes = {row.annotator for row in rows if row.annotator}
    found = [Annotator.objects.filter(campaign=campaign, code__in=part) for part in pieces(codes)]
    return [one for part in found for one in part]


def _resolved(
    campaign: Campaign, rows: Sequence[ListRow], name: str
) -> tuple[list[Problem], dict[tuple[str, str], list[int]]]:
    """Find the items; an item that one line names by its id and another by its text is one."""
    people = {one.code for one in _people(campaign, rows)}
    taken = set(
        WorkList.objects.filter(campaign=campaign).exclude(annotator=None)
        .values_list("name", flat=True)
    )  # fmt: skip
    outside: dict[str, int] = {}
    for part in pieces({row.item for row in rows if row.item}):
        found = OutsideId.objects.filter(campaign=campaign, value__in=part)
        outside.update(found.values_list("value", "item_id"))
    texts: dict[str, int] = {}
    for digests in pieces({text_digest(*row.place) for row in rows if row.place}):
        items = Item.objects.filter(campaign=campaign, identity_hash__in=digests)
        texts.update(items.values_list("identity_hash", "pk"))
    problems: list[Problem] = []
    wanted: dict[tuple[str, str], list[int]] = {}
    lines: dict[tuple[tuple[str, str], int], int] = {}
    for row in rows:
        wrong: Sentence | None = None
        item = outside.get(row.item) if row.item else texts.get(text_digest(*(row.place or ())))
        if row.annotator and row.annotator not in people:
            wrong = say(
                "nobody in the campaign has the code %(code)s: correct it, or name the list in "
                "the column list, for somebody who comes later",
                code=shown(row.annotator),
            )
        elif row.list_name and row.list_name in taken:
            wrong = say(
                "the list %(name)s is somebody’s already: name its annotator instead",
                name=shown(row.list_name),
            )
        elif item is None:
            wrong = say(
                "there is no item %(item)s in the campaign: import it first",
                item=shown(row.item or (row.place.phrase if row.place else "")),
            )
        elif (first := lines.setdefault((row.whose, item), row.line)) != row.line:
            wrong = say("the same item is on this list in line %(line)s too: remove one",
                        line=first)  # fmt: skip
        if wrong is not None:
            problems.append(Problem(name, row.line, None, wrong))
        elif item is not None:
            wanted.setdefault(row.whose, []).append(item)
    return problems, wanted
