"""What is written."""

import io

import pytest

from scoring.archives.file_format import ArchiveWriter, open_archive
from tests.scoring.archives.zips import small


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
