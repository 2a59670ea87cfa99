"""Good files of every kind that strangers send, what reads each, and damage, drawn from a seed."""

import random
import zipfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from annotation.importers.campaign_template import read_template
from annotation.importers.ccb import read_ccb
from annotation.importers.gold import people_read, read_expected, read_gold, read_lists
from annotation.importers.items import read_items
from annotation.importers.judgments import PpdbRecords, read_judgments, read_scores
from annotation.importers.tables import inspect_book, open_book
from annotation.importers.tables.opening import is_ours
from annotation.importers.tables.shaping import shaped
from scoring.archives.file_format import open_archive
from scoring.metrics.resources.kinds import convert
from scoring.metrics.scored import read_pairs
from scoring.stats.shared_tasks.submissions import read_submission
from scoring.stats.terminal.files import read_ratings
from tests import HOME
from tests.annotation.importers.tables.tools.tool_files import FOLDER
from tests.annotation.importers.test_ppdb import FILE as PPDB
from tests.annotation.messy import FILES
from tests.scoring.metrics.good_files import GOOD
from tests.scoring.metrics.resources.test_fasttext_head import model

TOOLS = {
    name: (FOLDER / name).read_bytes()
    for name in (
        "label_studio/ratings.JSON.json",
        "label_studio/ratings.CSV.csv",
        "potato/en_project.zip",
        "doccano/meta.CSV.zip",
        "argilla/en.list_flat.json",
        "argilla/en.hf.csv",
        "datasets/long_splits.zip",
        "datasets/card.zip",
        "datasets/nested_de.parquet",
        "prodigy/choice.jsonl",
        "mturk/task_answers_de.csv",
        "wmt/eval_set.zip",
        "wmt/mqm.tsv",
        "surveys/qualtrics_shown.csv",
    )
}
ITEMS = (HOME / "examples/demo/items.jsonl").read_bytes()[:20_000].rpartition(b"\n")[0]
CCB = (HOME / "examples/ccb/judged.csv").read_bytes()
TEMPLATE = (HOME / "annotation/starters/en").glob("*.y*ml")
ARCHIVE = (HOME / "tests/scoring/services/archives/versions/schema-1.zip").read_bytes()
CSV = "item,sentence,phrase,paraphrase,system\n1,it is so,so,thus,A\n2,ünd so on,so,then,B\n"
JUDGED = "item,paraphrase,annotator,scale,value,judged_at\n1,x,A,M,4,2024-01-31T10:00Z\n2,y,B,M,,\n"
GOLD = "item,paraphrase,M,M_n,M_sd\n1,x,4,3,.5\n2,y,2,3,1\n"
SCORES = "item,paraphrase,score\n1,x,.5\n2,y,-2e1\n"
EXPECTED = "item,paraphrase,scale,low,high,role\n1,x,M,4,5,control\n"
LISTS = "annotator,list,item,phrase,sentence,start\nA01,,7,,,\n,late,,cat,a cat a cat,6\n"
SUBMISSION = "text\tscore\nt1\t1\nt2\t2.5\nt3\t-1e3\n"
IDS = {"choice": ["p1", "p2"], "score": ["t1", "t2", "t3"]}
PAIRS = "original,paraphrase,reference,language\nIt is so.,It is thus.,Thus it is.,en\n"
RATINGS = "item,annotator,scale,value\n1,a,M,3\n1,b,M,4\n2,a,M,1\n2,b,M,2\n"


@dataclass(frozen=True)
class Kind:
    """Files by name, and what reads one: `read(data, name)`."""

    files: dict[str, bytes]
    read: object


def with_records(reader, **options):
    return lambda data, name: reader(BytesIO(data), name=name, **options)


def on_disk(reader):
    def read(data, name):
        with TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_bytes(data)
            (store := Path(folder, "store")).mkdir()
            reader(path, store)

    return read


def table(data, name):
    """All that a page does with a table: is it ours, how is it written, what does it hold."""
    is_ours(BytesIO(data), name, ("M",))
    book = open_book(BytesIO(data), name)
    inspect_book(book)
    for sheet in book.sheets:
        for _ in book.rows(sheet):
            pass


def of_tool(data, name):
    """A file of another tool: as a table, and read as it is understood."""
    for what in ("items", "judgments"):
        book = open_book(BytesIO(data), name)
        seen = inspect_book(book, what=what)
        for _ in shaped(book, seen.mapping.form, what).rows(seen.mapping.sheet):
            pass


def converted(kind):
    return on_disk(lambda path, store: convert(kind, path, store, progress=lambda share: None))


