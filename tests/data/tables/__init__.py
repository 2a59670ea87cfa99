"""Tables of others: files as programs and people write them, each beside what must be read of it.

`NAME.expected.json` holds the name that the file had, the scales of its campaign, and `asks`: of
which kinds the import has to wait for a person. `items` are, for each sentence, lists of phrase,
paraphrase and system (without the phrase where it is the whole sentence), `judgments`, for each
paraphrase, lists of annotator, scale and value; a kind that is not there is not judged.
"""

import json
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
EXPECTED = ".expected.json"


@dataclass(frozen=True)
class Table:
    name: str
    file: str
    data: bytes
    scales: tuple
    asks: tuple
    ranges: dict | None
    items: set | None
    references: dict
    judgments: set | None


def _rows(grouped):
    return None if grouped is None else [(key, *row) for key in grouped for row in grouped[key]]


def _read(path):
    expected = json.loads(path.read_text("utf-8"))
    name = path.name.removesuffix(EXPECTED)
    items, judgments = (_rows(expected.get(what)) for what in ("items", "judgments"))
    return Table(
        name=name,
        file=expected["file"],
        data=path.with_name(name + Path(expected["file"]).suffix).read_bytes(),
        scales=tuple(expected["scales"]),
        asks=tuple(expected["asks"]),
        ranges=expected.get("ranges"),
        items=items and {row if len(row) == 4 else (row[0], *row) for row in items},
        references={
            sentence: set(texts) for sentence, texts in expected.get("references", {}).items()
        },
        judgments=None if judgments is None else set(judgments),
    )


def tables(folder):
    """`laboratories`, which may rarely ask, or `strangers`."""
    return {one.name: one for one in map(_read, sorted((HERE / folder).glob(f"*{EXPECTED}")))}
