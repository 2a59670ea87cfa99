"""Files of a small parallel text, for commands that link and pivot."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

ENGLISH = ("the cat sat", "a cat", "kitty sat", "", "the dog ran")
FOREIGN = ("x y z", "y", "z y", "w", "x d r")
LINKS = ("0-0 1-1 2-2", "1-0", "0-1 1-0", "", "0-0 1-1 2-2")


def written(folder: Path, name: str, lines: tuple[str, ...]) -> str:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def parallel(tmp_path: Path) -> tuple[str, str, str]:
    """The names of the English file, the foreign file and their links."""
    return (
        written(tmp_path, "en.txt", ENGLISH),
        written(tmp_path, "de.txt", FOREIGN),
        written(tmp_path, "links.txt", LINKS),
    )


def refused(capsys, *arguments: str) -> str:
    """What a command says that ends with exit code 2."""
    with pytest.raises(SystemExit) as stop:
        call_command(*arguments)
    assert stop.value.code == 2
    return capsys.readouterr().err
