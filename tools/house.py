"""Counts a house of Python, as in a table beside others: `python -m tools.house [FOLDER ...]`.

Of the product (Python files that git has, without tests and migrations): modules; lines of code
(without blank ones, comments and docstrings), with the median, the 95th percentile and the longest
module; functions of more than 40 lines; functions whose return is typed; imports between modules,
each pair once, by module; modules in circles of imports; lines of tests for a line of the product.
The first folder is this one.
"""

import ast
import re
import subprocess
import sys
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median, quantiles

from tests import HOME

LONG = 40  # lines of a function
TEST = re.compile(r"(^|/)(tests?|testing)(/|$)|(^|/)(test_[^/]*|[^/]*_test|conftest)\.py$")
APART = re.compile(r"(^|/)(migrations|docs?|examples)(/|$)")
COLUMNS = (
    "modules",
    "code lines",
    "median / p95 / longest",
    f"functions over {LONG} lines",
    "return-typed",
    "imports per module",
    "in import circles",
    "test / product code",
)


@dataclass
class House:
    """What was counted."""

    lines: list[int] = field(default_factory=list)
    functions: int = 0
    long: int = 0
    typed: int = 0
    imports: dict[str, set[str]] = field(default_factory=dict)
    at_once: dict[str, set[str]] = field(default_factory=dict)
    tests: int = 0

    def row(self) -> tuple[str, ...]:
        arrows = sum(map(len, self.imports.values()))
        of_lines = [int(median(self.lines)), int(quantiles(self.lines, n=20)[-1]), max(self.lines)]
        return (
            f"{len(self.lines):,}",
            f"{sum(self.lines):,}",
            " / ".join(f"{n:,}" for n in of_lines),
            f"{self.long / max(1, self.functions):.1%}",
            f"{self.typed / max(1, self.functions):.0%}",
            f"{arrows / len(self.lines):.1f}",
            f"{in_circles(self.at_once)}",
            f"{self.tests / sum(self.lines):.2f}",
        )


def house_of(folder: Path) -> House:
    """Count it; files that cannot be parsed are left out."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=folder, capture_output=True, text=True, check=True
    )
    house, trees = House(), {}
    for name in listed.stdout.splitlines():
        if APART.search(name) or not (folder / name).is_file():
            continue
        try:
            text = (folder / name).read_text("utf-8")
            tree = ast.parse(text)
        except (SyntaxError, UnicodeDecodeError):
            continue
        if TEST.search(name):
            house.tests += code_lines(text, tree)
        else:
            house.lines.append(code_lines(text, tree))
            trees[name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")] = tree
    for name, tree in trees.items():
        functions = [n for n in ast.walk(tree) if isinstance(n, FUNCTIONS)]
        house.functions += len(functions)
        house.long += sum((n.end_lineno or n.lineno) - n.lineno + 1 > LONG for n in functions)
        house.typed += sum(n.returns is not None for n in functions)
        house.imports[name] = set(imported(tree, trees, inside=True)) - {name}
        house.at_once[name] = set(imported(tree, trees, inside=False)) - {name}
    return house


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def code_lines(text: str, tree: ast.Module) -> int:
    quiet: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)) and ast.get_docstring(node):
            first = node.body[0]
            quiet |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return sum(
        bool(line.strip()) and not line.strip().startswith("#")
        for at, line in enumerate(text.splitlines(), 1)
        if at not in quiet
    )


def imported(tree: ast.Module, modules: dict[str, ast.Module], *, inside: bool):
    """The modules among these that one imports; `inside`: also those that a function imports or
    types alone need."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield from [name for name in (inner, node.module) if name in modules][:1]
        elif inside or not isinstance(node, (*FUNCTIONS, ast.Lambda)):
            typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            waiting += node.orelse if typing and not inside else ast.iter_child_nodes(node)


def in_circles(needs: dict[str, set[str]]) -> int:
    """How many modules import each other, by however many steps."""
    left, circles = {name: set(one) for name, one in needs.items()}, set()
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            circle = error.args[1]
            circles |= set(circle)
            left[circle[1]].discard(circle[0])
        else:
            return len(circles)


RENDER = ("_render", "instrumented_test_render")  # The latter in tests.


def ran(do):
    """The files of ours that run code while `do` runs, and the templates that are drawn."""
    files: set[str] = set()
    templates: set[str] = set()
    cut = len(str(HOME)) + 1

    def look(frame, event, _argument):
        code = frame.f_code
        if event != "call":
            return
        if code.co_filename.startswith(str(HOME)):
            files.add(code.co_filename[cut:])
        elif code.co_name in RENDER and "/django/" in code.co_filename:
            templates.add(getattr(frame.f_locals["self"].origin, "template_name", None))

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        do()
    finally:
        sys.setprofile(before)
    own = {name for name in files if name.split("/")[0] in ("annotation", "scoring", "paraanno")}
    return own, {name for name in templates if name}


def main() -> int:
    folders = [Path(one) for one in sys.argv[1:]] or [HOME]
    print("| | " + " | ".join(COLUMNS) + " |")
    print("|---" * (len(COLUMNS) + 1) + "|")
    for folder in folders:
        print(f"| {folder.resolve().name} | " + " | ".join(house_of(folder).row()) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
