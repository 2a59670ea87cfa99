"""A world of their own for the tests: data folder, variables and settings.

Imported by conftest.py before Django reads its settings.
"""

import atexit
import os
import shutil
import tempfile

from tests import shared

KEPT = ("PARAANNO_TEST_", "PARAANNO_REQUIRE_")


def begin():
    """Give this process an empty data folder and load Django with settings fit for tests."""
    for name in list(os.environ):
        if name == "BROKER_URL" or (name.startswith("PARAANNO_") and not name.startswith(KEPT)):
            del os.environ[name]
    shared.begin()
    folder = tempfile.mkdtemp(prefix="paraanno-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["PARAANNO_DATA_DIR"] = folder
    os.environ["DJANGO_SETTINGS_MODULE"] = os.environ.get(
        "PARAANNO_TEST_SETTINGS", "paraanno.settings"
    )
    # Playwright keeps an event loop in the thread of the test, and Django would refuse to work.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

    import django

    django.setup()
    # Processes that xdist starts inherit this environment: with the name in it, pytest-django would
    # read the settings, and with them the data folder of this process, before they come here.
    del os.environ["DJANGO_SETTINGS_MODULE"]
    _adapt_settings()


def _adapt_settings():
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        # It need not outlive a power cut.
        options = database["OPTIONS"]
        options["init_command"] = options["init_command"].replace("=FULL", "=OFF")
    else:
        from django.db.backends.postgresql.operations import DatabaseOperations

        DatabaseOperations.sql_flush = _delete_all


def _delete_all(operations, style, tables, **_):
    """After a test of transactions. TRUNCATE makes a file anew for each table and index: half a
    second, where the few rows of a test are deleted in a hundredth. Foreign keys are deferred."""
    return [f"DELETE FROM {operations.quote_name(table)}" for table in tables]
