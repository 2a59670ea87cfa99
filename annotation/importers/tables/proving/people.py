"""What is to be proven: a table as it is guessed, with what its cells say as a whole; and what
values say of those who gave them: each annotator is a person of their own, on one scale.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise
from math import sqrt
from statistics import fmean, median

from annotation.importers.tables.books import Cell, place_of
from annotation.importers.tables.looking import Looked, Seen
from annotation.importers.tables.mapped import VALUES, RowReader
from annotation.importers.tables.mapping import IGNORE, ColumnMap
from annotation.importers.tables.profiles import Profile
from paraanno.common.texts import shown

TEXT = ("sentence", "phrase", "paraphrase", "start", "item", "displayed")
NEW = ("paraphrase", "output_of")
Text = tuple[object, ...]
Findings = Iterator[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class JudgedValue:
    """One value of the table."""

    text: Text
    scale: str
    annotator: str
    occasion: str
    value: float


@dataclass(frozen=True, slots=True)
class Beside:
    """The texts of a file that are no part of its table: rows above and below, other sheets,
    remarks on cells; `again` are rows of totals and heads that come again."""

    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    again: tuple[int, ...] = ()
    # Rows with cells that look otherwise than most of their column, by its place.
    marks: Mapping[int, Set[int]] = field(default_factory=dict)


class Proof:
    """A table as a mapping reads it. Rules look here for their evidence."""

    def __init__(self, mapping: ColumnMap, looked: Looked, beside: Beside) -> None:
        self.mapping, self.looked, self.beside = mapping, looked, beside

    @cached_property
    def values(self) -> list[Seen]:
        """The columns that are read as judgments, and do not ask already."""
        judged = self.mapping.what == "judgments"
        columns = self.looked.columns if judged else ()
        return [one for one in columns if one.guess.role in VALUES and not one.guess.ask]

    @cached_property
    def plain(self) -> list[Seen]:
        """Those of them that nobody read to another range: these were looked at."""
        table = self.looked.table
        turned = table.rescaled if table is not None else frozenset()
        return [one for one in self.values if place_of(one.column) not in turned]

    @cached_property
    def profiles(self) -> Mapping[str, Profile]:
        """What each column holds, by its letters."""
        profiles = self.looked.profiles
        return {
            one.column: profiles[place_of(one.column) or 0]
            for one in self.looked.columns
            if (place_of(one.column) or 0) < len(profiles)
        }

    def columns(self, *roles: str) -> list[Seen]:
        """The columns of some roles."""
        return [one for one in self.looked.columns if one.guess.role in roles]

    @cached_property
    def records(self) -> list[tuple[int, Mapping[str, object]]]:
        """The records of the rows that were looked at, without those that fail."""
        mapping = self.mapping
        placed = [(place_of(one.column) or 0, one) for one in mapping.columns if one.role != IGNORE]
        reader = RowReader(mapping, placed)
        return [
            (number, values)
            for number, cells in self.looked.rows
            for values, failures, _ in reader.read(cells)
            if not failures
        ]

    @cached_property
    def judged(self) -> list[JudgedValue]:
        """The values that the table holds."""
        if self.mapping.what != "judgments":
            return []
        return list(self._judged())

    def _judged(self) -> Iterator[JudgedValue]:
        for _, one in self.records:
            try:
                value = float(str(one.get("value")))
            except ValueError:
                continue
            yield JudgedValue(
                tuple(one.get(name) for name in TEXT),
                str(one.get("scale") or ""),
                str(one.get("annotator") or ""),
                str(one.get("occasion") or ""),
                value,
            )

    @cached_property
    def people(self) -> Mapping[str, Mapping[str, Mapping[Text, float]]]:
        """What each annotator gave to each text, by scale: of wide tables and long ones."""
        by_scale: dict[str, dict[str, dict[Text, float]]] = {}
        for one in self.judged:
            by_scale.setdefault(one.scale, {}).setdefault(one.annotator, {})[one.text] = one.value
        return by_scale

    def cells(self, column: str) -> Sequence[Cell]:
        """The cells of a column."""
        at = place_of(column) or 0
        return [cells[at] if at < len(cells) else None for _, cells in self.looked.rows]

    def scale_of(self, one: Seen) -> str:
        """The scale of a column of values; "" if it is not certain."""
        guess = one.guess
        return guess.of if guess.role == "value_of" else guess.scale or self.looked.scale


def original_of(text: Text) -> Text:
    """Return the original of a judged text."""
    place = TEXT.index("paraphrase")
    return text[:place] + text[place + 1 :]


# People.


LEAST = 12  # texts that two people judged, from which on they are compared
FEW = 5  # texts from which on a rule is looked for
BLOCK = 10  # texts of a part of a table
USUAL = 0.7  # how often a rule fits by chance, where nobody else says
CHANCE_OF_A_RULE = 0.01
CHANCE = 0.001  # below which something is no coincidence
AGAINST, AGAINST_IN_BLOCK = -3.5, -3.0  # t of a correlation: chance hardly goes below
TOGETHER, STRAY = 0.5, 0.2  # correlations of annotators with each other, and of one that has none
MOST_PEOPLE = 8  # among which pairs are looked at
RARE = 0.2  # share of values below which halves are no habit
Values = Mapping[Text, float]
People = Mapping[str, Values]
Parts = Sequence[float]


def _mode(parts: Parts) -> float | None:
    [(first, n), *others] = Counter(parts).most_common(2)
    return first if n > 1 and (not others or others[0][1] < n) else None


def _is_mode(value: float, parts: Parts) -> bool | None:
    mode = _mode(parts)
    return None if mode is None else value == mode


# Whether a value may be made of those of others; None if these do not say.
_MADE: tuple[Callable[[float, Parts], bool | None], ...] = (
    lambda value, parts: abs(value - fmean(parts)) <= 0.5,
    lambda value, parts: value == fmean(parts) // 1,
    lambda value, parts: value == (fmean(parts) + 0.5) // 1,
    lambda value, parts: abs(value - median(parts)) <= 0.5 * (len(parts) % 2 == 0),
    lambda value, parts: value == max(parts),
    lambda value, parts: value == min(parts),
    _is_mode,
    lambda value, parts: value == max(parts) - min(parts),
    lambda value, parts: value == sum(parts),
)
_BETWEEN = (_MADE[0], _MADE[3])  # which a value near all others fits anyway


def by_scale(proof: Proof) -> Iterator[tuple[str, People]]:
    """Yield the annotators of each scale."""
    yield from proof.people.items()


def made_of_others(proof: Proof) -> Findings:
    """An annotator whose values are always a mean, a median, a majority ... of those of others."""
    for _, people in by_scale(proof):
        texts: dict[Text, dict[str, float]] = {}
        for name, own in people.items():
            for text, value in own.items():
                texts.setdefault(text, {})[name] = value
        for name in people:
            others = frozenset(people) - {name}
            groups = [others]
            if 3 < len(people) <= MOST_PEOPLE:
                groups += [frozenset(pair) for pair in combinations(sorted(others), 2)]
            if any(_is_made(name, group, people, texts) for group in groups):
                yield {"name": shown(name)}
                return


def _is_made(
    name: str,
    group: frozenset[str],
    people: People,
    texts: Mapping[Text, Mapping[str, float]],
) -> bool:
    """Whether the values of somebody always fit a rule, which those of others would not by chance:
    of each in the group with regard to the rest of it, and of those outside."""
    for rule in _MADE:
        n, fit = _rate(people[name], group, rule, texts)
        if n < FEW or fit < n:
            continue
        rates = [
            _rate(people[one], group - {one}, rule, texts)
            for one in people
            if one != name and len(group - {one}) > 1
        ]
        chance = max(((f + 1) / (m + 2) for m, f in rates if m >= FEW), default=USUAL)
        if rule in _BETWEEN:
            chance = max(chance, _near(group, texts))
        if chance**n < CHANCE_OF_A_RULE:
            return True
    return False


def _near(group: frozenset[str], texts: Mapping[Text, Mapping[str, float]]) -> float:
    """Return how often the values of two are at most a point apart: a mean is as near by chance."""
    steps = [
        abs(values[one] - values[two]) <= 1
        for values in texts.values()
        for one, two in combinations(sorted(group & values.keys()), 2)
    ]
    return max(USUAL, fmean(steps)) if steps else USUAL


def _rate(
    own: Values,
    members: frozenset[str],
    rule: Callable[[float, Parts], bool | None],
    texts: Mapping[Text, Mapping[str, float]],
) -> tuple[int, int]:
    """Return of how many texts, on which the members differ, the rule could fail, and of how many
    it does not."""
    n = fit = 0
    for text, value in own.items():
        parts = [one for name, one in texts[text].items() if name in members]
        fits = rule(value, parts) if len(set(parts)) > 1 else None
        if fits is not None:
            n += 1
            fit += fits
    return n, fit


def follows_another(proof: Proof) -> Findings:
    """An annotator whose values always follow from those of another, or nearly all copy them."""
    for _, people in by_scale(proof):
        if len(people) > MOST_PEOPLE * 4:
            continue
        for one, two in combinations(people, 2):
            first, second = people[one], people[two]
            rows = [(first[text], value) for text, value in second.items() if text in first]
            same = sum(a == b for a, b in rows)
            near = len(rows) >= 2 * LEAST and same >= 0.92 * len(rows)
            several = min(len({a for a, _ in rows}), len({b for _, b in rows})) > 3
            turned = [(b, a) for a, b in rows]
            if _follows(rows) or _follows(turned) or (near and several):
                yield {"one": shown(two), "two": shown(one)}
                return


def follows_the_text(proof: Proof) -> Findings:
    """Values that follow from how long a text is."""
    place, old = TEXT.index("paraphrase"), TEXT.index("sentence")
    for _, people in by_scale(proof):
        for name, own in people.items():
            for size in (_words, len):
                new = [(size(str(text[place] or "")), value) for text, value in own.items()]
                more = [
                    (size(str(text[place] or "")) - size(str(text[old] or "")), value)
                    for text, value in own.items()
                ]
                if _follows(new) or _follows(more):
                    yield {"name": shown(name)}
                    return


def _words(text: str) -> int:
    return len(text.split())


def _follows(rows: Sequence[tuple[float, float]]) -> bool:
    """Whether the second values follow from the first, which is no coincidence: equal ones are
    beside equal ones."""
    seen: dict[float, float] = {}
    if len(rows) < FEW or any(seen.setdefault(a, b) != b for a, b in rows):
        return False
    usual = max(Counter(b for _, b in rows).values()) / len(rows)
    return len(set(seen.values())) > 2 and usual ** (len(rows) - len(seen)) < CHANCE


def constant(proof: Proof) -> Findings:
    """An annotator who always gave the same value, though others did not, more often than it comes
    by chance."""
    for _, people in by_scale(proof):
        used = Counter(value for own in people.values() for value in own.values())
        for name, own in people.items():
            [*values] = {*own.values()}
            if len(used) < 2 or len(own) <= FEW or len(values) > 1:
                continue
            if (used[values[0]] / used.total()) ** len(own) < CHANCE_OF_A_RULE:
                yield {"name": shown(name)}
                return


def running(proof: Proof) -> Findings:
    """Values that never fall from row to row: a number of the rows."""
    for _, people in by_scale(proof):
        for name, own in people.items():
            steps = [b - a for a, b in pairwise(own.values())]
            if (
                len(own) >= BLOCK
                and len({*own.values()}) > 3
                and (min(steps) >= 0 or max(steps) <= 0)
            ):
                yield {"name": shown(name)}
                return


def ranks(proof: Proof) -> Findings:
    """Values of the texts of an original that are always 1, 2, 3 in some order, or in one."""
    for _, people in by_scale(proof):
        for name, own in people.items():
            groups: dict[Text, list[float]] = {}
            for text, value in own.items():
                groups.setdefault(original_of(text), []).append(value)
            several = [one for one in groups.values() if len(one) > 1]
            ordered = all(sorted(one) == [*range(1, len(one) + 1)] for one in several)
            if ordered and len(several) >= FEW and len(several) * 2 > len(groups):
                yield {"name": shown(name)}
                return


def same_for_an_original(proof: Proof) -> Findings:
    """An annotator who gave all texts of each original the same value."""
    for _, people in by_scale(proof):
        shares = {name: _alike(own) for name, own in people.items()}
        for name, (n, alike) in shares.items():
            usual = max(
                ((a + 1) / (m + 2) for one, (m, a) in shares.items() if one != name), default=0.5
            )
            if n >= FEW and n == alike and len({*people[name].values()}) > 1 and usual**n < CHANCE:
                yield {"name": shown(name)}
                return


def _alike(own: Values) -> tuple[int, int]:
    """Return how many originals have several texts, and how many of these one value."""
    groups: dict[Text, list[float]] = {}
    for text, value in own.items():
        groups.setdefault(original_of(text), []).append(value)
    several = [one for one in groups.values() if len(one) > 1]
    return len(several), sum(len({*one}) == 1 for one in several)


def other_points(proof: Proof) -> Findings:
    """An annotator whose points end below or above those of the others, or who uses two alone."""
    for _, people in by_scale(proof):
        if len(people) > MOST_PEOPLE * 4:
            continue
        for name, own in people.items():
            rest = [v for one, values in people.items() if one != name for v in values.values()]
            if len(own) < FEW or len(rest) < LEAST or not _uses_other_points([*own.values()], rest):
                continue
            yield {
                "name": shown(name),
                "least": f"{min(own.values()):g}",
                "most": f"{max(own.values()):g}",
                "low": f"{min(rest):g}",
                "high": f"{max(rest):g}",
            }
            return


def _uses_other_points(own: Parts, rest: Parts) -> bool:
    least, most, low, high = min(own), max(own), min(rest), max(rest)
    gap = max(2.0, (high - low) * 0.4)
    within = sum(least <= one <= most for one in rest) / len(rest)
    narrow = high - most >= gap or least - low >= max(gap, (high - low) / 2)
    two = len({*own}) == 2 and len({*rest}) > 3
    share = sum(n for _, n in Counter(rest).most_common(2)) / len(rest)
    return (
        (narrow and within ** len(own) < CHANCE)
        or most - high >= gap
        or low - least >= gap
        or (two and share ** len(own) < CHANCE)
    )


def halves(proof: Proof) -> Findings:
    """Values between whole points that are rare, or that one annotator alone has."""
    for _, people in by_scale(proof):
        shares = {
            name: fmean(not value.is_integer() for value in own.values())
            for name, own in people.items()
        }
        for name, share in shares.items():
            n = len(people[name])
            others = [one for other, one in shares.items() if other != name]
            alone = bool(others) and not any(others) and n >= FEW
            if n >= LEAST and share > 0 and (share < RARE or alone):
                odd = next(one for one in people[name].values() if not one.is_integer())
                yield {"name": shown(name), "value": f"{odd:g}"}
                return


# How the values of annotators go together.


def against(proof: Proof) -> Findings:
    """An annotator whose values fall where those of all others rise, in the table or a part."""
    for _, people in by_scale(proof):
        for name in people:
            pairs = _beside(name, people)
            half = len(pairs) // 2
            blocks = [pairs[:half], pairs[half:]] if half >= BLOCK else []
            blocks += [pairs[at : at + 2 * BLOCK] for at in range(0, len(pairs), 2 * BLOCK)]
            if (len(pairs) >= LEAST and t_of(pairs) < AGAINST) or any(
                len(one) >= BLOCK and t_of(one) < AGAINST_IN_BLOCK - len(blocks) / 10
                for one in blocks
            ):
                yield {"name": shown(name)}


def scales_against(proof: Proof) -> Findings:
    """Two scales of which one falls where the other rises."""
    for one, two in combinations(proof.people, 2):
        first, second = proof.people[one], proof.people[two]
        pairs = [
            (value, second[name][text])
            for name, own in first.items()
            if name in second
            for text, value in own.items()
            if text in second[name]
        ]
        if len(pairs) >= LEAST and t_of(pairs) < AGAINST:
            yield {"one": shown(one), "two": shown(two)}


def scales_alike(proof: Proof) -> Findings:
    """Two scales with the same values everywhere."""
    for one, two in combinations(proof.people, 2):
        first, second = proof.people[one], proof.people[two]
        values = [v for own in first.values() for v in own.values()]
        if first == second and len(values) >= LEAST and len(set(values)) > 2:
            yield {"one": shown(one), "two": shown(two)}


def stray(proof: Proof) -> Findings:
    """An annotator whose values do not go with those of the others, which go with each other."""
    for _, people in by_scale(proof):
        if not 2 < len(people) <= MOST_PEOPLE * 4:
            continue
        fits = {
            name: r_of(pairs) for name in people if len(pairs := _beside(name, people)) >= 2 * LEAST
        }
        for name, fit in fits.items():
            without = {one: own for one, own in people.items() if one != name}
            others = [r_of(_beside(one, without)) for one in without if one in fits]
            if fit < STRAY and others and min(others) > TOGETHER:
                yield {"name": shown(name)}
                return


def _beside(name: str, people: People) -> list[tuple[float, float]]:
    """Return the values of an annotator with the means of the others."""
    pairs = []
    for text, value in people[name].items():
        rest = [own[text] for one, own in people.items() if one != name and text in own]
        if rest:
            pairs.append((value, fmean(rest)))
    return pairs


def r_of(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the correlation of pairs; 0 where there is none."""
    if len(pairs) < 2:
        return 0.0
    x, y = fmean(one for one, _ in pairs), fmean(one for _, one in pairs)
    both = sum((a - x) * (b - y) for a, b in pairs)
    spread = sum((a - x) ** 2 for a, _ in pairs) * sum((b - y) ** 2 for _, b in pairs)
    return max(-0.9999, min(0.9999, both / sqrt(spread))) if spread else 0.0


def t_of(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the t value of the correlation of pairs."""
    r = r_of(pairs)
    return r * sqrt((len(pairs) - 2) / (1 - r * r))
