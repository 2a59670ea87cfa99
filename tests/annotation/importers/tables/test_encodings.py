import codecs
from io import BytesIO

import pytest

from annotation.importers.tables.opening import encoding_of
from tests.annotation.importers.tables.messy import FILES

GERMAN = FILES["Übersicht;Komma.csv"].make().decode("cp1252")
FRENCH = FILES["français.csv"].make().decode("cp1252")
KOREAN = FILES["한글.csv"].make().decode("cp949")
JAPANESE = (
    "文,言い換え\n委員会は金曜日に止まった。,進まなかった\n彼女は疑いを隠さなかった。,認めた\n"
)
CHINESE = "句子,改写\n委员会星期五陷入了僵局。,停滞不前\n她没有隐瞒自己的怀疑。,坦白\n"
RUSSIAN = "Комитет зашёл в тупик в пятницу.\nОна не скрывала своих сомнений.\n" * 3


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "utf-8"),
        (GERMAN, "cp1252"),
        (FRENCH, "cp1252"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
        (KOREAN, "cp949"),
        (KOREAN, "utf-8"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (CHINESE, "gb18030"),
        (RUSSIAN, "cp1251"),
        ("plain\n" * 5, "utf-8"),
    ],
)
def test_a_file_is_read_in_the_encoding_that_it_was_written_in(text, encoding):
    data = text.encode(encoding)
    assert data.decode(encoding_of(BytesIO(data))) == text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_marks_of_the_encoding_are_believed(encoding):
    data = "é;ü\n".encode(encoding)
    assert codecs.lookup(encoding_of(BytesIO(data))).name in encoding


def test_some_broken_bytes_do_not_make_another_encoding():
    data = (GERMAN * 5).encode() + b"M\xfcde\n"
    assert encoding_of(BytesIO(data)) == "utf-8"
