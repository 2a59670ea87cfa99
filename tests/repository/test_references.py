"""Every source that a catalogue of statistics names, or docs/statistics.md, is a reference."""

import re

from scoring.stats.agreement import catalogue
from scoring.stats.agreement.catalogue import CATALOGUE
from scoring.stats.evaluation import catalogue as evaluation
from scoring.stats.systems import catalogue as systems
from tests import HOME

# What is named beside a publication: a part of it, a use of it, or a practice without a paper.
BESIDE = re.compile(r", (pₐ|with folds)$")
PRACTICES = {"", "WMT shared tasks", "adjusted"}
CITED = re.compile(r"\(([A-Z][\w-]+(?: and [A-Z][\w-]+)? \d{4})")


def sources():
    named = [one.source for one in (*CATALOGUE, *evaluation.CATALOGUE, *systems.CATALOGUE)]
    parts = {part for one in (*named, catalogue.SOURCE) for part in one.split("; ")}
    text = (HOME / "docs" / "statistics.md").read_text("utf-8")
    cited = {one.replace(" and ", " & ") for one in CITED.findall(text)}
    assert {"Tukey 1958", "Korn & Graubard 1998"} < cited
    return ({BESIDE.sub("", part) for part in parts} - PRACTICES) | cited


def test_every_source_has_its_reference_and_every_reference_its_source():
    text = (HOME / "docs" / "references.md").read_text("utf-8")
    listed = re.findall(r"^- \*\*(.+?)\.\*\* ", text, re.MULTILINE)
    assert listed == sorted(listed, key=str.casefold) and len(set(listed)) == len(listed)
    assert set(listed) == sources()
