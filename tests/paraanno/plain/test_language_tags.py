"""Language tags are read as BCP 47 writes them, and know their direction."""

import pytest

from paraanno.common.cells import LanguageTagError, direction, known_tag, read_tag


@pytest.mark.parametrize(
    ("given", "tag"),
    [
        # RFC 5646, section 2.1.1 and appendix A.
        ("MN-cYRL-mn", "mn-Cyrl-MN"),
        ("en-ca-x-ca", "en-CA-x-ca"),
        ("sl-rozaj-biske", "sl-rozaj-biske"),
        ("de-ch-1901", "de-CH-1901"),
        ("es-419", "es-419"),
        ("zh-cmn-hans-cn", "zh-cmn-Hans-CN"),
        ("en-us-u-islamcal", "en-US-u-islamcal"),
        ("kor_Hang", "ko-Hang"),
        (" KO ", "ko"),
        ("iw", "he"),
        ("tlh", "tlh"),
        ("und", "und"),
        ("", ""),
    ],
)
def test_a_tag_is_written_as_the_standard_does(given, tag):
    assert read_tag(given) == tag


@pytest.mark.parametrize(
    "text", ["Korean language", "jp", "e", "en--US", "한국어", "en-", "a" * 40]
)
def test_anything_else_is_refused_with_a_remedy(text):
    with pytest.raises(LanguageTagError, match="BCP 47: write en"):
        read_tag(text)


@pytest.mark.parametrize(
    ("tag", "way"),
    [
        ("ar", "rtl"),
        ("he-IL", "rtl"),
        ("yi", "rtl"),
        ("az-Arab", "rtl"),
        ("pa-Arab-PK", "rtl"),
        ("ar-Latn", "ltr"),
        ("ko", "ltr"),
        ("az", "ltr"),
        ("", "auto"),
        ("und", "auto"),
    ],
)
def test_the_script_decides_the_direction(tag, way):
    assert direction(tag) == way


def test_undetermined_is_not_known():
    assert [known_tag(tag) for tag in ("und", "und-Latn", "", "en")] == ["", "", "", "en"]
