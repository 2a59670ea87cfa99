"""Fewer draws and drawings than reports make, for tests that look at something else."""

from dataclasses import replace
from functools import partial

FEW = 40


def draw_few(monkeypatch):
    """Reports draw 40 samples, not 1,000, and permute 99 times, not 999: most of the time that they
    take."""
    from scoring.selectors import agreement
    from scoring.selectors.correlation import mixes, reports
    from scoring.selectors.gold import outcomes

    monkeypatch.setattr(agreement, "REPLICATES", FEW)
    monkeypatch.setattr(outcomes, "REPLICATES", FEW)
    monkeypatch.setattr(agreement, "chance", partial(agreement.chance, permutations=99))
    for module, name in ((reports, "PLAN"), (reports, "CEILING_PLAN"), (mixes, "PLAN")):
        monkeypatch.setattr(module, name, replace(getattr(module, name), replicates=FEW))


def draw_no_figures(monkeypatch):
    """The figures in a zip for a paper are empty files: a drawing takes half a second, a zip has a
    dozen."""
    from scoring.services.reports import paper_figures

    monkeypatch.setattr(paper_figures, "draw", lambda figure, form: b"")
