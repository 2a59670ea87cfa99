import pytest

from annotation.importers import read_judgments
from tests.annotation.importers.tables.tools.checking import (
    asks,
    check,
    inspected,
    of,
    rows,
    zipped,
)


@pytest.mark.parametrize("name", of("potato"))
def test_what_comes_out(name):
    check(name)


def state(labels, reached=0, order=("a", "b")):
    return {
        "user_id": "bo",
        "instance_id_ordering": list(order),
        "current_instance_index": reached,
        "instance_id_to_label_to_value": labels,
    }


TEXTS = [{"id": one, "original": f"It is {one}.", "paraphrase": f"So it is {one}."} for one in "ab"]


@pytest.mark.parametrize(
    ("labels", "reached", "result", "skips"),
    [
        ({"a": [[{"schema": "MEANING", "name": "4"}, "4"]]}, 1, {"a": 4}, True),
        ({"a": [[{"schema": "MEANING", "name": "4"}, True]]}, 0, {"a": 4}, False),
        ({"a": {"MEANING": {"3": "3"}}, "b": {"MEANING": "2"}}, 1, {"a": 3, "b": 2}, False),
    ],
)
def test_states_with_the_data_of_their_project(labels, reached, result, skips):
    """A text is skipped once the annotator has gone past it, or stands at the last one."""
    data = zipped(
        {
            "p/annotation_output/bo/user_state.json": state(labels, reached),
            "p/data/d.json": TEXTS,
        }
    )
    seen = inspected(data, "p.zip", "judgments")
    given = {
        one.target.paraphrase[-2]: one.value for one in rows(data, "p.zip", seen, read_judgments)
    }
    assert given == result and ("skipped" in str(seen.ledger.line)) == skips


def test_two_values_of_one_scheme_ask():
    labels = {"a": {"MEANING": {"3": "3", "4": "4"}}}
    data = zipped({"s/user_state.json": state(labels), "d.json": TEXTS})
    assert "MEANING" in asks(inspected(data, "p.zip", "judgments"))
