import pytest

from tests.annotation.importers.tables.tools.checking import asks, check, of, table, values


@pytest.mark.parametrize("name", of("label_studio"))
def test_what_comes_out(name):
    check(name)


def task(result, data=None, **more):
    data = data or {"original": "It is so.", "paraphrase": "So it is."}
    one = {"id": 1, "completed_by": 7, "result": result, "was_cancelled": False, **more}
    return {"id": 5, "data": data, "annotations": [one], "predictions": []}


def rating(name, value, kind="rating"):
    return {"from_name": name, "to_name": "t", "type": kind, "value": {kind: value}}


def test_results_of_every_kind():
    """Of two choices none is the point; what is no scale of the campaign asks."""
    good = [rating("meaning", 4), rating("grammar", ["2 - poor"], "choices")]
    assert values([task(good)]) == {
        ("7", "So it is.", "MEANING"): 4,
        ("7", "So it is.", "GRAMMAR"): 2,
    }
    assert "GRAMMAR" not in str(values([task(good[:1])]))
    for result, question in [
        ([rating("meaning", ["1", "2"], "choices")], "meaning"),
        ([rating("beauty", 3)], "beauty"),
        ([rating("meaning", ["good"], "choices")], "meaning"),
    ]:
        assert question in asks(table([task(result)]))


def test_a_prediction_is_no_annotation():
    predicted = task([]) | {"annotations": [], "predictions": [{"result": [rating("meaning", 4)]}]}
    assert "nobody has judged" in table([predicted])
