"""Figures as matplotlib draws them for print."""

import io
import re
from dataclasses import replace

import pytest
from PIL import Image

from scoring.figures.paper import FORMATS, draw
from tests.scoring.figures.drawn import (
    BESIDE,
    DENSITY,
    HEAT,
    LINES,
    MANY,
    NEGATIVE,
    POINTS,
    RANGES,
)

SIGNATURES = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("figure", "form"),
    [(POINTS, "pdf"), (LINES, "svg"), (RANGES, "png"), (HEAT, "svg"), (DENSITY, "pdf")],
    ids=["points", "lines", "ranges", "heat", "density"],
)
def test_print_figures_are_byte_identical(figure, form):
    """Each kind of figure, and each format: a drawing takes half a second."""
    once = draw(figure, form)
    assert once == draw(figure, form)
    assert once.startswith(SIGNATURES[form])
    assert set(SIGNATURES) == set(FORMATS)


def test_text_stays_text_in_the_svg():
    svg = draw(LINES, "svg").decode()
    assert "Pearson" in re.sub(r"<!--.*?-->", "", svg) and "2:8" in svg
    assert "<dc:date>" not in svg


def test_a_png_has_print_resolution():
    with Image.open(io.BytesIO(draw(POINTS, "png"))) as picture:
        assert picture.width >= 1500


def test_an_unknown_format_is_refused():
    with pytest.raises(ValueError, match="unknown format 'gif'"):
        draw(POINTS, "gif")


def test_negative_numbers_have_minus_signs():
    assert "−1.5–−1" in draw(NEGATIVE, "svg").decode()


@pytest.mark.slow
def test_figures_grow_with_many_long_names():
    with (
        Image.open(io.BytesIO(draw(HEAT, "png"))) as few,
        Image.open(io.BytesIO(draw(MANY, "png"))) as many,
    ):
        assert many.width > few.width and many.height > few.height


def test_series_side_by_side_do_not_overlap():
    assert draw(BESIDE, "png") != draw(replace(BESIDE, beside=False), "png")
