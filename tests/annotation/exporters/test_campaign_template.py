"""Templates as files; that they are read again, tests/annotation/importers shows."""

import pytest
import yaml
from hypothesis import given

from annotation.exporters.texts import template_data, write_template
from paraanno.common.panel_links import CampaignTemplate, ScaleTemplate
from tests.annotation.importers.templates import templates


def test_it_is_a_file_that_people_read():
    scale = ScaleTemplate("A", "How?", points=((5, "Good", ""),), threshold=3.0)
    text = write_template(CampaignTemplate(scales=(scale,), guidelines="One.\nTwo.\n"))
    assert text.startswith("scales:\n- name: A\n  question: How?\n")
    assert "  threshold: 3\n" in text
    assert text.endswith("guidelines: |\n  One.\n  Two.\n")


@pytest.mark.slow
@given(templates())
def test_any_other_program_reads_the_same(template):
    assert yaml.safe_load(write_template(template)) == template_data(template)
