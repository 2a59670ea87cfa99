"""The rules of the house: who imports whom, how long a file may be."""

import ast
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

PLAIN = "paraanno.plain"  # What every pure package may import.
# What a pure package may import besides.
ALSO = {
    "scoring.building": ("scoring.metrics", "scoring.extrinsic", "scoring.stats"),
    "scoring.extrinsic": ("scoring.stats",),
}
PURE = (
    PLAIN,
    "scoring.archives",
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
NESTED = "scoring.shared_tasks"  # An app of its own inside one, with the same layers.
# The outer layers call inwards; nothing inside knows who calls it.
OUTER = ("views", "api", "tasks", "management", "admin", "forms", "urls", "templatetags")
LONGEST = 400
WIDEST = 160  # Characters of a line of a template.
PRODUCT = (*APPS, "paraanno")
# A command is called what Django looks for; a metric gives a score, and a row keeps it.
SHARED_NAMES = {"Command", "Score"}
# Loaded by what needs them, and not by each process that starts.
HEAVY = (
    "gensim", "kiwipiepy", "matplotlib", "nltk", "ot", "pandas", "plotly.graph_objects", "pyarrow",
    "sacrebleu", "scipy.optimize", "scipy.sparse", "scipy.special", "scipy.stats", "sklearn",
    "statsmodels", "thot", "torch",
)  # fmt: skip
# Rooms whose modules all have a test file of their own, in the same place below `tests`.
MIRRORED = (
    "annotation/api", "annotation/exporters", "annotation/forms", "annotation/importers",
    "annotation/management", "annotation/presenters", "annotation/selectors",
    "annotation/services", "annotation/templatetags", "annotation/views",
    "paraanno", "scoring/api", "scoring/archives", "scoring/building", "scoring/extrinsic",
    "scoring/figures", "scoring/forms", "scoring/management", "scoring/metrics",
    "scoring/on_files", "scoring/paper", "scoring/presenters", "scoring/publishing",
    "scoring/selectors", "scoring/services", "scoring/stats",
    "scoring/templatetags", "scoring/views",
)  # fmt: skip
NO_TEST_OF_THEIR_OWN = {
    "annotation/management/commands/_templates.py",  # Beside it: test_apply.py, test_create_...
    "annotation/management/commands/_files.py",  # Beside it: test_import_items.py, and _judgments.
    # Its catalogues: tests/repository/test_translations.py.
    "paraanno/management/commands/annotator_messages.py",
    "paraanno/plain/campaign_template.py",  # Types.
    "annotation/api/people/session.py",  # A door: tests/annotation/services/people/test_logins.py
    # A field each: tests/scoring/api/test_resources.py and views/runs/test_resources.py use them.
    "annotation/api/scope.py",
    "annotation/forms/scope.py",
    # Settings of servers: running/test_start.py starts them, kills and stops them.
    "paraanno/running/gunicorn_conf.py",
    "paraanno/running/supervise.py",
    # The engine of jobs: tests/paraanno/jobs/test_engine.py takes every kind through it.
    "paraanno/jobs/kinds.py",
    "paraanno/jobs/process.py",  # tests/scoring/services/workers/test_heartbeats.py
    "paraanno/jobs/reasons.py",
    "paraanno/jobs/row.py",
    "paraanno/jobs/sweep.py",  # And tests/scoring/services/test_sweep.py.
    "scoring/api/jobs.py",  # The page, the API and the command: tests/scoring/views/test_work.py.
    "scoring/management/commands/jobs.py",
    "scoring/services/jobs.py",
    "paraanno/urls.py",  # A table; the walk of permissions takes every address.
    "paraanno/wsgi.py",  # Django's own; every live site is served by it.
    "scoring/on_files/settings.py",  # What runs by it: tests/paraanno/running/test_command.py.
    "scoring/stats/agreement/json_types.py",  # Types, as in the four below.
    "scoring/stats/annotators/json_types.py",
    "scoring/stats/evaluation/json_types.py",
    "scoring/stats/gold/json_types.py",
    "scoring/stats/systems/json_types.py",
    # What stands on every surface: tests/scoring/views/test_catalogues.py.
    "scoring/stats/evaluation/catalogue.py",
    "scoring/stats/systems/catalogue.py",
    "scoring/stats/agreement/block_fields.py",  # Names that are taken: agreement/test_catalogue.py.
    "annotation/api/urls.py",  # A table; the walk of permissions takes every route.
    # What they find, say and ask for: tests/annotation/views/test_letters.py.
    "annotation/selectors/letters.py",
    "annotation/presenters/letters.py",
    "annotation/forms/letters.py",
    "annotation/presenters/glossary.py",  # Tables: tests/annotation/presenters/test_help.py.
    "annotation/presenters/help_pages.py",
    "scoring/presenters/help_pages.py",
    "annotation/views/tabs.py",  # A table of tabs: tests/site/test_access.py.
    "scoring/api/urls.py",  # As annotation/api/urls.py.
    "scoring/forms/restore.py",  # Its page: tests/scoring/views/test_archives.py.
    # Beside it: test_archive.py, which takes a campaign there and back.
    "scoring/management/commands/package.py",
    "scoring/management/lane_command.py",  # Its two commands: commands/test_work_files.py.
    "scoring/management/commands/restore.py",
    # What a package has: tests/scoring/services/reports/test_package.py runs it.
    "scoring/publishing/about.py",
    "scoring/publishing/expected.py",
    "scoring/publishing/reproduce.py",
    "scoring/selectors/archives/table.py",  # Its tables: test_tables.py.
    # Parts of restoring and writing: tests/scoring/services/archives/test_restore.py.
    "scoring/services/archives/derived.py",
    "scoring/services/archives/making.py",
    "scoring/services/archives/write.py",
    "scoring/metrics/texts/limits.py",  # Constants.
    "scoring/services/runs/plan.py",  # Chunks are counted where runs are started and updated.
    "scoring/views/agreement/ratings.py",  # The choice of judgments: selectors/ratings/choice.
    "scoring/views/items.py",  # tests/site/test_access.py, and the walk of permissions.
    "scoring/views/tabs.py",  # Tabs: tests/site/test_access.py.
}
RENAMING = Path("paraanno/plain/renaming.py")
MOVES = {"os.replace", "os.rename", "os.renames", "shutil.move", "os.fsync"}
MOST_MODULES = 20  # Of a folder of the product.
MOST_FILES = 30  # Of a folder of tests.


def source_files():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py", "*.js", "*.css"],
        cwd=HOME, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    return [HOME / name for name in listed if "/migrations/" not in name and (HOME / name).exists()]


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def dotted(path):
    return ".".join(path.relative_to(HOME).with_suffix("").parts).removesuffix(".__init__")


def imported_first(path, known):
    """The modules among `known` that are imported with this one."""
    waiting = [ast.parse(path.read_text(encoding="utf-8"))]
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
        cwd=HOME, capture_output=True, text=True, check=True, **options,
    )  # fmt: skip
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


