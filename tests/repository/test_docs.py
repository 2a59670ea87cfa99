"""The examples in the documentation are read by the program that they document."""

import io
import re
import tokenize

import pytest
from django.apps import apps

from annotation.campaigns.templating.changes import template_read
from annotation.importers.gold import read_expected
from annotation.importers.items import read_items
from annotation.importers.judgments import read_judgments, read_scores
from scoring.building.recipes.recipe import names as recipe_names
from scoring.building.recipes.recipe import recipe
from scoring.metrics.files import FileOption
from scoring.metrics.registry import metric_class, names
from scoring.metrics.resources.kinds import convert, kinds
from scoring.metrics.resources.neural_models import ModelOption
from scoring.metrics.scored import read_pairs
from tests import HOME
from tests.repository.tracked import source_files

DOCS = HOME / "docs"


@pytest.mark.parametrize(
    ("page", "what", "read"),
    [
        ("formats", "items", read_items),
        ("formats", "judgments", read_judgments),
        ("formats", "scores", read_scores),
        ("quality", "expected", read_expected),
    ],
)
def test_examples_of_the_formats_are_read_without_a_problem(page, what, read):
    text = (DOCS / f"{page}.md").read_text("utf-8")
    blocks = re.findall(rf"```csv {what}\n(.*?)```", text, re.DOTALL)
    assert blocks
    for block in blocks:
        parsed = read(io.BytesIO(block.encode()), name="read.md", format="csv")
        assert parsed.problems == ()
        assert len(parsed.rows) == block.count("\n") - 1


def test_the_example_of_a_template_is_read_without_a_problem():
    text = (DOCS / "templates.md").read_text("utf-8")
    [block] = re.findall(r"```yaml template\n(.*?)```", text, re.DOTALL)
    read = template_read(data=block.encode(), name="templates.md")
    assert read.problems == () and read.template is not None


def test_the_example_of_pairs_is_read_without_a_problem(tmp_path):
    text = (DOCS / "formats.md").read_text("utf-8")
    [block] = re.findall(r"```jsonl pairs\n(.*?)```", text, re.DOTALL)
    path = tmp_path / "pairs.jsonl"
    path.write_text(block, "utf-8")
    assert read_pairs(path).problems == () and read_pairs(path).ids == ("p1", "p2")


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_of_resource_has_an_example_that_is_converted(kind, tmp_path):
    text = (DOCS / "resources.md").read_text("utf-8")
    assert f"### {kind}\n" in text
    blocks = re.findall(rf"```text {kind}\n(.*?)```", text, re.DOTALL)
    assert blocks
    for number, block in enumerate(blocks):
        source, folder = tmp_path / f"{number}.txt", tmp_path / f"store-{number}"
        source.write_text(block, "utf-8")
        folder.mkdir()
        assert sum(convert(kind, source, folder, progress=lambda share: None).values()) > 0


def test_every_table_stands_in_the_data_model():
    drawn = (DOCS / "data-model.md").read_text("utf-8").partition("\n## ")[0]
    ours = {
        model.__name__
        for model in apps.get_models()
        if model.__module__.partition(".")[0] in ("annotation", "scoring")
    }
    assert set(re.findall(r"\b[A-Z]\w+", drawn.partition("\n")[2])) == ours


def test_every_recipe_is_documented_with_its_options():
    text = (DOCS / "resources.md").read_text("utf-8")
    for name in recipe_names():
        assert f"`{name}`" in text, name
        for row in re.findall(rf"^\| `{name}` \|.*$", text, re.MULTILINE):
            assert [one.name for one in recipe(name).options if f"`{one.name}`" not in row] == []


HEADINGS = (
    "What it measures",
    "Formula",
    "Source",
    "Options and choices",
    "Blind spots",
    "Speed",
)


@pytest.mark.parametrize("name", names())
def test_every_metric_has_a_page_that_names_its_options(name):
    text = (DOCS / "metrics" / f"{name}.md").read_text("utf-8")
    assert text.startswith("# ")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == list(HEADINGS)
    options = [option.name for option in metric_class(name).OPTIONS]
    assert [option for option in options if f"`{option}`" not in text] == []
    assert f"](metrics/{name}.md)" in (DOCS / "metrics.md").read_text("utf-8")
    # Where its files are to be had, and under which licence.
    [files] = re.findall(r"^Files: (.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    needs = any(isinstance(one, FileOption | ModelOption) for one in metric_class(name).OPTIONS)
    assert "licence" in files.lower() or not (needs or name == "meteor")


NAMED = re.compile(r"(?<![\w/.$%<>*-])(?:\.\./)*((?:[\w-]+/)*[a-z][\w-]*\.py)(?![\w(/])")
OF_OTHERS = {"tokenize.py"}  # of rouge-score


def test_files_that_texts_and_comments_name_are_there():
    """A file is named by its path, or by the end of it."""
    tracked = [path.relative_to(HOME) for path in source_files("*.py", "*.md")]
    ends = {"/".join(path.parts[at:]) for path in tracked for at in range(len(path.parts))}
    named = {
        (f"{path}:{number}", name)
        for path in tracked
        if path.suffix == ".md" or path.parts[0] in {"annotation", "scoring", "paraanno"}
        for number, line in words_of(path)
        for name in NAMED.findall(line)
    }
    assert len(named) > 200
    assert sorted(one for one in named if one[1] not in ends | OF_OTHERS) == []


def words_of(path):
    """The lines of a text; of a program those of its comments and docstrings."""
    text = (HOME / path).read_text("utf-8")
    if path.suffix == ".md":
        return [] if path.name == "CHANGELOG.md" else list(enumerate(text.splitlines(), 1))
    if ".py" not in text:
        return []
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [
        (token.start[0], line)
        for token in tokens
        if token.type == tokenize.COMMENT or token.string.startswith('"""')
        for line in token.string.splitlines()
    ]
