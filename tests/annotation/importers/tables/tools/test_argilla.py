import pytest

from tests.annotation.importers.tables.tools.checking import asks, check, of, table, values


@pytest.mark.parametrize("name", of("argilla"))
def test_what_comes_out(name):
    check(name)


RECORD = {"id": "r", "fields": {"original": "It is so.", "paraphrase": "So it is."}, "metadata": {}}


def answered(**status):
    one = {"value": 4, "user_id": "u", **status}
    return [{**RECORD, "responses": {"meaning": [one], "grammar": [{**one, "value": 2}]}}]


def test_a_status_decides():
    """A response without one asks; a draft is no judgment."""
    given = {("u", "So it is.", "MEANING"): 4, ("u", "So it is.", "GRAMMAR"): 2}
    assert values(answered(status="submitted")) == given
    assert "handed in" in asks(table(answered()))
    assert "nobody has judged" in table(answered(status="draft"))
