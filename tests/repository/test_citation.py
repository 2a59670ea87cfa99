"""CITATION.cff says what the software and its zips say of it (citation-file-format 1.2.0)."""

import tomllib
from pathlib import Path

import yaml

import paraanno
from scoring.paper import facts

HOME = Path(__file__).parents[2]
REQUIRED = {"cff-version", "message", "title", "authors"}


def test_the_citation_file_agrees_with_the_software():
    found = yaml.safe_load((HOME / "CITATION.cff").read_text("utf-8"))
    assert set(found) >= REQUIRED and found["cff-version"] == "1.2.0"
    assert found["type"] == "software"
    assert str(found["version"]) == paraanno.__version__
    project = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]
    assert found["license"] == project["license"] == facts.LICENSE
    assert [one["name"] for one in found["authors"]] == [facts.AUTHORS]
    assert found["title"] == facts.TITLE
