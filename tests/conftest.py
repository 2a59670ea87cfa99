"""Set-up shared by all tests. Test data: tests/factories.py; real servers: tests/live.py."""

import functools
import gc
from collections import Counter

import pytest

from tests import isolation

# Thousands of modules and tests come, and none goes: see pytest_collection_finish.
gc.disable()

isolation.begin()

from tests import browser, kept, live, live_parts, needs, shared  # noqa: E402

DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup", "admin_user", "admin_client"}
SERVER_FIXTURES = {"live_site", "own_redis", "shared_demo", "shared_site"}
# What a fresh machine lacks; other services are programs and files, which many machines have.
SERVERS = {"neural", "rabbitmq", "redis"}
# By the beginning of their names, tests that one process runs, all of a group: what it starts or
# loads for seconds, it does once.
TOGETHER = {
    "tests/site/test_design_system.py": "one browser",
    "tests/scoring/views/correlation/test_browser.py": "scoring",
    "tests/site/test_gallery.py": "demo",
    "tests/site/test_journeys.py": "demo",
    "tests/site/test_korean.py": "demo",
    "tests/scoring/extrinsic/test_nets.py": "torch",
    "tests/scoring/metrics/neural/": "torch",
    "tests/scoring/views/runs/test_neural.py": "torch",
    "tests/scoring/building/corpora/test_corpus.py": "kiwipiepy",
    "tests/scoring/metrics/combination/test_bleu_apem.py": "kiwipiepy",
    "tests/scoring/metrics/phrases/test_apem.py": "kiwipiepy",
    "tests/scoring/metrics/texts/test_morphemes.py": "kiwipiepy",
    "tests/scoring/metrics/embedding/": "gensim",
    "tests/scoring/metrics/resources/test_kinds.py": "gensim",
    "tests/scoring/metrics/resources/test_vectors": "gensim",
    "tests/scoring/metrics/overlap/test_meteor.py": "nltk",
    "tests/scoring/metrics/overlap/test_rouge.py": "nltk",
}
# Each takes many seconds: they begin first, so that none is alone at the end.
LONG = (
    "tests/site/permissions/",
    "tests/paraanno/running/",
    "tests/scoring/services/runs/test_kill",
)


def pytest_configure(config):
    from hypothesis import settings

    from tests.simulate import examples

    # Several processes share the machine: time limits on single examples would fail by chance.
    settings.register_profile("paraanno", deadline=None, max_examples=examples(100))
    settings.load_profile("paraanno")


def pytest_ignore_collect(collection_path, config):
    """`make test` does not even read what it leaves out whole."""
    if config.option.markexpr == shared.QUICK and collection_path in shared.beside_mutants():
        return True
    return None


