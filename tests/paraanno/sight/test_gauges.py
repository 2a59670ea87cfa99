"""Figures that are asked for at a scrape: registered once, named as Prometheus wants it."""

import re

import pytest

from paraanno.observability.counted import GAUGES


@pytest.mark.django_db
def test_names_are_unique_and_labels_fit_their_rows(settings, tmp_path):
    settings.BACKUP_DIR = tmp_path
    found = [gauge for ask in GAUGES for gauge in ask()]
    names = [gauge.name for gauge in found]
    assert len(names) == len(set(names)) > 10
    for gauge in found:
        assert re.fullmatch(r"paraanno_[a-z_]+", gauge.name) and gauge.help.endswith(".")
        assert all(len(values) == len(gauge.labels) for values, _ in gauge.rows)
        assert len({values for values, _ in gauge.rows}) == len(gauge.rows)


@pytest.mark.django_db
def test_without_backups_there_is_no_age_of_one():
    assert not any("backup" in gauge.name for ask in GAUGES for gauge in ask())
