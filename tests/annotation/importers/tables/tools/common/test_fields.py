import pytest

from annotation.importers.tables.tools.common.answers import Answered, Tool
from annotation.importers.tables.tools.common.fields import of_texts


def roles(records, tool=None, what="items"):
    sample = [Answered(1, one) for one in records]
    columns = of_texts(tool or Tool("t"), list(records[0]), sample, what, ("MEANING",))
    return {one.name: one.role for one in columns}


@pytest.mark.parametrize(
    ("other", "role"),
    [
        ({"original": "It is so."}, "paraphrase"),
        ({"paraphrase": "So it is."}, "sentence"),
        ({"original": "It is so.", "paraphrase": "So it was."}, "ignore"),
    ],
)
def test_text_is_what_the_other_field_is_not(other, role):
    assert roles([{"text": "So it was.", **other}])["text"] == role
