"""Figures as data, rendered by Plotly on screen and by matplotlib for print. No Django."""

from scoring.figures.data import Axis, Figure, Grid, Mark, Series, numbers_csv
from scoring.figures.paper import FORMATS, draw
from scoring.figures.screen import plotly_figure

__all__ = [
    "FORMATS",
    "Axis",
    "Figure",
    "Grid",
    "Mark",
    "Series",
    "draw",
    "numbers_csv",
    "plotly_figure",
]
