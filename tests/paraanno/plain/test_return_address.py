"""Addresses of platforms: what may be told, and what may be a code."""

import pytest

from paraanno.plain.return_address import holds_a_code


@pytest.mark.parametrize(
    ("address", "codes", "holds"),
    [
        ("", [], False),
        ("https://a.example/done", [], False),
        ("https://a.example/done?cc={code}&who={id}", ["C1"], False),
        ("https://a.example/done?cc=C1", [], True),
        ("https://a.example/done/C1", ["", "C1"], True),
        ("https://me:pass@a.example/", [], True),
        ("https://a.example/#C1", [], True),
        ("https://[broken", [], True),
    ],
)
def test_what_holds_a_code(address, codes, holds):
    assert holds_a_code(address, codes) is holds
