from annotation.importers.tables.tools.common.answers import Answered
from annotation.importers.tables.tools.common.occasions import Occasions, key_of


def test_equal_rows_are_doubles_and_others_occasions_in_the_order_of_their_times():
    late, early = (
        Answered(1, {"a": "x"}, "bo", {"m": m}, judged_at=at) for m, at in ((1, "2"), (2, "1"))
    )
    other, nobody = Answered(1, {"a": "y"}, "bo", {"m": 1}), Answered(1, {"a": "x"}, "", {"m": 1})
    rows = [late, early, late, other, nobody, nobody]
    occasions = Occasions(lambda: iter(rows), ["a"])
    assert [occasions.of(one) for one in rows] == [2, 1, None, 1, 1, 1]
    assert key_of({"b": 1, "a": 2}) == key_of({"a": 2, "b": 1})
