"""The notebooks of the examples."""

import json

from tests import HOME


def notebook(name):
    """Run all cells, of which none may be stored with its output; returns what they define."""
    book = json.loads((HOME / "examples/notebook" / name).read_text("utf-8"))
    known = {}
    for cell in book["cells"]:
        assert not cell.get("outputs")
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), known)
    return known
