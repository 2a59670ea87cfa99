"""What comes out of a file of tests/data/tools, without a campaign."""

import json
import zipfile
from functools import cache
from io import BytesIO

import pytest

from annotation.importers.items import read_items
from annotation.importers.judgments import read_judgments
from annotation.importers.tables import MappedTable, TableError, inspect_book, mapped, open_book
from tests.annotation.importers.tables.tools.tool_files import FILES, FOLDER

SCALES = ("MEANING", "GRAMMAR")


def inspected(data, name, what, scales=SCALES):
    """The inspection of a file; the sentence with which it is refused."""
    try:
        return inspect_book(open_book(BytesIO(data), name), what=what, scales=scales)
    except TableError as refusal:
        return f"refused: {refusal.message}"


def asks(seen):
    names = [one.name for one in seen.columns if one.guess.ask]
    return f"asks: {names} {[str(one) for one in seen.missing]}" if names or seen.missing else ""


def rows(data, name, seen, read):
    """The rows that the mapping of an inspection reads, in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mapped, "open_apart", lambda stream, name, **_: open_book(stream, name))
        parsed = read(MappedTable(BytesIO(data), name, seen.mapping), name=name)
    assert parsed.ok, [str(one) for one in parsed.problems]
    return parsed.rows


@cache
def answers(name, what):
    """What asks or refuses ("": nothing), the rows, and the line of the ledger."""
    data = (FOLDER / name).read_bytes()
    seen = inspected(data, name, what)
    if isinstance(seen, str):
        return seen, (), ""
    if question := asks(seen):
        return question, (), ""
    return (
        "",
        rows(data, name, seen, {"items": read_items, "judgments": read_judgments}[what]),
        (str(seen.ledger.line)),
    )


def agrees(answer, expected):
    kind, _, word = expected.partition(": ")
    return answer.startswith(kind) and word in answer if expected else not answer


def check(name):
    """Compare what a file gives with its line in the table."""
    file = FILES[name]
    answer, items, _ = answers(name, "items")
    assert agrees(answer, file.items), answer
    if not answer:
        assert {(one.sentence, one.paraphrase) for one in items if one.paraphrase} == set(
            file.pairs
        )
        assert {one.system for one in items if one.paraphrase} == set(file.systems)
        references = {(one.sentence, text) for one in items for text in one.references}
        assert len(references) == file.references
    answer, judgments, line = answers(name, "judgments")
    assert agrees(answer, file.judgments), answer
    values = {
        (one.annotator, one.target.paraphrase or _shown(file, one.target), one.scale): one.value
        for one in judgments
        if one.occasion == 1
    }
    assert values == ({} if answer else file.values)
    assert sum(one.comment is not None for one in judgments) == (0 if answer else file.comments)
    assert all(piece in line for piece in file.left)


def _shown(file, target):
    return next(
        text
        for sentence, text in file.pairs
        if sentence in target.displayed and text in target.displayed
    )


def table(records, name="t.json", what="judgments", scales=SCALES):
    """The inspection of JSON records."""
    return inspected(json.dumps(records).encode(), name, what, scales)


def values(records, name="t.json", scales=SCALES):
    """{(annotator, paraphrase, scale): value} of JSON records that say enough."""
    data = json.dumps(records).encode()
    seen = inspected(data, name, "judgments", scales)
    assert not isinstance(seen, str) and not asks(seen), (
        seen if isinstance(seen, str) else asks(seen)
    )
    return {
        (one.annotator, one.target.paraphrase, one.scale): one.value
        for one in rows(data, name, seen, read_judgments)
    }


def zipped(files):
    """A zip of texts, and of JSON."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content if isinstance(content, str) else json.dumps(content))
    return out.getvalue()
