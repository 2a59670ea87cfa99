"""What a browser is called by people."""

from __future__ import annotations

# The first that is named counts: most call themselves by the names of others, too.
BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"),
    ("Whale/", "Whale"), ("Firefox/", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"), ("Safari/", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
    ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip


def browser_of(agent: str) -> str:
    """Return a short name such as "Firefox, Linux"; what is not known stays as it is."""
    found = [
        next((name for mark, name in names if mark in agent), "") for names in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(name for name in found if name) or agent[:60] or "–"
