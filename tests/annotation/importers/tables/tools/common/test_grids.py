from annotation.importers.tables.tools.common.grids import OutputGrid


def parts(data, answers):
    grid = OutputGrid(list(data), list(answers))
    return list(grid.parts(data, answers)) if grid else None


def test_numbered_questions():
    """With one original, numbered outputs are systems; with numbered originals they are places."""
    one = parts({"original": "o", "out1": "a", "out2": "b"}, {"m1": 1, "m2": 2})
    assert [(data["paraphrase"], data["system"], answers) for data, answers in one] == [
        ("a", "out1", {"m": 1}),
        ("b", "out2", {"m": 2}),
    ]
    several = parts({"src1": "x", "out1": "a", "src2": "y", "out2": ""}, {"m1": 1, "m2": 2})
    assert several[0] == ({"src": "x", "out": "a"}, {"m": 1}) and several[1][0]["src"] == "y"
