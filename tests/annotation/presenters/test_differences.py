"""Two texts, line by line."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.http.markdown import different_lines

LINES = st.lists(st.sampled_from("abc"), max_size=8)


def shown(before, after):
    return "|".join(one.mark + one.text for one in different_lines(before, after))


def test_what_is_the_same_is_left_out_but_for_a_line_on_each_side():
    assert shown("a\nb\nc\nd\ne\nf", "a\nb\nc\nD\ne\nf") == "…| c|-d|+D| e"
    assert shown("", "new") == "+new"
    assert shown("same", "same") == ""


@given(LINES, LINES)
def test_old_and_new_lines_are_all_there(old, new):
    found = different_lines("\n".join(old), "\n".join(new))
    gone = [one.text for one in found if one.mark == "-"]
    come = [one.text for one in found if one.mark == "+"]
    for line in "abc":
        assert old.count(line) - gone.count(line) == new.count(line) - come.count(line)
