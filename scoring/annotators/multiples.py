"""Annotators as small multiples: their points beside those that the others gave the same texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.http.charts import (
    ACCENT,
    INK,
    LINE,
    SOFT,
    Value,
    document,
    line,
    rect,
    table_csv,
    text,
)

ACROSS, WIDTH, HEIGHT, TOP, FOOT = 4, 160, 90, 56, 44  # Pixels, but for how many are in a row.


@dataclass(frozen=True, slots=True)
class OwnAndOthers:
    """The share of each level among an annotator's points, and among those of the others."""

    code: str
    own: Sequence[float]
    others: Sequence[float]


@dataclass(frozen=True, slots=True)
class MultiplesFile:
    """The picture and its numbers as files."""

    title: str
    levels: Sequence[float]
    people: Sequence[OwnAndOthers]

    def csv(self) -> str:
        """A line for each annotator and level."""
        rows: list[dict[str, Value]] = [
            {"annotator": one.code, "value": level, "share": own, "others": others}
            for one in self.people
            for level, own, others in zip(self.levels, one.own, one.others, strict=True)
        ]
        return table_csv(rows)

    def svg(self) -> str:
        """Bars for the own points, dark lines for the others."""
        most = max((share for one in self.people for share in (*one.own, *one.others)), default=1.0)
        rows = -(-len(self.people) // ACROSS)
        drawn = [
            text(8, 20, self.title, weight=650),
            text(8, 38, _("Bars: points given; lines: the others on the same texts."), SOFT),
        ]
        for at, one in enumerate(self.people):
            row, column = divmod(at, ACROSS)
            drawn += self._panel(
                one, 8 + column * (WIDTH + 16), TOP + row * (HEIGHT + FOOT), most or 1.0
            )
        return document(self.title, ACROSS * (WIDTH + 16), TOP + rows * (HEIGHT + FOOT) + 8, drawn)

    def _panel(self, one: OwnAndOthers, left: int, top: int, most: float) -> list[str]:
        floor, step = top + HEIGHT, WIDTH / max(1, len(self.levels))
        drawn = [text(left, top - 4, one.code, weight=650)]
        for at, (level, own, others) in enumerate(
            zip(self.levels, one.own, one.others, strict=True)
        ):
            x, tall = left + step * at, (HEIGHT - 12) * own / most
            y = floor - (HEIGHT - 12) * others / most
            drawn += [
                rect(x + step * 0.1, floor - tall, step * 0.8, tall, ACCENT, opacity=0.5),
                line(x, y, x + step, y, INK, 2),
                text(x + step / 2, floor + 16, f"{level:g}", SOFT, "middle"),
            ]
        return [*drawn, line(left, floor, left + WIDTH, floor, LINE)]
