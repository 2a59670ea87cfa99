from annotation.importers.tables.inspecting import example
from annotation.importers.tables.mapping import KINDS


def test_each_kind_has_rows_as_long_as_its_head_with_values_on_the_scale():
    for what in KINDS:
        head, rows = example(what, [("MEANING", -2, 2)])
        assert rows and all(len(row) == len(head) for row in rows)
        if what != "items":
            assert all(-2 <= float(row[-1]) <= 2 for row in rows)
