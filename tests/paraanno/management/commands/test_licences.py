"""manage.py licences: what packages say of themselves, and the table of the documentation."""

import json
import re
from email.message import Message
from importlib.resources import files

import pytest
from django.core.management import call_command
from jsonschema import Draft7Validator
from referencing import Registry, Resource

from paraanno import __version__
from paraanno.management.commands.licences import licence_of
from tests import HOME
from tests.repository.test_requirements import versions


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
    kept = row.findall((HOME / "docs" / "licences.md").read_text("utf-8"))
    assert len(now) > 50
    assert [one[:2] for one in kept] == [one[:2] for one in now]
    assert all(licence != "" for *_, licence in kept)


# manage.py sbom: valid by the published schema of CycloneDX, and every pinned package.


def schemas():
    """The schema of version 1.6 and what it refers to, from the package of CycloneDX."""
    folder = files("cyclonedx.schema") / "_res"
    registry = Registry()
    for name in ("spdx", "jsf-0.82"):
        text = (folder / f"{name}.SNAPSHOT.schema.json").read_text("utf-8")
        resource = Resource.from_contents(json.loads(text))
        for address in (f"{name}.schema.json", f"{name}.SNAPSHOT.schema.json"):
            registry = registry.with_resource(f"http://cyclonedx.org/schema/{address}", resource)
    main = json.loads((folder / "bom-1.6.SNAPSHOT.schema.json").read_text("utf-8"))
    return main, registry


@pytest.mark.slow
def test_the_bill_is_valid_and_has_every_package(tmp_path, capsys):
    call_command("sbom", tmp_path / "bill.json")
    bill = json.loads((tmp_path / "bill.json").read_text("utf-8"))
    schema, registry = schemas()
    checker = Draft7Validator(schema, registry=registry)
    assert [error.message for error in checker.iter_errors(bill)] == []
    assert not checker.is_valid({**bill, "specVersion": 2})
    assert not checker.is_valid({**bill, "components": [{"name": "without a type"}]})
    assert bill["metadata"]["component"]["version"] == __version__
    pinned = versions("requirements.txt") | versions("requirements-extras.txt")
    assert {one["name"]: one["version"] for one in bill["components"]} == pinned
    assert all(one["externalReferences"][0]["hashes"] for one in bill["components"])
    call_command("sbom")
    assert json.loads(capsys.readouterr().out) == bill  # The same every time.
