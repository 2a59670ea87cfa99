import json

from annotation.importers.tables.books import Coded
from annotation.importers.tables.tools.common.classes import class_labels, coded, labels_of

FEATURES = {"m": {"names": ["1", "2"], "_type": "ClassLabel"}, "t": {"dtype": "string"}}


def test_names_of_classes():
    about = {b"huggingface": json.dumps({"info": {"features": FEATURES}}).encode()}
    assert class_labels(about) == {"m": ["1", "2"]} == labels_of(FEATURES)
    assert class_labels(None) == class_labels({b"huggingface": b"{"}) == labels_of([]) == {}


def test_a_class_that_is_missing_or_unknown():
    assert coded(1, ["a", "b"]) == Coded(1.0, "b") and coded(-1, ["a"]) is None
    assert coded(2, ["a"]) == 2 and coded("x", ["a"]) == "x" and coded(1, None) == 1
