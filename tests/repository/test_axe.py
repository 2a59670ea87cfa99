"""What tests/axe.py leaves out to be quick hides no fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.axe import violations, violations_light_and_dark

pytestmark = pytest.mark.browser
PALE = "color: #ddd"
DULL = "color: #222"
CONTRAST = ["color-contrast"]
DARK = f"@media (prefers-color-scheme: dark) {{ .late {{ {PALE} }} }}"


def shown(page: Any, rows: str, style: str = "") -> None:
    page.set_content(
        f"<html lang=en><title>t</title><style>body {{ background: #fff; color: #000 }} {style}"
        f"</style><main><h1>h</h1><table><tbody>{rows}</tbody></table></main></html>"
    )


def plain(many: int) -> str:
    off = "<tr><td><button disabled>off</button></td></tr>" * 3  # With which nothing can be wrong.
    return off + "".join(f"<tr><td>row {n}</td></tr>" for n in range(many))


@pytest.mark.parametrize(
    ("last", "style", "light", "dark"),
    [
        ("<tr><td>last</td></tr>", "", [], []),
        ("<tr><td class=late>last</td></tr>", f".late {{ {PALE} }}", CONTRAST, CONTRAST),
        ("<tr><td class=late>last</td></tr>", DARK, [], CONTRAST),
        (f"<tr><td style='{PALE}'>last</td></tr>", "", CONTRAST, CONTRAST),
        ("<tr data-part=x><td>last</td></tr>", f"[data-part=x] {{ {PALE} }}", CONTRAST, CONTRAST),
        ("<tr><td><img src='x'>last</td></tr>", "", ["image-alt"], []),
        ("<tr><td>same</td></tr>", "tr:last-child { background: #555 }", CONTRAST, CONTRAST),
        ("<tr><td>same</td></tr>", "tr:last-child { opacity: 0.3 }", CONTRAST, CONTRAST),
        ("<tr><td><input aria-label=a></td></tr>", f"input {{ background: #111; {DULL} }}",
         CONTRAST, CONTRAST),
        ("<tr><td><button>on</button></td></tr>", f"button {{ {PALE}; background: #fff }}",
         CONTRAST, CONTRAST),
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


def test_a_single_sign_does_not_stand_for_a_word(new_page: Callable[..., Any]) -> None:
    page = new_page()
    shown(page, "<tr><td>5</td></tr>" * 3 + "<tr><td>five</td></tr>", f"td {{ {PALE} }}")
    assert [line.split()[0] for line in violations(page)] == CONTRAST


def test_what_was_fine_in_the_dark_on_one_page_may_be_wrong_on_the_next(
    new_page: Callable[..., Any],
) -> None:
    page = new_page()
    for style, found in (("", []), (DARK, CONTRAST), (DARK, CONTRAST), ("", [])):
        shown(page, plain(3) + "<tr class=late><td>last</td></tr>", style)
        dark = [line.split()[1] for line in violations_light_and_dark(page)]
        assert dark == found
