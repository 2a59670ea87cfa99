import pytest

from tests.annotation.importers.tables.tools.checking import check, of, table


@pytest.mark.parametrize("name", of("label_studio"))
def test_what_comes_out(name):
    check(name)


def task(result, data=None, **more):
    data = data or {"original": "It is so.", "paraphrase": "So it is."}
    one = {"id": 1, "completed_by": 7, "result": result, "was_cancelled": False, **more}
    return {"id": 5, "data": data, "annotations": [one], "predictions": []}


def rating(name, value, kind="rating"):
    return {"from_name": name, "to_name": "t", "type": kind, "value": {kind: value}}


def test_a_prediction_is_no_annotation():
    predicted = task([]) | {"annotations": [], "predictions": [{"result": [rating("meaning", 4)]}]}
    assert "nobody has judged" in table([predicted])
