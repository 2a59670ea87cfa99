"""What parts of a table say of its values: those of each phase, domain ... are on one scale."""

from __future__ import annotations

from annotation.importers.tables.guessing.doubts import of_another_scale
from annotation.importers.tables.looking import Seen
from annotation.importers.tables.mapping import IGNORE
from annotation.importers.tables.names import concepts
from annotation.importers.tables.proving.legends import extremes, ranges_in
from annotation.importers.tables.proving.people import Findings, Proof
from paraanno.common.texts import shown

LEAST = 12  # values of a part
MOST_PARTS = 12
MANY = 20  # values among which the highest point of a scale is expected
MOST_POINTS = 12
OFTEN = 0.1  # share of the values
WIDER = 1.35  # times the highest value of a part, which others reach on a longer scale
CHANCE = 0.001
# Lowest and highest points of the scales that people mostly use.
_RANGES = (
    *((0, 1), (0, 3), (0, 4), (0, 5), (0, 6), (0, 10), (0, 100)),
    *((1, 4), (1, 5), (1, 6), (1, 7), (1, 9), (1, 10), (1, 100)),
)
_LABELS = (IGNORE, "attr", "occasion", "status", "role", "kind")


def other_ranges(proof: Proof) -> Findings:
    """Values that go from end to end of a shorter scale where a label is one, and further where it
    is another."""
    labels = [one for one in proof.columns(*_LABELS) if _parts_rows(proof, one)]
    scales = proof.columns("scale")
    for one in proof.plain if labels else ():
        values = proof.profiles[one.column].values
        of = proof.profiles[scales[0].column].texts if scales else ("",) * len(values)
        for label in labels:
            parts: dict[tuple[str, str], list[float]] = {}
            texts = proof.profiles[label.column].texts
            for value, scale, text in zip(values, of, texts, strict=True):
                if value is not None and text:
                    parts.setdefault((scale, text), []).append(value)
            highest = max((max(own) for own in parts.values()), default=0.0)
            for (scale, text), own in parts.items():
                if (min(own), max(own)) not in _RANGES or highest < WIDER * max(own):
                    continue
                rest = [
                    value
                    for (other, beside), several in parts.items()
                    if other == scale and beside != text
                    for value in several
                ]
                if _is_shorter(own, rest):
                    yield {
                        "column": shown(label.name or label.column),
                        "text": shown(text),
                        "least": f"{min(own):g}",
                        "most": f"{max(own):g}",
                        "high": f"{max(rest):g}",
                    }
                    return


def _parts_rows(proof: Proof, one: Seen) -> bool:
    """Whether few labels, which are no systems, part the rows."""
    profile = proof.profiles[one.column]
    return (
        not one.guess.ask
        and 1 < profile.distinct <= MOST_PARTS
        and profile.n >= 2 * LEAST
        and "system" not in concepts(one.name)
    )


def _is_shorter(own: list[float], rest: list[float]) -> bool:
    if min(len(own), len(rest)) < LEAST:
        return False
    within = sum(one <= max(own) for one in rest) / len(rest)
    return max(rest) >= WIDER * max(own) and within ** len(own) < CHANCE


def of_their_scales(proof: Proof) -> Findings:
    """Values beside labels of scales that use little of their scale."""
    if not proof.columns("scale") or len(proof.looked.ranges) == 1:
        return  # Of one scale alone the doubts about columns ask.
    for scale, people in proof.people.items():
        low, high = proof.looked.ranges.get(scale, (0.0, 0.0))
        values = [value for own in people.values() for value in own.values()]
        for one in of_another_scale(values, low, high) if low < high else ():
            yield {"text": one, "scale": scale}


def ends_below(proof: Proof) -> Findings:
    """Values from the lowest point of a scale to one that many give, with none above it, where no
    text names the scale's ends."""
    beside = proof.beside
    names = [f"{proof.looked.group_of(one.column)} {one.name}" for one in proof.looked.columns]
    texts = (*beside.above, *beside.below, *beside.sheets, *beside.remarks, *names)
    named_ends = {pair for text in texts for pair in (*ranges_in(text), extremes(text))}
    for scale, people in proof.people.items():
        low, high = proof.looked.ranges.get(scale, (0.0, 0.0))
        values = [value for own in people.values() for value in own.values()]
        if (low, high) in named_ends or len(values) < MANY or high - low > MOST_POINTS:
            continue
        least, most = min(values), max(values)
        often = values.count(most) >= OFTEN * len(values)
        if low == least < most < high and often:
            yield {"scale": scale, "most": f"{most:g}", "high": f"{high:g}"}
