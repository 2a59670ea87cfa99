"""Fewer draws and drawings than reports make, for tests that look at something else."""

from dataclasses import replace
from functools import partial

FEW = 40


def draw_few(monkeypatch):
    """Reports draw 40 samples, not 1,000, and permute 99 times, not 999: most of the time that they
    take."""
    from scoring.agreement import report
    from scoring.correlation import report as correlation_report
    from scoring.gold import report as gold_report

    monkeypatch.setattr(report, "REPLICATES", FEW)
    monkeypatch.setattr(gold_report, "REPLICATES", FEW)
    monkeypatch.setattr(report, "chance", partial(report.chance, permutations=99))
    for module, name in (
        (correlation_report, "PLAN"),
        (correlation_report, "CEILING_PLAN"),
        (correlation_report, "MIXES_PLAN"),
    ):
        monkeypatch.setattr(module, name, replace(getattr(module, name), replicates=FEW))


def draw_no_figures(monkeypatch):
    """The figures in a zip for a paper are empty files: a drawing takes half a second, a zip has a
    dozen."""
    from scoring.exports import paper

    monkeypatch.setattr(paper, "draw", lambda figure, form: b"")
