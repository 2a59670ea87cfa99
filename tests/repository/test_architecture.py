"""The rules of the house: who imports whom, how long a file may be."""

import ast
import functools
import os
import re
import subprocess
import sys
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from pathlib import Path

import pytest

from tests import HOME
from tests.repository.tracked import source_files

PLAIN = "paraanno.common"  # What every pure package may import.
# What a pure package may import besides.
ALSO = {
    "scoring.building": ("scoring.metrics", "scoring.extrinsic", "scoring.stats"),
    "scoring.extrinsic": ("scoring.stats",),
    "scoring.paper": ("scoring.stats",),
}
PURE = (
    PLAIN,
    "scoring.figures",
    "scoring.stats",
    "scoring.metrics",
    "scoring.building",
    "scoring.extrinsic",
    "scoring.paper",
    "scoring.publishing",
    "annotation.importers",
    "annotation.exporters",
)
APPS = ("annotation", "scoring")
# Whom an area may know. "annotation.models" and files beside the areas are free.
AREAS = {
    "annotation.accounts": "http mail",
    "annotation.board": "campaigns http mail people quality sheets",
    "annotation.campaigns": "accounts collecting http importing panels people quality sheets",
    "annotation.collecting": "accounts http panels people quality sheets",
    "annotation.importing": "http sheets",
    "annotation.mail": "campaigns http",
    "annotation.panels": "accounts http people quality sheets",
    "annotation.people": "accounts http importing mail sheets",
    "annotation.quality": "http importing people sheets",
    "annotation.verify": "sheets",
    "scoring.agreement": "annotation.http annotation.quality exports ratings reports",
    "scoring.annotators": (
        "annotation.http annotation.people annotation.quality annotation.sheets ratings reports"
    ),
    "scoring.archives": (
        "annotation.accounts annotation.campaigns annotation.http annotation.importing "
        "annotation.panels exports ratings"
    ),
    "scoring.builds": "annotation.http annotation.importing resources runs",
    "scoring.correlation": "agreement annotation.http gold ratings reports runs",
    "scoring.exports": (
        "annotation.campaigns annotation.http annotation.people annotation.quality annotators "
        "correlation gold ratings reports runs"
    ),
    "scoring.gold": "annotation.http ratings reports",
    "scoring.http": (
        "agreement annotation.campaigns annotation.http annotation.sheets reports results runs"
    ),
    "scoring.ratings": "annotation.sheets",
    "scoring.reports": "annotation.http ratings runs work",
    "scoring.resources": "annotation.http work",
    "scoring.results": "annotation.http gold ratings reports runs",
    "scoring.runs": "annotation.campaigns annotation.http annotation.importing work",
    "scoring.shared_tasks": (
        "agreement annotation.accounts annotation.campaigns annotation.http annotation.importing "
        "annotation.people annotation.sheets exports gold ratings runs work"
    ),
    "scoring.work": "annotation.http annotation.people exports",
}
# Folders of an app that are no areas: models, pure packages, and what Django looks for by name.
NO_AREAS = {
    "models",
    "stats",
    "metrics",
    "building",
    "extrinsic",
    "figures",
    "paper",
    "publishing",
    "importers",
    "exporters",
    "templatetags",
    "management",
    "starters",
    "on_files",
    "migrations",
}
# Files that answer requests, by the end of their names; nothing inside knows who calls it.
OUTER = ("views", "api", "urls", "forms", "routes", "admin", "tasks")
# They hold a page beside what it shows, or what such a page shares with others.
WITH_PAGES = {
    "annotation.collecting.whole_sheet_api",
    "scoring.http.overview_cards",
    "scoring.templatetags.drawings",
    "scoring.templatetags.metrics",
    "scoring.management.commands.jobs",
}
LONGEST = 400
WIDEST = 160  # Characters of a line of a template.
PRODUCT = (*APPS, "paraanno")
# A command is called what Django looks for; a metric gives a score, and a row keeps it.
SHARED_NAMES = {"Columns", "Command", "Score", "Table"}
# Loaded by what needs them, and not by each process that starts.
HEAVY = (
    "gensim",
    "kiwipiepy",
    "matplotlib",
    "nltk",
    "ot",
    "pandas",
    "pyarrow",
    "sacrebleu",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.special",
    "scipy.stats",
    "sklearn",
    "statsmodels",
    "thot",
    "torch",
)
RENAMING = Path("paraanno/common/on_disk.py")
MOVES = {"os.replace", "os.rename", "os.renames", "shutil.move", "os.fsync"}
PROGRAMS = ("*.py", "*.js", "*.css")
MOST_MODULES = 20  # Of a folder of the product.
MOST_FILES = 30  # Of a folder of tests.


@functools.cache
def imports_of(path):
    return (*_imports_of(path),)


