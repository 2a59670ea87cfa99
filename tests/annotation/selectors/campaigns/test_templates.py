"""The templates that a new campaign may start from."""

import pytest

from annotation.errors import NotFound
from annotation.selectors.campaigns.templates import (
    site_templates,
    template_choices,
    template_groups,
    template_text,
)
from annotation.services.campaigns.templates import site_template_add
from annotation.starters import LABELS, LANGUAGES
from tests.factories import make_admin


def test_tasks_come_first_and_the_sites_own_last():
    assert [name for name, _label in template_choices()] == list(LABELS)
    site_template_add(name="ours", label="Ours", text="guidelines: x", actor=make_admin())
    assert template_choices()[-1][1] == [("ours", "Ours")]
    groups = template_groups()
    assert [group for group, _rows in groups[:2]] == ["English", "한국어"]
    assert [len(rows) for _group, rows in groups] == [len(LABELS)] * len(LANGUAGES) + [1]
    assert [one.name for one in site_templates()] == ["ours"]


def test_the_file_of_a_template():
    assert "바뀐 표현이" in template_text(name="phrase-ko")
    with pytest.raises(NotFound):
        template_text(name="../secret_key")
