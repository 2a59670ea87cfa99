import json

from annotation.importers.tables.tools.common.classes import class_labels, labels_of

FEATURES = {"m": {"names": ["1", "2"], "_type": "ClassLabel"}, "t": {"dtype": "string"}}


def test_names_of_classes():
    about = {b"huggingface": json.dumps({"info": {"features": FEATURES}}).encode()}
    assert class_labels(about) == {"m": ["1", "2"]} == labels_of(FEATURES)
    assert class_labels(None) == class_labels({b"huggingface": b"{"}) == labels_of([]) == {}