def _imports_of(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def dotted(path):
    return ".".join(path.relative_to(HOME).with_suffix("").parts).removesuffix(".__init__")


def imported_first(path, known):
    """The modules among `known` that are imported with this one."""
    waiting = [ast.parse(path.read_text("utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield from [name for name in (inner, node.module) if name in known][:1]
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)


def modules(package):
    return list((HOME / package.replace(".", "/")).rglob("*.py"))


def loaded(program, **options):
    """The modules that a fresh process has after the program."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{program}\nprint(*sys.modules)"],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=True,
        **options,
    )
    return set(done.stdout.split())


@pytest.mark.slow
@pytest.mark.parametrize("package", PURE)
def test_pure_packages_need_neither_django_nor_the_project(package):
    """In a fresh process, every module of the package."""
    names = [dotted(path) for path in modules(package)]
    assert names
    own = package.partition(".")[0]
    allowed = (package, PLAIN, *ALSO.get(package, ()))
    foreign = [
        name
        for name in loaded(f"import importlib\nfor one in {names!r}: importlib.import_module(one)")
        if name.partition(".")[0] in {"django", "rest_framework", "celery", "paraanno", *APPS}
        and name not in {own, "paraanno"}
        and not f"{name}.".startswith(tuple(f"{one}." for one in allowed))
    ]
    assert foreign == []


@pytest.mark.slow
def test_a_site_starts_without_what_only_some_of_its_work_needs():
    program = "import django; django.setup(); import paraanno.urls"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "paraanno.settings"}
    assert not set(HEAVY) & loaded(program, env=environment)


def test_no_module_hides_one_of_the_standard_library():
    """Python puts the folder of a program before its library: a `numbers.py` there would end the
    program, and each that it starts. What Python loads before that cannot be hidden."""
    early = loaded("").intersection(sys.stdlib_module_names)
    ran = re.compile(r"^if __name__ == .__main__.:$", re.MULTILINE)
    folders = {HOME} | {
        path.parent
        for path in source_files(*PROGRAMS)
        if path.suffix == ".py"
        and (path.name == "__main__.py" or ran.search(path.read_text("utf-8")))
    }
    assert {HOME / name for name in ("tools", "tools/bench", "paraanno/running")} < folders
    hiding = [
        str(path.relative_to(HOME))
        for folder in folders - {HOME / "paraanno"}  # Called by -m, which leaves its folder out.
        for path in folder.iterdir()
        if path.stem in sys.stdlib_module_names - early
        and (path.suffix == ".py" or any(path.glob("*.py")))
    ]
    assert hiding == []


@pytest.mark.slow
def test_annotation_never_imports_scoring():
    wrong = [
        f"{path.relative_to(HOME)}: {name}"
        for path in modules("annotation")
        for name in imports_of(path)
        if name.partition(".")[0] == "scoring"
    ]
    assert wrong == []


def area_of(name):
    """The area of a module, as `scoring.gold`; nothing for what stands beside the areas."""
    app, *rest = name.split(".")
    inside = app in APPS and len(rest) > 1 and rest[0] not in NO_AREAS
    return f"{app}.{rest[0]}" if inside else ""


@pytest.mark.slow
def test_an_area_knows_only_those_that_the_table_names():
    known = {dotted(path): path for app in APPS for path in modules(app)}
    found = {area: set() for area in AREAS}
    for name, path in known.items():
        for other in imports_of(path):
            one = area_of(name)
            inner = next((m for m in (other, other.rpartition(".")[0]) if m in known), "")
            if one and (to := area_of(inner)) and to != one:
                found.setdefault(one, set()).add(to.removeprefix(f"{one.split('.')[0]}."))
    assert {area: " ".join(sorted(names)) for area, names in found.items() if names} == {
        area: " ".join(sorted(names.split())) for area, names in AREAS.items()
    }


def test_no_two_areas_know_each_other():
    whole = {
        (area, name if "." in name else f"{area.partition('.')[0]}.{name}")
        for area, names in AREAS.items()
        for name in names.split()
    }
    assert whole
    assert [pair for pair in sorted(whole) if pair[::-1] in whole] == []


@pytest.mark.slow
def test_nothing_inside_knows_pages_and_routes():
    known = {dotted(path): path for app in APPS for path in modules(app)}

    def outer(name):
        return name.rpartition(".")[2].endswith(OUTER)

    wrong = [
        f"{name}: {other}"
        for name, path in known.items()
        if not outer(name) and name not in WITH_PAGES and ".commands." not in name
        for other in imports_of(path)
        if other in known and outer(other)
    ]
    assert wrong == []


def test_pages_and_routes_leave_queries_to_others():
    """Of every manager: what a user may see is decided in one place."""
    files = [
        path
        for app in APPS
        for path in modules(app)
        if path.stem.endswith(("views", "api", "routes"))
    ]
    assert len(files) > 40
    wrong = [
        f"{path.relative_to(HOME)}:{node.lineno}"
        for path in files
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("objects", "_default_manager")
    ]
    assert wrong == []


@pytest.mark.slow
def test_no_modules_import_each_other():
    """What a function imports when it is called does not count, nor what types alone need."""
    known = {dotted(path): path for package in PRODUCT for path in modules(package)}
    needs = {name: set(imported_first(path, known)) - {name} for name, path in known.items()}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


@pytest.mark.slow
def test_a_class_name_stands_for_one_thing():
    """Classes inside others (Meta, Status) are known by both names."""
    places = {}
    for path in chain.from_iterable(map(modules, PRODUCT)):
        if "migrations" not in path.parts:
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    places.setdefault(node.name, []).append(dotted(path))
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert set(twice) == SHARED_NAMES, twice


# Words that say nothing about what a value is.
EMPTY_WORDS = {"told", "said", "mine", "asked", "kept", "voices", "found", "known"}
# Where such a word may be a name: most files need not be parsed.
EMPTY_NAME = re.compile(rf"(?i)\b_*({'|'.join(sorted(EMPTY_WORDS))})_*\s*(?:[=:,)\]]|\bin\b|\()")


def local_names(function):
    """Parameters of a function, and what it assigns."""
    arguments = function.args
    yield from (one.arg for one in chain(arguments.args, arguments.kwonlyargs))
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


# Keys of stored reports and of the API, a column, and a value of a column.
STORED_NAMES = {
    "annotation/board/views.py": {"said"},
    "annotation/models/quality.py": {"asked"},
    "annotation/quality/practice.py": {"asked"},
    "annotation/models/campaigns.py": {"MINE"},
    "scoring/exports/api.py": {"known"},
    "scoring/stats/agreement/coefficients.py": {"voices"},
    "scoring/stats/annotators/catalogue.py": {"voices"},
    "scoring/stats/significance/paired.py": {"told"},
}


def defined_names(tree):
    """The names of functions, classes, fields and constants, with the line of each."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node.lineno
        if isinstance(node, ast.Module | ast.ClassDef):
            for part in node.body:
                targets = part.targets if isinstance(part, ast.Assign) else []
                targets = [part.target] if isinstance(part, ast.AnnAssign) else targets
                for one in (name for target in targets for name in ast.walk(target)):
                    if isinstance(one, ast.Name):
                        yield one.id, one.lineno
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno


def test_names_say_what_a_value_is():
    wrong = []
    for path in (p for package in (*APPS, "paraanno") for p in modules(package)):
        if "migrations" in path.parts:
            continue
        text = path.read_text("utf-8")
        if not EMPTY_NAME.search(text):
            continue
        tree = ast.parse(text)
        wrong += [
            f"{path}:{line} {name}"
            for name, line in defined_names(tree)
            if name.strip("_").lower() in EMPTY_WORDS
            and name not in STORED_NAMES.get(path.relative_to(HOME).as_posix(), ())
        ]
        wrong += [
            f"{path}:{node.lineno} {name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for name in EMPTY_WORDS & {*local_names(node)}
        ]
    assert wrong == []


def code_lines(path):
    """Lines without blank ones, comments and docstrings."""
    text = path.read_text("utf-8")
    quiet = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            value = getattr(first, "value", None)
            if isinstance(first, ast.Expr) and isinstance(getattr(value, "value", None), str):
                quiet |= set(range(first.lineno, first.end_lineno + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(
        bool(line.strip()) and line.strip()[0] != "#" for at, line in lines if at not in quiet
    )


@pytest.mark.slow
def test_files_can_be_read_in_one_go_and_the_formatter_is_never_switched_off():
    files = [path for package in PRODUCT for path in modules(package)]
    files = [path for path in files if "migrations" not in path.parts]
    assert {str(path): n for path in files if (n := code_lines(path)) > LONGEST} == {}
    off = re.compile(r"# fm" r"t: ?(?:skip|off)")
    tests = modules("tests")
    assert [str(p) for p in (*files, *tests) if off.search(p.read_text("utf-8"))] == []


def test_lines_of_templates_are_short():
    """`make lint` looks at their tags."""
    templates = list((HOME / "templates").rglob("*.html"))
    assert len(templates) > 100
    wide = [
        one
        for one in templates
        for line in one.read_text("utf-8").splitlines()
        if len(line) > WIDEST
    ]
    assert wide == []


def test_no_folder_is_crowded():
    python = source_files("*.py")
    of_tests = Counter(path.parent for path in python if HOME / "tests" in path.parents)
    assert {str(folder): n for folder, n in of_tests.items() if n > MOST_FILES} == {}
    modules = Counter(
        path.parent
        for path in python
        if path.name != "__init__.py" and HOME / "tools" not in path.parents
    )
    modules -= of_tests
    assert {str(folder): n for folder, n in modules.items() if n > MOST_MODULES} == {}


@pytest.mark.slow
def test_files_get_the_names_under_which_they_count_in_one_module():
    """It syncs the file and its folder. Other `replace` and `rename` (of texts, times, tables)
    take two values or named ones."""
    bare = [
        f"{path.relative_to(HOME)}:{node.lineno}: {ast.unparse(node)}"
        for path in chain.from_iterable(map(modules, PRODUCT))
        if path.relative_to(HOME) != RENAMING
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (
            (node.func.attr in {"replace", "rename"} and len(node.args) == 1 and not node.keywords)
            or ast.unparse(node.func) in MOVES
        )
    ]
    assert bare == []


def test_nothing_is_left_to_do():
    mark = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
    left = [
        f"{path.relative_to(HOME)}:{number}"
        for path in source_files(*PROGRAMS)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if mark.search(line)
    ]
    assert left == []
