"""Texts and files for the tests of importers and exporters."""

import io
import unicodedata

from hypothesis import strategies as st

ALPHABET = st.one_of(
    st.sampled_from("ab '\"\t\r\n,;=+-@_éE\u0301\u1100\u1161\ufeff\u2028|\\{}0"),
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"),
)
RAW_TEXT = st.text(ALPHABET, min_size=1, max_size=30)
TEXT = RAW_TEXT.map(lambda text: unicodedata.normalize("NFC", text))
NAME = (
    st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20)
    .map(lambda text: unicodedata.normalize("NFC", text).strip())
    .filter(bool)
)


def stream(content):
    """A file in memory."""
    return io.BytesIO(content.encode() if isinstance(content, str) else content)


@st.composite
def places(draw):
    """Phrase, sentence, start, end of an item."""
    sentence = draw(TEXT)
    start = draw(st.integers(0, len(sentence) - 1))
    end = draw(st.integers(start + 1, len(sentence)))
    return sentence[start:end], sentence, start, end
