"""Rows of test sets."""

import io

from annotation.exporters.texts import write_ccb
from scoring.building.test_sets.building import BuiltItem, Chosen, SystemOutput, item_rows
from scoring.building.test_sets.drawing import Drawn
from scoring.on_files.management.commands.build_testset import ccb_rows, columns, writable

DRAWN = Drawn("a dog", 3, 12, constituent=True, places=((0, 0, 2),))


def item(*outputs, sentence="a dog ran", name="1.1"):
    return BuiltItem(name, DRAWN, sentence, 0, 5, "NP", outputs)


ONE = item(
    SystemOutput("0", 1, Chosen("the dog", 0.123456789, -3.14159)),
    SystemOutput("1", 1, None),
    SystemOutput("2", 1, Chosen("the dog", 0.5, -3.14159)),
    SystemOutput("0", 2, Chosen("dogs", 0.1, -2.0)),
    SystemOutput("1", 2, None),
)


def test_the_guide_s_lines_name_all_systems_of_a_text():
    stream = io.StringIO()
    assert write_ccb(ccb_rows([ONE]), stream) == 2
    assert stream.getvalue() == (
        "A DOG (phrase number: 1)\n"
        "MEANING GRAMMAR __A DOG__ ran (item number: 1)\n"
        "__the dog__ ran 0,2\n"
        "__dogs__ ran 8\n"
    )


def test_systems_of_a_source_keep_its_name():
    row = next(ccb_rows([item(SystemOutput("europarl:3", 2, Chosen("dogs", 0.1, None)))]))
    assert row.systems == ["europarl:11"]


def test_columns_are_those_of_the_parts_that_are_there():
    names = {column.name for column in columns(parses=True, train=True, model=True)}
    assert set(next(item_rows([ONE]))) == names
    few = [column.name for column in columns(parses=False, train=False, model=False)]
    assert few[-2:] == ["attr.phrase.test_count", "attr.output.p"]


def test_what_the_guide_s_format_cannot_say_is_left_out():
    bad = item(SystemOutput("0", 1, Chosen("x", 0.1, None)), sentence="a dog __A DOG__ ran")
    assert writable([ONE, bad]) == [ONE]
