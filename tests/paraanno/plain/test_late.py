"""Functions that are imported when they are first called."""

from pkgutil import resolve_name

import pytest

from paraanno.common import lazy_import
from paraanno.common.lazy_import import LATE, late


@pytest.mark.parametrize("path", LATE)
def test_whatever_an_app_registers_is_there(path):
    assert callable(resolve_name(path))


def test_it_takes_and_returns_what_the_function_does(monkeypatch):
    monkeypatch.setattr(lazy_import, "LATE", [])
    assert late("math:isclose")(1.0, 1.1, rel_tol=0.5) is True
    with pytest.raises(AttributeError):
        late("math:nothing")()