@pytest.mark.slow
def test_annotation_never_imports_scoring():
    wrong = [
        f"{path.relative_to(HOME)}: {name}"
        for path in modules("annotation")
        for name in imports_of(path)
        if name.partition(".")[0] == "scoring"
    ]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("app", (*APPS, NESTED))
@pytest.mark.parametrize(
    ("layer", "forbidden"),
    [
        ("models", ("services", "selectors", *OUTER)),
        ("selectors", ("services", *OUTER)),
        ("services", OUTER),
        ("views", ("api", "tasks", "management")),
        ("api", ("views", "tasks", "management")),
    ],
)
def test_imports_run_one_way(app, layer, forbidden):
    wrong = []
    for path in modules(f"{app}.{layer}"):
        for name in imports_of(path):
            first, *parts = name.removeprefix(f"{NESTED}.").split(".")
            inner = parts[:1] if first in APPS else [first]
            if name.split(".")[0] in APPS and set(inner) & set(forbidden):
                wrong.append(f"{path.relative_to(HOME)}: {name}")
    assert wrong == []


@pytest.mark.parametrize("app", (*APPS, NESTED))
@pytest.mark.parametrize("layer", ["views", "api"])
def test_pages_and_routes_leave_queries_to_selectors(app, layer):
    """Of every manager: what a user may see is decided in one place."""
    wrong = [
        f"{path.relative_to(HOME)}:{node.lineno}"
        for path in modules(f"{app}.{layer}")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
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
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    places.setdefault(node.name, []).append(dotted(path))
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert set(twice) == SHARED_NAMES, twice


def test_files_can_be_read_in_one_go():
    texts = {path: path.read_text("utf-8").splitlines() for path in source_files()}
    assert {str(path): n for path, lines in texts.items() if (n := len(lines)) > LONGEST} == {}


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


def test_the_test_of_a_module_is_found_without_a_search():
    untested = {
        name
        for room in MIRRORED
        for path in sorted((HOME / room).rglob("*.py"))
        if path.name != "__init__.py"
        and not (HOME / "tests" / (name := str(path.relative_to(HOME))))
        .with_name(f"test_{path.name}")
        .exists()
    }
    assert untested == NO_TEST_OF_THEIR_OWN


def test_no_folder_is_crowded():
    python = [path for path in source_files() if path.suffix == ".py"]
    of_tests = Counter(path.parent for path in python if HOME / "tests" in path.parents)
    assert {str(folder): n for folder, n in of_tests.items() if n > MOST_FILES} == {}
    modules = Counter(
        path.parent
        for path in python
        if path.name != "__init__.py" and HOME / "tools" not in path.parents
    )
    modules -= of_tests
    assert {str(folder): n for folder, n in modules.items() if n > MOST_MODULES} == {}


def test_files_get_the_names_under_which_they_count_in_one_module():
    """It syncs the file and its folder. Other `replace` and `rename` (of texts, times, tables)
    take two values or named ones."""
    bare = [
        f"{path.relative_to(HOME)}:{node.lineno}: {ast.unparse(node)}"
        for path in chain.from_iterable(map(modules, PRODUCT))
        if path.relative_to(HOME) != RENAMING
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and (
            (node.func.attr in {"replace", "rename"} and len(node.args) == 1 and not node.keywords)
            or ast.unparse(node.func) in MOVES
        )
    ]  # fmt: skip
    assert bare == []


def test_nothing_is_left_to_do():
    mark = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
    left = [
        f"{path.relative_to(HOME)}:{number}"
        for path in source_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if mark.search(line)
    ]
    assert left == []
