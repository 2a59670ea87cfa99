"""Ten kinds of hostile archives, and what a reader says of them."""

import hashlib
import io
import pickle
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.archives.file_format import (
    ArchiveRefused,
    ArchiveWriter,
    Limits,
    Manifest,
    TableFile,
    archive_frames,
    open_archive,
)
from tests.scoring.archives.zips import files_of, small, zipped

TABLE, FILES = "tables/phrase.jsonl", files_of(small())


def refused(stream, why, limits=Limits()):  # noqa: B008
    with pytest.raises(ArchiveRefused, match=why):
        open_archive(stream, limits).check()


def test_a_path_that_leaves_the_folder():
    for name in ("../../etc/cron.d/x", "/etc/passwd", "tables/../../x.jsonl", "C:\\x"):
        refused(zipped({**FILES, name: b"x"}), "a file that no archive has")
    table = {"name": "../x", "columns": ["a"], "rows": 0, "size": 0, "sha256": "0" * 64}
    refused(zipped(FILES, tables=[table]), "a table has no name")


def test_a_bomb_is_seen_before_it_is_unpacked():
    refused(zipped({**FILES, TABLE: b" " * 10_000_000}), "suspicious amount")


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (Limits(unpacked=200), "the most this site takes"),
        (Limits(rows=2), "more than 2 rows"),
        (Limits(line=8), "the line is too long"),
    ],
)
def test_more_than_a_site_takes(limits, why):
    refused(zipped(FILES), why, limits)


