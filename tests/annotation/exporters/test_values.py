"""Values as files show them."""

from datetime import datetime

import pytest

from tests.annotation.exporters.written import text_of


def test_numbers():
    rows = [{"value": value} for value in (5.0, 0.1, 1e20, 3, None)]
    cells = [line.split(",")[2] for line in text_of(rows, "csv").splitlines()[1:]]
    assert cells == ["5", "0.1", "1e+20", "3", ""]
    assert text_of([{"text": None, "value": 2.5}], "jsonl") == '{"value":2.5}\n'


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_an_undefined_number_is_refused(value):
    for format in ("csv", "jsonl"):
        with pytest.raises(ValueError, match="undefined value is None"):
            text_of([{"value": value}], format)


def test_a_time_without_zone_is_refused():
    with pytest.raises(ValueError, match="no zone"):
        text_of([{"text": datetime(2024, 1, 1)}], "csv")
