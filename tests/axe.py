"""What axe finds wrong with a page (WCAG 2.2 A and AA, and its best practices)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any


@cache
def script() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    """A line for each rule that is broken, with the places; empty where all is well."""
    page.wait_for_load_state()  # Before that its colours and sizes may be lacking.
    # Not as a script element: the page's own content security policy would refuse it.
    page.evaluate(script())
    options = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
    found = page.evaluate("options => axe.run(document, options)", options)["violations"]
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: "
        + "; ".join(f"{node['target']} {node['html'][:120]}" for node in one["nodes"][:5])
        for one in found
    ]
