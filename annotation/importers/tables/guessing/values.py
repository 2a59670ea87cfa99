"""Which columns hold judgments: of which scale, and by whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from annotation.importers.tables.guessing.point_words import NO, YES, plain_word, says_nothing
from annotation.importers.tables.guessing.state import Columns
from annotation.importers.tables.guessing.value_names import (
    are_names,
    are_short_criteria,
    bare_names,
    differ_in_a_number,
    like_a_question,
    without,
)
from annotation.importers.tables.names import (
    concepts,
    lexicon_plain_name,
    numbered_role,
    roles_named,
    scale_named,
)
from annotation.importers.tables.profiles import (
    computed,
    computed_by_name,
    length_of,
    reason_of,
    same_texts,
)
from annotation.importers.tables.proving.legends import MOST_POINTS, are_people, turned
from annotation.importers.tables.word_values import (
    TWO_NUMBERS,
    Ranges,
    are_values,
    codes_of_none,
    points_of,
)
from paraanno.common.texts import Sentence, say, shown

MOST_POINT = 1000.0
EPOCH = 1e9  # seconds, beyond which numbers may be times
LEAST_TEXTS = 5  # originals that several people judged
NO_ANSWER = say("says where there is no answer")
LEAST_FILLED = 0.3  # share of the rows that hold a value


def alone(people: Mapping[int, str | None]) -> dict[int, str | None]:
    """Return names without the words that all begin with, where the rest are people's names:
    "preserved KL", "preserved MB"."""
    split = {at: (name or "").split() for at, name in people.items()}
    first = {tuple(words[:-1]) for words in split.values()}
    rest = [words[-1] for words in split.values() if words]
    together = len(first) == 1 and first != {()} and len(split) == len(rest) > 1
    if not together or concepts(" ".join(first.pop())) & {"annotator"}:
        return {**people}
    whole = all(word[:1].isupper() for word in rest) and are_people([*dict.fromkeys(rest)], ())
    return {at: words[-1] for at, words in split.items()} if whole else {**people}


class ValueGuesses:
    """Finds the columns of judgments. `values` are their places, `computed` those of columns that
    are computed from them, `words` the points of words by scale, `spoken` all words."""

    def __init__(self, columns: Columns, ranges: Ranges) -> None:
        self.columns, self.ranges = columns, ranges
        self.words: dict[str, dict[str, float | None]] = {}
        self.spoken: dict[str, tuple[str, ...]] = {}
        profiles = columns.profiles
        numbers = [at for at in sorted(columns.free) if profiles[at].is_number]
        self.naming = [at for at in numbers if self._numbers_name(at)]
        numbers = [at for at in numbers if at not in self.naming]
        candidates = [at for at in numbers if not self._is_id(at)]
        self.computed = computed(columns.names, profiles, candidates)
        self.aside = {at: reason for at in numbers if (reason := self._reason(at)) is not None}
        numeric = [at for at in candidates if at not in self.computed and at not in self.aside]
        self.aside |= {
            at: say("what the numbers of column %(other)s mean", other=columns.shown(other))
            for other in numeric
            for at in sorted(columns.free)
            if self._explains(at, other)
        }
        spoken = [
            at
            for at in sorted(columns.free)
            if at not in [*numbers, *self.naming, *self.aside] and self._spoken(at)
        ]
        self.aside |= {at: NO_ANSWER for at in spoken if numeric and self._says_where(at, numeric)}
        self.values = sorted([*numeric, *(at for at in spoken if at not in self.aside)])

    def _says_where(self, at: int, numeric: Sequence[int]) -> bool:
        """Whether a column says yes exactly where the columns of numbers beside it have some."""
        profiles = self.columns.profiles
        if not all(plain_word(word) in YES | NO for word in profiles[at].words):
            return False
        columns = [profiles[other] for other in numeric]
        codes = [codes_of_none([one for one in each.values if one is not None]) for each in columns]
        answered = [
            any(
                value is not None and value not in none
                for value, none in zip(row, codes, strict=True)
            )
            for row in zip(*(each.values for each in columns), strict=True)
        ]
        marked = [plain_word(text) in YES for text in profiles[at].texts]
        return not all(answered) and marked == answered

    def _explains(self, at: int, other: int) -> bool:
        """Whether a label says of each number beside it what that means, the highest being the
        best."""
        label, number = self.columns.profiles[at], self.columns.profiles[other]
        if not 2 < label.distinct == number.distinct <= MOST_POINTS or not label.is_label:
            return False
        if not (same_texts(label, number) and same_texts(number, label)):
            return False
        words = dict(zip(number.texts, label.texts, strict=True))
        legend = "; ".join(f"{one} = {words[one]}" for one in sorted(words) if one)
        return not any(turned([legend]))

    def _numbers_name(self, at: int) -> bool:
        """Whether few whole numbers name who judged, or systems: "annotator", "rater_id"."""
        columns, one = self.columns, self.columns.profiles[at]
        exact, about = roles_named(columns.names[at])[:1], columns.about(at)
        named = exact in (("annotator",), ("system",)) or (
            "id" in about and bool(about & {"annotator", "system"})
        )
        whole = all(value is None or value.is_integer() for value in one.values)
        # Nobody calls points "system"; "rater" may be the points of the only one.
        few = one.repeats or exact == ("system",)
        return named and whole and few and numbered_role(columns.names[at]) is None

    def _is_id(self, at: int) -> bool:
        """Whether numbers count the rows or texts, by their name or because they run on."""
        about, one = self.columns.about(at), self.columns.profiles[at]
        if roles_named(self.columns.names[at])[:1] in (
            ("item",),
            ("start",),
            ("end",),
            ("occasion",),
        ):
            return True
        if scale_named(self.columns.names[at], self.columns.scales) or about & {
            "value",
            "annotator",
            "criterion",
        }:
            return False
        if "id" in about and not about & {"mean", "sum", "sd"}:
            return True
        whole = [value for value in one.values if value is not None and value.is_integer()]
        if len(whole) < max(3, one.n):
            return False
        steps = {b - a for a, b in pairwise(whole)}
        runs = steps <= {0.0, 1.0} and one.distinct > 5 and whole[0] in (0.0, 1.0)
        # Points up to 100 may all differ; numbers of texts rise, or are large.
        rises = all(step > 0 for step in steps) or max(whole) > MOST_POINT
        return runs or (one.distinct == one.n > 10 and rises)

    def _reason(self, at: int) -> Sentence | None:
        """Return why a column of numbers holds no judgments; None if it may hold some."""
        columns = self.columns
        if self._is_id(at):
            since = "date" in columns.about(at) and (columns.profiles[at].lowest or 0) > EPOCH
            return say("times") if since else say("an id")
        if at in self.computed:
            kind, places = self.computed[at]
            return reason_of(kind, len(places))
        about = columns.about(at)
        if "date" in about and not about & {"value", "criterion"}:
            return say("times")
        if "person" in about and not about & {"value", "criterion"}:
            return say("about who judged")
        if "group" in about and not about & {"value", "criterion", "annotator"}:
            return say("numbers of groups")
        texts = [one for one in columns.profiles if one.is_text]
        if length_of(columns.profiles[at], texts) is not None:
            return say("the length of a text")
        if "confidence" in about and (self._scale(at) is None or self._beside_its_scale(at)):
            return say("how sure somebody was")
        group = columns.groups[at]
        by_name = computed_by_name(columns.names[at])
        if by_name is None and group and not self._scale(at):
            by_name = computed_by_name(group)
        if by_name is not None and not self._of_one_annotator(at):
            return by_name
        return None

    def _beside_its_scale(self, at: int) -> bool:
        """Whether another column has the points of the scale: meaning, meaning_confidence."""
        return any(
            self._scale(other) == self._scale(at)
            and "confidence" not in self.columns.about(other)
            and self.columns.profiles[other].is_number
            for other in range(len(self.columns.names))
            if other != at
        )

    def _of_one_annotator(self, at: int) -> bool:
        """Whether "overall" and the like is a scale of the campaign here."""
        return scale_named(self.columns.names[at], self.columns.scales) is not None and not (
            concepts(self.columns.names[at])
            & {"mean", "median", "sd", "sum", "count", "majority", "length"}
        )

    def _spoken(self, at: int) -> bool:
        """Whether a column holds words of a scale."""
        one = self.columns.profiles[at]
        if not one.is_text and not one.numeric:
            return False
        words = one.words
        if self._named_otherwise(at) or one.filled < LEAST_FILLED:
            return False
        exact = roles_named(self.columns.names[at])[:1]
        if exact == ("system",):
            return False
        if computed_by_name(self.columns.names[at]) is not None and self._scale(at) is None:
            return False
        if are_values(words) and len(words) > 1:
            return True
        if len(words) > 1 and all(map(TWO_NUMBERS.fullmatch, words)):
            return not self.columns.about(at) & {"date", "id", "group"}
        mixed = [word for word in words if not says_nothing(word)]
        numbers = [value for value in one.values if value is not None]
        if len(words) <= 20 and numbers and mixed and one.numeric >= 0.3:
            return exact != ("annotator",)
        about = self.columns.about(at)
        named = self._scale(at) is not None or ("value" in about and "annotator" not in about)
        named = named or ("criterion" in about and one.is_label and len(words) > 2)
        return named and one.length <= 40 and len(words) <= 12

    def _named_otherwise(self, at: int) -> bool:
        return bool(self.columns.about(at) & {"comment", "output", "original", "text", "reference"})

    def _scale(self, at: int) -> str | None:
        """Return the scale that the name or the name over it says."""
        columns = self.columns
        return scale_named(columns.names[at], columns.scales) or (
            scale_named(columns.groups[at], columns.scales) if columns.groups[at] else None
        )

    def find(self, *, annotator: bool, scale: bool) -> None:
        """Guess the values: with a column of annotators or without, and with one of scales."""
        if not self.values:
            return
        if annotator:
            self._by_row(scale=scale)
        else:
            self._by_column()
        self.words, self.spoken = points_of(
            self.columns, self.values, self.ranges, coded=NO_ANSWER in self.aside.values()
        )

    def _by_row(self, *, scale: bool) -> None:
        columns = self.columns
        if scale:
            named = [at for at in self.values if "value" in columns.about(at)] or self.values
            columns.set(named[0], "value", self.range(named[0]), ask=len(named) > 1)
            return
        left = []
        for at in self.values:
            name = self._scale(at)
            if name is None:
                left.append(at)
            else:
                taken = any(one.role == "value_of" and one.of == name for one in columns.guesses)
                reason = say("named like the scale %(scale)s", scale=name)
                if taken:
                    columns.aside(at, reason, ask=True)
                else:
                    columns.set(at, "value_of", reason, name)
        others = any(one.role == "value_of" for one in columns.guesses)
        matches = [
            at for at in left if self._value_name(at) and "confidence" not in columns.about(at)
        ]
        if len(matches) == 1 and not others:
            columns.set(matches[0], "value", self.range(matches[0]))
            left.remove(matches[0])
        elif len(left) == 1 and not others:
            other = "criterion" in columns.about(left[0]) and not self._value_name(left[0])
            columns.set(left[0], "value", self.range(left[0]), ask=other)
            return
        for at in left:
            if others and self._same_for_all(at):
                columns.aside(at, say("the same beside all judgments of an original"))
            else:
                columns.aside(at, say("numbers, but of which scale?"), ask=True)

    def _same_for_all(self, at: int) -> bool:
        """Whether numbers that no name makes points are the same in all rows of an original, of
        which several people judged most: what somebody gave to a text differs sometimes."""
        columns = self.columns
        places = {one.role: place for place, one in enumerate(columns.guesses)}
        text = places.get("sentence", places.get("paraphrase"))
        if text is None or columns.about(at) & {"value", "criterion", "confidence"}:
            return False
        originals, one = columns.profiles[text], columns.profiles[at]
        again = sum(n > 1 for n in Counter(filter(None, originals.texts)).values())
        return (
            one.is_number
            and one.filled > 0.9
            and again >= LEAST_TEXTS
            and same_texts(originals, one)
        )

    def _value_name(self, at: int) -> bool:
        return "value" in self.columns.about(at)

    def range(self, at: int) -> Sentence:
        """Return what a column of values holds."""
        one = self.columns.profiles[at]
        if not one.is_number:
            return say("words of a scale: %(words)s", words=", ".join(map(shown, one.words[:5])))
        return say(
            "numbers from %(least)s to %(most)s",
            least=f"{one.lowest or 0:g}",
            most=f"{one.highest or 0:g}",
        )

    def _by_column(self) -> None:
        """Without a column of annotators: one column for each, maybe beside one for each scale."""
        columns = self.columns
        scales = {at: self._scale(at) for at in self.values}
        people = alone({at: self._person(at, scales[at]) for at in self.values})
        if not any(scales.values()):
            names = {at: person or columns.names[at] for at, person in people.items()}
            people = bare_names(names) if not "".join(names.values()).isascii() else people
        named = [scale for scale in scales.values() if scale]
        if len(named) == len(self.values):
            if all(people.values()) and self._all_different(scales, people):
                for at in self.values:
                    self._voice(at, str(people[at]), str(scales[at]))
                return
            if len(set(named)) == len(named):
                for at, scale in scales.items():
                    reason = say("named like the scale %(scale)s", scale=scale)
                    columns.set(at, "value_of", reason, str(scale))
                return
        if not named and self._are_people(people):
            for at in self.values:
                self._voice(at, people[at] or columns.names[at], "")
            return
        self._unclear(scales, people)

    def _unclear(self, scales: Mapping[int, str | None], people: Mapping[int, str | None]) -> None:
        columns = self.columns
        for at in self.values:
            taken = [(one.of, one.scale) for one in columns.guesses if one.role == "voice_of"]
            if scales[at] and people[at] and (people[at], scales[at]) not in taken:
                self._voice(at, str(people[at]), str(scales[at]), ask=True)
            elif len(self.values) == 1 and self._value_name(at) and not scales[at]:
                columns.set(at, "value", self.range(at), ask=self._has_fractions(at))
            else:
                columns.aside(at, say("numbers: whose, and of which scale?"), ask=True)

    def _has_fractions(self, at: int) -> bool:
        return any(
            value is not None and not value.is_integer()
            for value in self.columns.profiles[at].values
        )

    def _voice(self, at: int, name: str, scale: str, *, ask: bool = False) -> None:
        self.columns.set(
            at,
            "voice_of",
            say("numbers in one column for each annotator"),
            name,
            scale=scale,
            ask=ask,
        )

    def _all_different(
        self, scales: Mapping[int, str | None], people: Mapping[int, str | None]
    ) -> bool:
        pairs = {(scales[at], people[at]) for at in self.values}
        each: dict[str | None, set[str | None]] = {}
        for scale, person in pairs:
            each.setdefault(scale, set()).add(person)
        sets = list(each.values())
        return len(pairs) == len(self.values) and all(one == sets[0] for one in sets)

    def _person(self, at: int, scale: str | None) -> str | None:
        """Return what a name says besides the scale: the annotator; None for nothing."""
        columns = self.columns
        name, group = columns.names[at], columns.groups[at]
        if group and name.startswith(f"{group}."):  # ratings.Anna
            name = name.removeprefix(f"{group}.")
        if scale and "." in group and not scale_named(group, [scale]):
            return group.rpartition(".")[2]  # outputs.ratings.R1
        rest = without(name, scale, columns.scales)
        if rest:
            return rest
        above = without(group, scale, columns.scales) if group else ""
        return above or None

    def _as_the_texts(self, names: Sequence[str]) -> bool:
        """Whether columns of texts end in the numbers of "score 1", "score 2": each may be about
        one of the texts."""
        texts = {
            name.split()[-1]
            for at, text in enumerate(self.columns.names)
            if self.columns.profiles[at].is_text and (name := lexicon_plain_name(text))
        }
        return all((lexicon_plain_name(name).split() or [""])[-1] in texts for name in names)

    def _are_people(self, people: Mapping[int, str | None]) -> bool:
        """Whether columns that name no scale are one annotator each: they are called so, differ in
        a number or letter, or a mean of just these stands beside them."""
        columns = self.columns
        names = [people[at] or columns.names[at] for at in self.values]
        if len(self.values) < 2 or len({name.casefold() for name in names}) < len(names):
            return False
        if any(map(like_a_question, names)):
            return False
        about = [columns.about(at) | concepts(columns.groups[at]) for at in self.values]
        if all("annotator" in one for one in about):
            return True
        above = [concepts(columns.groups[at]) for at in self.values]
        no_concepts = not any(map(concepts, names))
        if no_concepts and all(one & {"value", "annotator"} for one in above):
            return True  # ratings.Anna, ratings.Ben
        if any(one & {"criterion", "confidence", "metric", "length"} for one in about):
            return False
        rests = [f"({name})" for name in names if name.isalpha()]
        whole = [columns.names[at] for at in self.values]
        stems = {name.replace(rest, "") for name, rest in zip(whole, rests, strict=False)}
        behind = len(rests) == len(names) and all(map(str.endswith, whole, rests))
        if behind and no_concepts and len(stems) == 1 and all("value" in one for one in about):
            return not are_short_criteria(names)  # Score (KL)
        highest = [columns.profiles[at].highest or 0.0 for at in self.values]
        if are_names(names) and max(highest) <= 2 * min(highest):
            return True
        if all("value" in one for one in about) and self._as_the_texts(names):
            return False
        averaged = any(set(places) == set(self.values) for _, places in self.computed.values())
        return averaged or differ_in_a_number(names)
