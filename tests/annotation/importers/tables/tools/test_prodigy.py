import pytest

from tests.annotation.importers.tables.tools.checking import asks, check, of, table, values


@pytest.mark.parametrize("name", of("prodigy"))
def test_what_comes_out(name):
    check(name)


def row(accept, person="d-bo", **more):
    return {
        "text": "So it is.",
        "meta": {"original": "It is so."},
        "accept": accept,
        "answer": "accept",
        "_input_hash": 1,
        "_task_hash": 2,
        "_annotator_id": person,
        **more,
    }


def test_names_of_people_lose_the_name_of_the_data_set():
    given = values([row(["MEANING_4"]), row(["MEANING_2"], "d-cy")])
    assert given == {("bo", "So it is.", "MEANING"): 4, ("cy", "So it is.", "MEANING"): 2}
    assert values([row(["MEANING_4"])]) == {("d-bo", "So it is.", "MEANING"): 4}
    assert values([row(["MEANING_4"], "a-1"), row(["MEANING_4"], "b-1")]).keys() == {
        (who, "So it is.", "MEANING") for who in ("a-1", "b-1")
    }


def test_what_is_chosen_without_a_scale_asks():
    assert "accept" in asks(table([row(["4"])]))
    assert values([row(["4"])], scales=["Q"]) == {("d-bo", "So it is.", "Q"): 4}
