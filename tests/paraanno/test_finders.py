"""Plotly's script is served from its package."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders as all_finders

from paraanno import finders
from paraanno.finders import NAME, PlotlyFinder


def test_the_script_is_found_among_the_static_files():
    found = all_finders.find(NAME)
    assert isinstance(found, str) and Path(found).stat().st_size > 100_000
    assert "plotly.js v" in Path(found).read_text(encoding="utf-8")[:200]


def test_no_other_file_of_the_package_is():
    finder = PlotlyFinder()
    for path in ("plotly.min.js", "plotly/datasets/iris.csv", "plotly/../plotly.min.js"):
        assert finder.find(path) == finder.find(path, find_all=True) == []


def test_it_is_collected_under_the_name_that_pages_ask_for():
    [(name, storage)] = PlotlyFinder().list([])
    assert f"{storage.prefix}/{name}" == NAME
    assert storage.exists(name)


def test_without_the_package_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(finders, "find_spec", lambda _name: None)
    with pytest.raises(ImportError, match="pip install"):
        PlotlyFinder()
