"""manage.py licences: what packages say of themselves, and the table of the documentation."""

import re
from email.message import Message

import pytest
from django.core.management import call_command

from paraanno.management.commands.licences import licence_of
from tests import HOME


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ([("License-Expression", "MIT"), ("License", "the MIT one")], "MIT"),
        (
            [
                ("Classifier", "License :: OSI Approved"),
                ("Classifier", "License :: OSI Approved :: BSD License"),
                ("Classifier", "Topic :: Text"),
                ("License", "see LICENSE"),
            ],
            "BSD License",
        ),
        ([("License", "Apache 2.0\n\nwith its whole text")], "Apache 2.0"),
        ([], "not said"),
    ],
)
def test_the_surest_field_goes_first(fields, said):
    package = Message()
    for name, value in fields:
        package[name] = value
    assert licence_of(package) == said


def test_the_table_has_every_package_at_its_version(capsys):
    """If this fails, run `manage.py licences docs/licences.md`."""
    call_command("licences")
    row = re.compile(r"^\| (\S+) \| (\S+) \| (.+) \|$", re.MULTILINE)
    now = row.findall(capsys.readouterr().out)
    kept = row.findall((HOME / "docs" / "licences.md").read_text(encoding="utf-8"))
    assert len(now) > 50
    assert [one[:2] for one in kept] == [one[:2] for one in now]
    assert all(licence != "" for *_, licence in kept)
