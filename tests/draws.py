"""Fewer draws and drawings than reports make, for tests that look at something else."""

from functools import partial


def draw_few(monkeypatch):
    """Reports permute 99 times, not 999: most of the time that they take."""
    from scoring.agreement import report

    monkeypatch.setattr(report, "chance", partial(report.chance, permutations=99))


def draw_no_figures(monkeypatch):
    """The figures in a zip for a paper are empty files: a drawing takes half a second, a zip has a
    dozen."""
    from scoring.exports import paper

    monkeypatch.setattr(paper, "draw", lambda figure, form: b"")
