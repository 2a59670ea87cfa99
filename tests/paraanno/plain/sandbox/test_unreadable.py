"""What a decoder raises below a reader says that the file cannot be read; our own faults do not."""

import json
import zipfile
from io import BytesIO

import pytest

from paraanno.common.sandbox.unreadable import unreadable


def raised(work):
    try:
        work()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def raised_in_a_reader(code):
    """What it raises where it stands in a reader's module."""
    names = {"__name__": "annotation.importers.tables.new"}
    return raised(lambda: exec(compile(code, "reader", "exec"), names))


READER = [
    ("import zipfile, io; zipfile.ZipFile(io.BytesIO(b'x'))", "File is not a zip file"),
    ("import zipfile, io; zipfile.ZipFile(io.BytesIO(b'PK')).open('a')", "not a zip file"),
    ("b'\\xff'.decode()", "invalid start byte"),
    ("import json; json.loads('[' * 100_000)", "it is nested too deep"),
    ("import json; json.loads('{')", "Expecting property name"),
    ("import struct; struct.unpack('<q', b'1')", "requires a buffer of 8 bytes"),
    ("from xml.parsers import expat; expat.ParserCreate().Parse(b'<a', True)", "unclosed token"),
]


@pytest.mark.parametrize(("code", "why"), READER)
def test_errors_of_decoders_below_a_reader(code, why):
    sentence = unreadable(raised_in_a_reader(code))
    assert sentence is not None and why in sentence
    assert sentence.endswith("it is truncated or damaged; save it again")


@pytest.mark.parametrize(
    "code", ["{}['a']", "int('x')", "1 / 0", "None.x", "open('/no/such')", "assert False"]
)
def test_errors_of_a_readers_own_code_are_faults(code):
    assert unreadable(raised_in_a_reader(code)) is None


@pytest.mark.parametrize("work", [lambda: json.loads("{"), lambda: zipfile.ZipFile(BytesIO(b""))])
def test_without_a_reader_it_is_no_file_of_a_stranger(work):
    assert unreadable(raised(work)) is None
