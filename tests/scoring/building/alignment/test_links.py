"""Links in the format of Pharaoh."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.building.alignment import link_line, links_of, read_links, read_parallel, read_words
from scoring.metrics.files import FileRefused
from tests.scoring.metrics.refused import refused

ENGLISH = [["a", "b", "c"], [], ["d"]]
FOREIGN = [["x", "y"], ["z"], ["v", "w"]]


def read(folder, text):
    path = folder / "links"
    path.write_text(text, "utf-8")
    return read_links(path, ENGLISH, FOREIGN)


def test_links_stand_by_line(tmp_path):
    links = read(tmp_path, "0-0 2-1  1-1 \n\n0-1\n")
    assert links.line.tolist() == [0, 0, 0, 2]
    assert links.english.tolist() == [0, 2, 1, 0]
    assert links.foreign.tolist() == [0, 1, 1, 1]
    assert len(links) == 4


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("0-0 1\n-1-0\n0-0\n", [("1", "ENGLISH-FOREIGN, counted from 0"), ("2", "ENGLISH-")]),
        ("0-0\n\n", [("3", "has 2 lines and the text has 3;")]),
        ("\n" * 4, [("4", "has 4 lines and the text has 3;")]),
        ("0-0 3-1\n\n\n", [("1", "The link 3-1 is beyond the words (3 English, 2 foreign);")]),
        ("1-1 3-2\n\n1-2\n", [("1", "The link 3-2 "), ("3", "The link 1-2 ")]),
        ("1-1 3-2\n\n1-2\n", [("1", "looks 1-based"), ("3", "looks 1-based")]),
    ],
)
def test_problems_are_told_by_line(tmp_path, text, problems):
    lines = refused(read, tmp_path, text)
    for found, (number, message) in zip(lines, problems, strict=True):
        assert found.startswith(f"links:{number}: ") and message in found


LINE = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), unique=True, max_size=12)


@given(st.lists(LINE, min_size=1, max_size=6))
def test_what_is_written_is_read_again(tmp_path_factory, pairs):
    path = tmp_path_factory.mktemp("links") / "links"
    path.write_text("".join(f"{link_line(pair)}\n" for pair in pairs), "utf-8")
    side = [["w"] * 10 for _ in pairs]
    found, given_ = read_links(path, side, side), links_of([sorted(pair) for pair in pairs])
    for name in ("line", "english", "foreign"):
        assert getattr(found, name).tolist() == getattr(given_, name).tolist()


# Reading two files that say the same line by line.


WORDS = st.lists(st.text("abé", min_size=1, max_size=3), max_size=6)


def write(folder, name, *lines):
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
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
    path.write_text("".join(" ".join(words) + "\r\n" for words in sentences), "utf-8")
    assert read_words(path) == sentences
