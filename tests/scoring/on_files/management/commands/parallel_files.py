"""Files of a small parallel text, for commands that link and pivot."""

import pytest

ENGLISH = ("the cat sat", "a cat", "kitty sat", "", "the dog ran")
FOREIGN = ("x y z", "y", "z y", "w", "x d r")
LINKS = ("0-0 1-1 2-2", "1-0", "0-1 1-0", "", "0-0 1-1 2-2")


def written(folder, name, lines):
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


@pytest.fixture
def parallel(tmp_path):
    """The English file, the foreign file and their links."""
    return (
        written(tmp_path, "en.txt", ENGLISH),
        written(tmp_path, "de.txt", FOREIGN),
        written(tmp_path, "links.txt", LINKS),
    )
