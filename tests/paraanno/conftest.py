"""Programs of this site in processes of their own."""

import pytest

from tests.live_parts import clean_environment, run_python


@pytest.fixture
def fresh(tmp_path):
    """Run a program that knows nothing but the variables given and a data folder, `tmp_path`."""

    def run(*arguments, **variables):
        settings = "paraanno.settings"
        environment = clean_environment(
            PARAANNO_DATA_DIR=str(tmp_path), DJANGO_SETTINGS_MODULE=settings, **variables
        )
        return run_python(environment, *arguments)

    return run
