"""The examples in the documentation are read by the program that they document."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from annotation.importers import read_expected, read_items, read_judgments
from scoring.metrics.registry import names
from scoring.stats.report import STATISTICS

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize(("what", "read"), [("items", read_items), ("judgments", read_judgments)])
def test_examples_of_the_formats_are_read_without_a_problem(what: str, read) -> None:
    text = (DOCS / "formats.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"```csv {what}\n(.*?)```", text, re.DOTALL)
    assert blocks
    for block in blocks:
        parsed = read(io.BytesIO(block.encode()), name="formats.md", format="csv")
        assert parsed.problems == ()
        assert len(parsed.rows) == block.count("\n") - 1


def test_the_example_of_expected_values_is_read_without_a_problem() -> None:
    text = (DOCS / "quality.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```csv expected\n(.*?)```", text, re.DOTALL)
    parsed = read_expected(io.BytesIO(block.encode()), name="quality.md", format="csv")
    assert parsed.problems == ()
    assert len(parsed.rows) == block.count("\n") - 1


def test_every_variable_is_documented() -> None:
    text = (DOCS / "settings.md").read_text(encoding="utf-8")
    code = "".join(
        path.read_text(encoding="utf-8")
        for path in (DOCS.parent / "paraanno").glob("*.py")
        if path.name != "env.py"
    )
    read = set(re.findall(r'env_\w+\(\s*"([A-Z_]+)"', code))
    assert read - set(re.findall(r"`([A-Z_]+)`", text)) == set()


def test_every_metric_is_documented() -> None:
    text = (DOCS / "metrics.md").read_text(encoding="utf-8")
    assert [name for name in names() if f"## {name}\n" not in text] == []


def test_every_statistic_of_agreement_is_documented() -> None:
    text = (DOCS / "statistics.md").read_text(encoding="utf-8")
    assert [name for name in STATISTICS if f"`{name}`" not in text] == []
