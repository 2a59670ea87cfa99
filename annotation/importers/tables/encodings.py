"""The encoding of a text file."""

from __future__ import annotations

import codecs
import re
from typing import BinaryIO

from paraanno.plain.problems import shown
from paraanno.plain.sentence import Sentence, say

_BLOCK = 1 << 20
MOST_TRIED = 1 << 18  # bytes around what is not ASCII
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
# Letters of a script, by the encodings that write it: they are tried first, because a wrong one of
# them gives fewer such letters than the share or fails.
_SCRIPTS = (
    (("cp932", "euc_jp"), re.compile("[\u3041-\u30ff]"), 0.2),
    (("cp949",), re.compile("[\uac00-\ud7a3]"), 0.8),
    (("gb18030", "big5"), re.compile("[\u4e00-\u9fff]"), 0.8),
)
# What charset-normalizer may answer. Single-byte encodings of Western Europe differ in few
# characters, and spreadsheets write the first.
_OTHERS = ["cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp949", "cp932",
           "euc_jp", "gb18030", "big5", "koi8_r", "mac_roman", "cp437", "cp850"]  # fmt: skip
_WEST = {"cp1252", "cp1250", "cp1254", "mac_roman", "cp437", "cp850"}
# Accented letters of one byte mostly stand alone; those of two bytes beside others.
_ABOVE = re.compile(rb"[\x80-\xff]")
_ALONE = re.compile(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])")
_COMMON = re.compile(rb"[\xb0-\xd7][\xa1-\xfe]")  # the more frequent Chinese characters
_WESTERN = re.compile("[ -~\\s\u00a0-\u00ff\u0152\u0153\u2013-\u2026\u20ac\u0160\u0161]")


def writes_text(name: str) -> bool:
    """Whether an encoding of this name is known, and makes bytes of text."""
    try:
        return bool(codecs.lookup(name)._is_text_encoding)
    except (LookupError, ValueError):  # A NUL in the name.
        return False


def unknown_encoding(name: str) -> Sentence:
    """Return the error about an encoding that nobody knows."""
    return say(
        "encoding: %(name)s is not known: write utf-8, cp1252, cp949 or the like", name=shown(name)
    )


def encoding_of(stream: BinaryIO) -> str:
    """Return the name of the encoding of a seekable stream, which is read to its end.

    A file whose bytes above ASCII are mostly UTF-8 is UTF-8: the others are reported as errors.
    """
    stream.seek(0)
    start = stream.read(4)
    for bom, encoding in _BOMS:
        if start.startswith(bom):
            return encoding
    stream.seek(0)
    strange = b""
    first = b""
    good = True
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    while block := stream.read(_BLOCK):
        first = first or block
        if good:
            try:
                decoder.decode(block)
            except UnicodeDecodeError:
                good = False
        if not block.isascii() and len(strange) < MOST_TRIED:
            strange += b"\n".join(line for line in block.splitlines() if not line.isascii())[
                : MOST_TRIED - len(strange)
            ]
    stream.seek(0)
    if wide := _without_bom(first):
        return wide
    return "utf-8" if good or _mostly_utf8(strange) else _guessed(strange)


def _without_bom(block: bytes) -> str | None:
    """Return UTF-16 where every other byte of plain text is NUL."""
    sample = block[:2000]
    if len(sample) < 8:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > len(sample) // 5 and even < odd // 10:
        return "utf-16-le"
    return "utf-16-be" if even > len(sample) // 5 and odd < even // 10 else None


def _mostly_utf8(data: bytes) -> bool:
    text = data.decode("utf-8", "surrogateescape")
    bad = sum("\udc80" <= letter <= "\udcff" for letter in text)
    return sum(letter > "\x7f" for letter in text) - bad > 3 * bad


def _guessed(data: bytes) -> str:
    alone = len(_ALONE.findall(data)) > 0.7 * max(1, len(_ABOVE.findall(data)))
    for encodings, letters, share in () if alone else _SCRIPTS:
        for encoding in encodings:
            text = data.decode(encoding, "replace")
            above = sum(letter > "\x7f" for letter in text)
            if encoding == "gb18030" and len(_COMMON.findall(data)) < 0.5 * above:
                continue
            if above and "\ufffd" not in text and len(letters.findall(text)) > share * above:
                return encoding
    western = data.decode("cp1252", "replace")
    if alone and "\ufffd" not in western and _WESTERN.sub("", western) == "":
        # All letters are of Western Europe, and most stand within words.
        words = re.findall(r"\w*[\u00c0-\u00ff]\w*", western)
        if not words or sum(len(word) > 1 for word in words) >= 0.5 * len(words):
            return "cp1252"
    from charset_normalizer import from_bytes

    best = from_bytes(data, cp_isolation=_OTHERS).best()
    if best is None or best.encoding in _WEST:
        return "cp1252"
    return str(best.encoding)
