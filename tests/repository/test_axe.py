"""What tests/axe.py leaves out to be quick hides no fault."""

import pytest

from tests.axe import violations, violations_light_and_dark

pytestmark = pytest.mark.browser
PALE = "color: #ddd"
CONTRAST = ["color-contrast"]
DARK = f"@media (prefers-color-scheme: dark) {{ .late {{ {PALE} }} }}"


def shown(page, rows, style=""):
    page.set_content(
        f"<html lang=en><title>t</title><style>body {{ background: #fff; color: #000 }} {style}"
        f"</style><main><h1>h</h1><table><tbody>{rows}</tbody></table></main></html>"
    )


def plain(many):
    off = "<tr><td><button disabled>off</button></td></tr>" * 3  # With which nothing can be wrong.
    return off + "".join(f"<tr><td>row {n}</td></tr>" for n in range(many))


def rules(lines):
    """The names of the broken rules, each after `dark:` where it is one of the dark colours."""
    return [line.partition(" (")[0] for line in lines]


LATE = "<tr class=late><td>last</td></tr>"


# Rows, styles, and what is broken in light and in dark colours.
CASES = [
    (f"{plain(30)}{LATE}", "", [], []),
    (f"{plain(30)}{LATE}", f".late {{ {PALE} }}", CONTRAST, CONTRAST),
    (f"{plain(30)}{LATE}", DARK, [], CONTRAST),
    (f"{plain(30)}<tr><td style='{PALE}'>last</td></tr>", "", CONTRAST, CONTRAST),
    (f"{plain(30)}<tr><td><img src='x'>last</td></tr>", "", ["image-alt"], []),
    (f"{plain(30)}{LATE}", "tr:last-child { background: #555 }", CONTRAST, CONTRAST),
    (f"{plain(30)}{LATE}", "tr:last-child { opacity: 0.3 }", CONTRAST, CONTRAST),
    (
        f"{plain(30)}<tr><td><input aria-label=a></td></tr>",
        "input { background: #111; color: #222 }",
        CONTRAST,
        CONTRAST,
    ),
    # Rows alike are faults of the first, and a single sign does not stand for a word.
    (plain(30), f"td {{ {PALE} }}", CONTRAST, CONTRAST),
    (
        "<tr><td>5</td></tr>" * 3 + "<tr><td>five</td></tr>",
        f"td {{ {PALE} }}",
        CONTRAST,
        CONTRAST,
    ),
]


def test_a_fault_in_one_of_many_rows_is_found(page):
    for rows, style, light, dark in CASES:
        shown(page, rows, style)
        assert rules(violations(page)) == light, (rows, style)
        both = light + [f"dark: {one}" for one in dark]
        assert rules(violations_light_and_dark(page)) == both, (rows, style)
