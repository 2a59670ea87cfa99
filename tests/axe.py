"""What axe finds wrong with a page (WCAG 2.2 A and AA, and its best practices)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

# What looks at colours takes far longer than all the rest together.
COLOURS = ("color-contrast", "link-in-text-block")
ALL = {"target-size": {"enabled": True}}
OTHERS = ALL | {name: {"enabled": False} for name in COLOURS}
# Rows of one table that are built alike have the same colours: of many, three are looked at. (No
# rule of ours gives a row its colours by its place, and what it is built of includes what any
# rule asks for: names, classes, values of attributes that are no texts, and whether it has a text.)
RUN = """async ([options, some]) => {
  const build = (one) => [one.tagName, one.textContent.trim() ? "text" : "",
    ...[...one.attributes].map(({ name, value }) =>
      /^(href|id|name|value|for|title|datetime|aria-label.*|d|x|y|width|height)$/.test(name)
        ? name : `${name}=${value}`)].join(" ");
  const seen = new Map();
  const exclude = [...document.querySelectorAll("tbody > tr")].filter((row) => {
    const all = [row, ...row.querySelectorAll("*")].map(build).join();
    const rows = seen.get(row.parentNode) ?? seen.set(row.parentNode, {}).get(row.parentNode);
    rows[all] = (rows[all] ?? 0) + 1;
    return some && rows[all] > 3;
  });
  const found = await axe.run(exclude.length ? { exclude } : document, options);
  return found.violations;
}"""


@cache
def script() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    """A line for each rule that is broken, with the places; empty where all is well."""
    _prepare(page)
    return [*_found(page, {"rules": OTHERS}), *_colours(page)]


def violations_light_and_dark(page: Any) -> list[str]:
    """The same in the light colours, and what is wrong with the dark ones: they differ in nothing
    else. The page is not loaded a second time."""
    found = violations(page)
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {line}" for line in _colours(page)]
    page.emulate_media(color_scheme="light")
    return found


def _prepare(page: Any) -> None:
    page.wait_for_load_state()  # Before that its colours and sizes may be lacking.
    # Not as a script element: the page's own content security policy would refuse it.
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(script())


def _colours(page: Any) -> list[str]:
    return _found(page, {"runOnly": {"type": "rule", "values": COLOURS}}, some=True)


def _found(page: Any, options: dict[str, Any], *, some: bool = False) -> list[str]:
    found = page.evaluate(RUN, [{"resultTypes": ["violations"], **options}, some])
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: "
        + "; ".join(f"{node['target']} {node['html'][:120]}" for node in one["nodes"][:5])
        for one in found
    ]
