"""Ten kinds of hostile archives, and what a reader says of them."""

import hashlib
import io
import pickle
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.archives.file_format import ArchiveRefused, Limits, open_archive
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
