"""The rules of the house: who imports whom, how long a file may be."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live_parts import HOME

PURE = (
    "scoring.figures",
    "scoring.stats",
    "scoring.metrics",
    "scoring.paper",
    "annotation.importers",
    "annotation.exporters",
)
APPS = ("annotation", "scoring")
# The outer layers call inwards; nothing inside knows who calls it.
OUTER = ("views", "api", "tasks", "management", "admin", "forms", "urls", "templatetags")
LONGEST = 330


def source_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py", "*.js", "*.css"],
        cwd=HOME, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    return [HOME / name for name in listed if "/migrations/" not in name and (HOME / name).exists()]


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules(package: str) -> list[Path]:
    return list((HOME / package.replace(".", "/")).rglob("*.py"))


@pytest.mark.parametrize("package", PURE)
def test_pure_packages_need_neither_django_nor_the_project(package: str) -> None:
    """In a fresh process, every module of the package."""
    names = [
        ".".join(path.relative_to(HOME).with_suffix("").parts).removesuffix(".__init__")
        for path in modules(package)
    ]
    assert names
    program = (
        f"import importlib, sys\nfor name in {names!r}: importlib.import_module(name)\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=HOME, capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    own = package.partition(".")[0]
    foreign = [
        name
        for name in loaded
        if name.partition(".")[0] in {"django", "rest_framework", "celery", "paraanno", *APPS}
        and name != own
        and not (name == package or name.startswith(f"{package}."))
    ]
    assert foreign == []


def test_annotation_never_imports_scoring() -> None:
    wrong = [
        f"{path.relative_to(HOME)}: {name}"
        for path in modules("annotation")
        for name in imports_of(path)
        if name.partition(".")[0] == "scoring"
    ]
    assert wrong == []


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize(
    ("layer", "forbidden"),
    [
        ("models", ("services", "selectors", *OUTER)),
        ("selectors", OUTER),
        ("services", OUTER),
        ("views", ("api", "tasks", "management")),
        ("api", ("views", "tasks", "management")),
    ],
)
def test_imports_run_one_way(app: str, layer: str, forbidden: tuple[str, ...]) -> None:
    wrong = [
        f"{path.relative_to(HOME)}: {name}"
        for path in modules(f"{app}.{layer}")
        for name in imports_of(path)
        if name.split(".")[0] in APPS and name.split(".")[1:2] and name.split(".")[1] in forbidden
    ]
    assert wrong == []


def test_files_can_be_read_in_one_go() -> None:
    long = {
        str(path.relative_to(HOME)): lines
        for path in source_files()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST
    }
    assert long == {}


def test_nothing_is_left_to_do() -> None:
    mark = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
    left = [
        f"{path.relative_to(HOME)}:{number}"
        for path in source_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if mark.search(line)
    ]
    assert left == []
