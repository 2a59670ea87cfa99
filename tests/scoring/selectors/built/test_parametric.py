"""The figure of a rating."""

import pytest

from annotation.errors import NotFound
from scoring.builds.queries import rating_figure


def test_points_are_least_probabilities():
    rows = [
        {"least": 0, "precision": 0.5, "recall": 0.8},
        {"least": 0.1, "precision": 1, "recall": 0.2},
        {"least": 0.5, "precision": None, "recall": 0},
    ]
    (points,) = rating_figure({"rows": rows}).series
    assert (points.x, points.y, points.texts) == ((0.8, 0.2), (0.5, 1), ("0", "0.1"))
    with pytest.raises(NotFound, match="nothing to draw"):
        rating_figure({"rows": rows[2:]})
