"""Templates are laid out to be read: `make lint` looks at their tags, this at long lines."""

from __future__ import annotations

from pathlib import Path

from tests.live_parts import HOME

MOST = 160


def templates() -> list[Path]:
    return sorted((HOME / "templates").rglob("*.html"))


def test_lines_of_templates_are_short() -> None:
    assert len(templates()) > 100
    long = [
        f"{path.relative_to(HOME)}:{number}"
        for path in templates()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > MOST
    ]
    assert long == []