def test_a_file_that_was_cut():
    data = small(2000)
    for end in (10, len(data) // 2, len(data) - 1):
        with pytest.raises(ArchiveRefused):
            open_archive(io.BytesIO(data[:end])).check()


def test_a_file_without_its_front():
    """Its directory, at the end, names places before the beginning."""
    data = small(2000)
    for start in range(1, len(data) // 2, 7):
        refused(io.BytesIO(data[start:]), "no zip file|truncated or changed")


@given(at=st.integers(0, len(small()) - 1), bit=st.integers(0, 7))
def test_a_changed_bit_changes_nothing_or_is_refused(at, bit):
    """Some bits of a zip mean nothing: times, attributes of files."""
    data = bytearray(small())
    data[at] ^= 1 << bit
    try:
        archive = open_archive(io.BytesIO(bytes(data)))
        rows = {name: list(archive.rows(name)) for name in archive.manifest.tables}
    except ArchiveRefused:
        return
    whole = open_archive(io.BytesIO(small()))
    assert rows == {name: list(whole.rows(name)) for name in whole.manifest.tables}


def test_a_changed_table_and_a_changed_manifest():
    changed = FILES[TABLE].replace(b"0.5", b"9.5")
    refused(zipped({**FILES, TABLE: changed}), "is not as it was written")
    longer = FILES["manifest.json"].replace(b'"C"', b'"D"')
    refused(zipped({**FILES, "manifest.json": longer}), "its manifest is not as it was written")
    rest = {name: one for name, one in FILES.items() if name != TABLE}
    refused(zipped(rest), "its tables are not those it lists")


def test_a_file_twice():
    stream = io.BytesIO(small())
    with zipfile.ZipFile(stream, "a") as out, pytest.warns(UserWarning, match="Duplicate"):
        out.writestr(TABLE, b"[]\n")
    refused(stream, "a file twice")


def test_nothing_is_unpickled():
    class Run:
        def __reduce__(self):
            return pytest.fail, ("it was run",)

    data = pickle.dumps(Run())
    refused(io.BytesIO(data), "no zip file")
    refused(zipped({**FILES, "tables/x.pkl": data}), "a file that no archive has")
    refused(zipped({**FILES, TABLE: data}), "not those it lists")


@pytest.mark.parametrize(
    "row", [b"{}", b'["a"]', b'["a", 1, 2]', b"[1, NaN]", b"[" * 100_000, b'"\xff"', b"1e5"]
)
def test_a_line_that_is_no_row(row):
    data = row + b"\n"
    table = {
        "name": "phrase",
        "columns": ["text", "value"],
        "rows": 1,
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    files = {name: one for name, one in FILES.items() if "tables" not in name}
    refused(zipped({**files, TABLE: data}, tables=[table]), "is no JSON|is no list of 2 cells")


def test_a_zip_that_is_no_archive_and_a_later_version():
    refused(zipped({"a.txt": b"x"}), "no archive of a campaign")
    refused(zipped(FILES, format="other"), "no archive of a campaign")
    refused(zipped(FILES, schema=99), "made by a later version")
    refused(zipped(FILES, schema="1"), "schema has no number")


def test_what_was_written_is_read():
    archive = open_archive(io.BytesIO(small()))
    assert list(archive.rows("phrase")) == [["größer 0", 0.0], ["größer 1", 0.5], ["größer 2", 1.0]]
    assert list(archive.rows("empty")) == list(archive.rows("unknown")) == []
    assert archive.manifest.about["campaign"] == {"slug": "c", "name": "C"}


# What is written.


def test_equal_rows_give_equal_bytes():
    assert small() == small()


def test_a_stream_need_not_be_seekable():
    class Pipe(io.RawIOBase):
        def __init__(self):
            self.data = bytearray()

        def writable(self):
            return True

        def write(self, data):
            self.data += bytes(data)
            return len(data)

    pipe = Pipe()
    writer = ArchiveWriter(pipe)
    assert writer.add("many", ("n",), ([n] for n in range(100_000))) == 100_000
    manifest = writer.close({})
    assert manifest.tables["many"].rows == 100_000
    archive = open_archive(io.BytesIO(bytes(pipe.data)))
    assert sum(row[0] for row in archive.rows("many")) == sum(range(100_000))


def test_a_number_that_is_none_is_not_written():
    writer = ArchiveWriter(io.BytesIO())
    with pytest.raises(ValueError, match="JSON compliant"):
        writer.add("bad", ("n",), [[float("nan")]])


# Manifests.


WRITTEN = TableFile("phrase", ("text", "sha256"), 3, 20, "a" * 64)


def test_a_manifest_is_read_as_it_was_written():
    manifest = Manifest({"made_at": "now"}, {"phrase": WRITTEN})
    data = manifest.as_json()
    data["tables"] = [{**one, "columns": list(one["columns"])} for one in data["tables"]]
    assert Manifest.from_json(data) == manifest


@pytest.mark.parametrize(
    "changed",
    [
        {"rows": -1},
        {"rows": True},
        {"size": 1.5},
        {"sha256": "x"},
        {"name": "A/B"},
        {"columns": ["a", "a"]},
        {"columns": "ab"},
        {"columns": ["a b"]},
        {"more": 1},
    ],
)
def test_a_table_that_is_not_described_is_refused(changed):
    good = {"name": "a", "columns": ["a"], "rows": 0, "size": 0, "sha256": "a" * 64}
    about = {"format": "paraanno archive", "schema": 1}
    assert Manifest.from_json({**about, "tables": [good]}).tables["a"].member == "tables/a.jsonl"
    with pytest.raises(ArchiveRefused, match="not valid"):
        Manifest.from_json({**about, "tables": [{**good, **changed}]})
    with pytest.raises(ArchiveRefused, match="a table twice"):
        Manifest.from_json({**about, "tables": [good, good]})


# Archives as frames.


def test_tables_are_frames(tmp_path):
    path = tmp_path / "a.zip"
    path.write_bytes(small())
    found = archive_frames(path)
    assert set(found) == {"phrase", "empty"}
    assert found["phrase"].loc[2, "text"] == "größer 1"
    assert list(found["phrase"].index) == [1, 2, 3]
    assert list(found["empty"].columns) == ["text"]
    assert set(archive_frames(path, names=("phrase",))) == {"phrase"}


def test_a_file_that_was_cut_gives_none(tmp_path):
    path = tmp_path / "a.zip"
    path.write_bytes(small()[:-30])
    with pytest.raises(ArchiveRefused):
        archive_frames(path)
