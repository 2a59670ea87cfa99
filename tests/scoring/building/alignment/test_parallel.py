"""Reading two files that say the same line by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.building.alignment import read_parallel, read_words
from scoring.metrics.files import FileRefused

WORDS = st.lists(st.text("abé", min_size=1, max_size=3), max_size=6)


def write(folder, name, *lines):
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def refusal(*paths):
    with pytest.raises(FileRefused) as refused:
        read_parallel(*paths)
    return str(refused.value)


def test_pairs_that_no_aligner_takes_are_left_out_and_counted(tmp_path):
    long = " ".join(["w"] * 101)
    english = write(tmp_path, "en", "the  dog ", "", "a", long, "b c", "x")
    foreign = write(tmp_path, "de", "der hund", "leer", "", "l " * 60, "b c", "x " * 10)
    text = read_parallel(english, foreign)
    assert (text.aligned, text.empty, text.long, text.uneven) == ([0, 4], 2, 1, 1)
    assert text.english[0] == ["the", "dog"]
    assert str(text.left_out()).startswith("4 pairs are left out: 2 with an empty side, 1 with")
    assert str(text.few()).startswith("There are only 2 pairs")


def test_a_hundred_words_and_nine_times_the_words_are_taken(tmp_path):
    english = write(tmp_path, "en", "w " * 100, "v")
    foreign = write(tmp_path, "de", "u " * 50, "t " * 9)
    assert read_parallel(english, foreign).left_out() is None


def test_unequal_lengths_are_told_with_both_counts_and_the_first_difference(tmp_path):
    english = write(tmp_path, "en", "a", "b", "c", "d")
    foreign = write(tmp_path, "de", "a", "", "b")
    told = refusal(english, foreign)
    assert told.startswith(f"{foreign}:2: has 3 lines and {english} has 4;")
    assert "Line 2 is the first with text in one file only." in told
    assert refusal(foreign, write(tmp_path, "x", "a")).startswith(f"{tmp_path / 'x'}:2: has 1 ")


def test_the_same_file_twice_is_asked_about(tmp_path):
    same = write(tmp_path, "en", *map(str, range(20)))
    assert "20 of 20 lines are the same" in refusal(same, same)
    other = write(tmp_path, "de", *(str(n + 100 * (n < 2)) for n in range(20)))
    assert read_parallel(same, other).aligned == list(
        range(20)
    )  # 18 of 20 are not over nine tenths.


def test_a_text_of_blank_lines_is_refused(tmp_path):
    assert "has no pair that can be used" in refusal(
        write(tmp_path, "en", "", " "), write(tmp_path, "de", "", "a")
    )


def test_bytes_that_are_not_utf_8_are_named_with_their_line(tmp_path):
    path = tmp_path / "en"
    path.write_bytes(b"fine\n\nbad \xff\nNUL \0\n")
    with pytest.raises(FileRefused) as refused:
        read_words(path)
    assert [str(line).split(" ")[0] for line in refused.value.lines] == [f"{path}:3:", f"{path}:4:"]


@given(st.lists(WORDS, min_size=1, max_size=8))
def test_all_lines_is_read_blank_ones_too(tmp_path_factory, sentences):
    path = tmp_path_factory.mktemp("text") / "en"
    path.write_text("".join(" ".join(words) + "\r\n" for words in sentences), encoding="utf-8")
    assert read_words(path) == sentences
