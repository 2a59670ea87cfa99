"""Reading phrase tables as translations, and their stores."""

import pytest

from scoring.metrics.files import FileRefused
from scoring.metrics.resources.translations import convert, load_translations

QUIET = lambda share: None  # noqa: E731


def test_the_most_probable_first_and_variants_are_one(tmp_path):
    path = tmp_path / "phrases.txt"
    path.write_text(
        "b ||| Dog ||| 0.2 1 1\na ||| Dog ||| 0.8 1 1\nb ||| dog ||| 0.5 1 1\nc ||| ! ||| 1 1 1\n"
    )
    counts = convert(path, tmp_path / "store", progress=QUIET)
    assert counts == {"phrases": 1, "foreign": 2, "pairs": 2, "skipped": 1}
    for place in (path, tmp_path / "store"):
        # Dog and dog are one phrase, each with half of the weight.
        assert load_translations(str(place)).of("dog") == [("a", 0.4), ("b", 0.35)]
        assert load_translations(str(place)).of("cat") == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hund ||| dog ||| 0.5 1\n", ":1: should read foreign"),
        ("hund ||| dog ||| 2 1 1\n", ":1: should read foreign"),
        ("dog\thund\n", ":1: should read foreign"),
        ("! ||| ! ||| 1 1 1\n", "has no phrase"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path, text, told):
    path = tmp_path / "phrases.txt"
    path.write_text(text)
    with pytest.raises(FileRefused, match=told):
        convert(path, tmp_path / "store", progress=QUIET)
