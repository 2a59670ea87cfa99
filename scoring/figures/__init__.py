"""Figures as data, drawn on the screen by Plotly and on paper by matplotlib. No Django."""

from scoring.figures.data import Axis, Cells, Figure, Mark, Series
from scoring.figures.paper import FORMATS, draw
from scoring.figures.screen import plotly_figure

__all__ = [
    "FORMATS",
    "Axis",
    "Cells",
    "Figure",
    "Mark",
    "Series",
    "draw",
    "plotly_figure",
]