def in_all_forms(text, *endings):
    """The same text as a file of these endings, in UTF-8 and in UTF-16."""
    return {f"f.{one}": text.encode() for one in endings} | {"f16.csv": text.encode("utf-16")}


KINDS = {
    "tables": Kind(
        {name: one.make() for name, one in FILES.items()} | in_all_forms(CSV, "csv", "txt"), table
    ),
    "tools": Kind(TOOLS, of_tool),
    "items": Kind({**in_all_forms(CSV, "csv"), "f.jsonl": ITEMS}, with_records(read_items)),
    "judgments": Kind(in_all_forms(JUDGED, "csv"), with_records(read_judgments)),
    "gold": Kind(in_all_forms(GOLD, "csv"), with_records(read_gold, scales=["M"])),
    "scores": Kind(in_all_forms(SCORES, "csv"), with_records(read_scores)),
    "expected": Kind(in_all_forms(EXPECTED, "csv"), with_records(read_expected)),
    "lists": Kind(in_all_forms(LISTS, "csv"), with_records(read_lists)),
    "people": Kind(
        {"f.csv": b"Bob,bob@example.org,annotator,g1\nEve;eve@example.org\n"},
        lambda data, name: people_read(
            data.decode("utf-8", "replace"), name=name, roles=["annotator", "viewer"]
        ),
    ),
    "ppdb": Kind(
        {"f.txt": PPDB.encode()},
        lambda data, name: read_items(PpdbRecords(BytesIO(data), "items"), name=name),
    ),
    "ccb": Kind({"f.csv": CCB}, with_records(read_ccb)),
    "templates": Kind(
        {path.name: path.read_bytes() for path in TEMPLATE},
        lambda data, name: read_template(data, name=name),
    ),
    "archives": Kind({"a.zip": ARCHIVE}, lambda data, name: open_archive(BytesIO(data)).check()),
    "submissions": Kind(
        in_all_forms(SUBMISSION, "tsv"),
        lambda data, name: read_submission(data, name, ids=IDS, format="tsv"),
    ),
    "pairs": Kind(in_all_forms(PAIRS, "csv"), on_disk(lambda path, _: read_pairs(path))),
    "ratings": Kind(in_all_forms(RATINGS, "csv"), on_disk(lambda path, _: read_ratings(path))),
    **{
        f"resource: {kind}": Kind({"f.txt": text.encode()}, converted(kind))
        for kind, text in GOOD.items()
    },
    "resource: models": Kind(
        {"m.bin": model(), "w.bin": b"2 2\ncat " + bytes(8) + b"\ndog \0\0\x80?\0\0\0\0\n"},
        converted("vectors"),
    ),
}

BITS = [
    b"",
    b"\0",
    b"\xff",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\n",
    b"\r",
    b"\t",
    b'"',
    b"'",
    b",",
    b";",
    b"[" * 5000,
    b"{",
    b"}",
    b"-1",
    b"0",
    b"99999999999999999999",
    b"1e999",
    b"NaN",
    b"\\ud800",
    b"&a;",
    b"%s",
    b"PK\x03\x04",
    b"\x80\x04",
    b"\xe2\x80\xa8",
    b"\xff\xff\xff\x7f",
    b"\xff\xff\xff\xff\xff\xff\xff\xff",
    b"UTF-7",
    b"x" * 3000,
]


def once(data, rng):
    """The data with one part cut, doubled, flipped, or something put in its place."""
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    b = min(b, a + rng.choice((1, 2, 4, 16, 200)))
    before, part, after = data[:a], data[a:b], data[b:]
    flipped = bytes(one ^ 1 << rng.randrange(8) for one in part)
    instead = (part * 3, rng.choice(BITS), rng.choice(BITS) + part, rng.randbytes(b - a), flipped)
    whole = [before, part + after, before + after, *(before + one + after for one in instead)]
    return rng.choice(whole)


def hurt(data, rng):
    """The data with one to three damages."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = once(data, rng)
    return data


def hurt_inside(data, rng):
    """A zip whole from outside, with a part that is damaged."""
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        chosen = rng.choice(old.namelist())
        for name in old.namelist():
            new.writestr(name, hurt(old.read(name), rng) if name == chosen else old.read(name))
    return out.getvalue()


def mutants(n, seed=0):
    """`n` damaged files, of every kind in turn: kind, name, data."""
    rng = random.Random(seed)
    kinds = list(KINDS)
    for at in range(n):
        kind = kinds[at % len(kinds)]
        name = rng.choice(list(KINDS[kind].files))
        data = KINDS[kind].files[name]
        inside = data.startswith(b"PK\x03\x04") and rng.random() < 0.6
        yield kind, name, (hurt_inside if inside else hurt)(data, rng)
