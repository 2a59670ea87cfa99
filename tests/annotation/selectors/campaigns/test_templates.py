"""The templates that a new campaign may start from."""

import pytest

from annotation.campaigns.templating.parts import saved_template_add
from annotation.campaigns.templating.queries import saved_templates, template_choices, template_text
from annotation.errors import NotFound
from annotation.starters import LABELS, LANGUAGES, template_groups
from tests.factories import make_admin


def test_tasks_come_first_and_saved_ones_last():
    admin = make_admin()
    assert [name for name, _label in template_choices(user=admin)] == list(LABELS)
    saved_template_add(name="ours", label="Ours", text="guidelines: x", actor=admin)
    assert template_choices(user=admin)[-1][1] == [("ours", "Ours")]
    groups = template_groups()
    assert [group for group, _rows in groups[:2]] == ["English", "한국어"]
    assert [len(rows) for _group, rows in groups] == [len(LABELS)] * len(LANGUAGES)
    assert [one.name for one in saved_templates(user=admin)] == ["ours"]


def test_the_file_of_a_template():
    assert "바뀐 표현이" in template_text(user=make_admin(), name="phrase-ko")
    with pytest.raises(NotFound):
        template_text(user=make_admin(), name="../secret_key")
