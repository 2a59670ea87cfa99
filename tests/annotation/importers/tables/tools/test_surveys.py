import pytest

from tests.annotation.importers.tables.tools.checking import check, of


@pytest.mark.parametrize("name", of("surveys"))
def test_what_comes_out(name):
    check(name)
