"""What tests/axe.py leaves out to be quick hides no fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.axe import violations, violations_light_and_dark

pytestmark = pytest.mark.browser
PALE = "color: #ddd"
CONTRAST = ["color-contrast"]
DARK = f"@media (prefers-color-scheme: dark) {{ .late {{ {PALE} }} }}"


def shown(page: Any, rows: str, style: str = "") -> None:
    page.set_content(
        f"<html lang=en><title>t</title><style>body {{ background: #fff; color: #000 }} {style}"
        f"</style><main><h1>h</h1><table><tbody>{rows}</tbody></table></main></html>"
    )


def plain(many: int) -> str:
    return "".join(f"<tr><td>row {n}</td></tr>" for n in range(many))


@pytest.mark.parametrize(
    ("last", "style", "light", "dark"),
    [
        ("<tr><td>last</td></tr>", "", [], []),
        ("<tr><td class=late>last</td></tr>", f".late {{ {PALE} }}", CONTRAST, CONTRAST),
        ("<tr><td class=late>last</td></tr>", DARK, [], CONTRAST),
        (f"<tr><td style='{PALE}'>last</td></tr>", "", CONTRAST, CONTRAST),
        ("<tr data-part=x><td>last</td></tr>", f"[data-part=x] {{ {PALE} }}", CONTRAST, CONTRAST),
        ("<tr><td><img src='x'>last</td></tr>", "", ["image-alt"], []),
    ],
)  # fmt: skip
def test_a_fault_in_the_last_row_of_many_is_found(
    new_page: Callable[..., Any], last: str, style: str, light: list[str], dark: list[str]
) -> None:
    page = new_page()
    shown(page, plain(30) + last, style)
    assert [line.split()[0] for line in violations(page)] == light
    found = [line.split()[0] for line in violations_light_and_dark(page) if line[:5] != "dark:"]
    assert found == light
    found = [line.split()[1] for line in violations_light_and_dark(page) if line[:5] == "dark:"]
    assert found == dark


def test_rows_alike_are_faults_of_the_first(new_page: Callable[..., Any]) -> None:
    page = new_page()
    shown(page, plain(30), f"td {{ {PALE} }}")
    [line] = violations(page)
    assert line.startswith("color-contrast") and "row 0" in line