@functools.cache
def sharing_files():
    """Tests of collection in a browser: those of a file run in one process, so that none has all
    of them to the end."""
    return set(shared.files_with(r"mark\.browser", "tests/annotation"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Test by test, but for TOGETHER, and for the browser tests of collection, file by file.
    (Marks of groups are lost on pytest 9.2 and xdist 3.8.)"""
    from xdist.scheduler import LoadScopeScheduling

    sharing = sharing_files()

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            if file in sharing:
                return file
            starts = (group for start, group in TOGETHER.items() if file.startswith(start))
            return next(starts, nodeid)

    return Scheduling(config, log)


def pytest_itemcollected(item):
    if (
        shared.on_rows(item.nodeid)
        and kind_of(item) not in ("browser", "servers")
        and not item.get_closest_marker("django_db")
    ):
        item.add_marker("django_db")


def pytest_collection_modifyitems(items):
    """Mark what `make test` leaves out, what uses Django's database, and what runs on both.

    What drives a browser is tried once more if it fails, and named at the end: where browser,
    servers, workers and tests share two cores, one of them is late some day.
    """
    sharing, searched = sharing_files(), set(shared.left_out())
    items.sort(
        key=lambda item: (
            item.nodeid.partition("::")[0] not in sharing,
            not item.nodeid.startswith(LONG),
        )
    )
    left_out = Counter()
    for item in items:
        kind = kind_of(item)
        if kind is not None and not item.get_closest_marker("smoke"):
            item.add_marker("slow")
            left_out[kind] += 1
            if kind != "nightly" and item.nodeid.partition("::")[0] not in searched:
                raise pytest.UsageError(f"{item.nodeid}: `LEFT_OUT` in tests/shared.py misses it")
        if uses_database(item):
            if item.nodeid.startswith(shared.PURE):
                raise pytest.UsageError(f"{item.nodeid}: this folder does without a database")
            item.add_marker("database")
            if differs_on_postgres(item):
                item.add_marker("differs")
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))
    if shared.noted("left out") is not None:  # By a process beside this one.
        return
    shared.note(
        "left out",
        f"Not run here: {left_out['browser']} tests in a browser, {left_out['servers']} with "
        f"servers or services, {left_out['slow']} that take long, "
        f"{len(shared.beside_mutants())} files about rows that no mutant names, and what differs "
        "on PostgreSQL: `make test-all` runs them. "
        f"{left_out['nightly']} simulations and long walks: `make nightly`.",
    )


def kind_of(item):
    """Why `make test` leaves it out; None if it does not."""
    services = {name for mark in item.iter_markers("service") for name in mark.args}
    if item.get_closest_marker("nightly"):
        return "nightly"
    if item.get_closest_marker("browser"):
        return "browser"
    if (
        services & SERVERS
        or item.get_closest_marker("postgres")
        or SERVER_FIXTURES & set(getattr(item, "fixturenames", ()))
    ):
        return "servers"
    if item.get_closest_marker("slow") or item.path in shared.beside_mutants():
        return "slow"
    return None


def uses_database(item):
    from django.test import TransactionTestCase

    owner = getattr(item, "cls", None)
    return bool(
        item.get_closest_marker("django_db")
        or DATABASE_FIXTURES & set(getattr(item, "fixturenames", ()))
        or (owner is not None and issubclass(owner, TransactionTestCase))
    )


def differs_on_postgres(item):
    if item.get_closest_marker("once") or item.get_closest_marker("nightly"):
        return False
    mark = item.get_closest_marker("django_db")
    transaction = mark is not None and bool(mark.kwargs.get("transaction"))
    return transaction or item.nodeid.startswith(shared.on_postgres())


def pytest_collection_finish(session):
    if any(item.get_closest_marker("database") for item in session.items):
        shared.note("database", "A test of this run uses Django's database.")
    gc.freeze()  # What is there stays; to look through it again and again takes long.
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """What a test has logged may hold lone surrogates, which no process can send to another."""
    report = yield
    report.sections = [
        (name, text.encode("utf-8", "backslashreplace").decode()) for name, text in report.sections
    ]
    return report


def pytest_runtest_setup(item):
    """`@pytest.mark.service("redis")`, `postgres`, `browser`: skip, or fail where that is asked.

    Django keeps the language of a thread's last request: each test begins in the site's own, and
    with no counts of throttles, which outlive a test while numbers of users come again.
    """
    from django.core.cache import cache
    from django.utils import translation

    translation.deactivate()
    kept.copy_wanted()
    cache.clear()
    for mark in item.iter_markers("service"):
        for name in mark.args:
            needs.need(name)
    for name in ("postgres", "browser"):
        if item.get_closest_marker(name):
            needs.need(name)


def pytest_terminal_summary(terminalreporter):
    """One line for each thing whose lack kept tests from running (also under xdist), and for each
    test that was tried again."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.write_line(f"TRIED AGAIN {report.nodeid}: {report.longreprtext[-300:]}")
    lacking = {}
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        lacking[reason] = lacking.get(reason, 0) + 1
    for reason, count in sorted(lacking.items()):
        terminalreporter.write_line(f"SKIPPED {count}: {reason.removeprefix('Skipped: ')}")


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment, django_db_blocker, tmp_path_factory):
    """A database of this process: a copy of one that was migrated once for the whole run.

    On SQLite a file, so that threads share it as they do when serving.
    """
    from django.db import connection

    from paraanno.env import database_from_url

    with django_db_blocker.unblock():
        if connection.vendor == "sqlite":
            folder = tmp_path_factory.mktemp("database")
            _, drop = live_parts.new_sqlite(folder)
            connection.close()
            connection.settings_dict["NAME"] = str(folder / "paraanno.sqlite3")
        else:
            variables, drop = live_parts.new_postgres()
            connection.close()
            made = database_from_url(variables["DATABASE_URL"])
            connection.settings_dict["NAME"] = made["NAME"]
    kept.begin(django_db_blocker.unblock)
    yield
    with django_db_blocker.unblock():
        connection.close()
        drop()


@pytest.fixture
def data_dir(tmp_path, settings):
    """A data folder of its own."""
    folder = tmp_path / "data"
    settings.DATA_DIR = folder
    settings.FILE_UPLOAD_TEMP_DIR = folder / "tmp"
    (folder / "tmp").mkdir(parents=True)
    return folder


@pytest.fixture
def live_site(django_db_blocker):
    """Make sites with servers of their own: `live_site(database="sqlite", broker="redis")`."""
    sites = []

    def make(**options):
        sites.append(live.Site(unblock=django_db_blocker.unblock, **options))
        return sites[-1]

    yield make
    for site in sites:
        site.close()


@pytest.fixture
def own_redis():
    from tests.own_redis import OwnRedis

    server = OwnRedis()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def shared_site(django_db_blocker):
    """The server that tests share who make campaigns of their own (`World`); no test may stop it.

    On SQLite: what a page asks of PostgreSQL is asked without browsers too.
    """
    site = live.Site(unblock=django_db_blocker.unblock)
    site.start("web")
    yield site
    site.close()


@pytest.fixture(scope="session")
def shared_demo(django_db_blocker):
    """The demo with a web server, for tests that change nothing that others look at."""
    site = live.Site(unblock=django_db_blocker.unblock)
    live_parts.load_demo(site.data_dir)
    site.start("web")
    yield site
    site.close()


@pytest.fixture(scope="session")
def chromium():
    with browser.launched() as launched:
        yield launched


@pytest.fixture
def new_page(chromium):
    """Open pages, each in a context (cookies, storage) of its own unless one is given.

    A test fails at its end if a script threw or the content security policy was violated.
    """
    opened = browser.Pages(chromium)
    yield opened.open
    opened.close()
    assert opened.problems == []


@pytest.fixture
def page(new_page):
    return new_page()
