"""Which columns hold the original, and the phrase in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotation.importers.tables.guessing.point_words import NO, YES, plain_word
from annotation.importers.tables.guessing.state import Columns, like_a_system
from annotation.importers.tables.names import (
    lexicon_plain_name,
    numbered_role,
    roles_named,
)
from annotation.importers.tables.profiles import (
    MOST_COMPARED,
    contained,
    same_texts,
    shared_words,
)
from paraanno.common.texts import Sentence, say

INSIDE = 0.6  # share of the rows from which on a column stands in another
NO_TEXT = ("annotator", "item", "language", "comment", "judged_at", "scale", "role", "reason")
NO_TEXT_ABOUT = frozenset({"annotator", "id", "language", "comment", "date", "scale", "group"})
ALIKE = 0.3  # share of the words of a text that stand in its original
LEAST_ROWS = 4
SHORT_NAME = 0.8  # of a text's length, below which something beside it may be a name
WHOLE = 0.6  # of the sentence's length, from which on a paraphrase is a sentence itself


class OriginalGuesses:
    """Finds the columns of originals. `sentence`, `phrase`, `paraphrase`: their places; `outputs`:
    the columns that hold the texts of a system each."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.sentence: int | None = None
        self.phrase: int | None = None
        self.paraphrase: int | None = None
        self.outputs: list[int] = []
        self.texts = [
            at
            for at in sorted(columns.free)
            if columns.profiles[at].is_text and not self._is_code(at) and self._may_be(at)
        ][:MOST_COMPARED]
        self.inside = self._insides()

    def _is_code(self, at: int) -> bool:
        """Whether a column holds yes and no, or is called an id and holds words without spaces:
        segment_id."""
        words = self.columns.profiles[at].words
        if len(words) <= 2 and {plain_word(word) for word in words} <= YES | NO:
            return True
        return "id" in self.columns.about(at) and not any(" " in text for text in words)

    def _may_be(self, at: int) -> bool:
        """Whether a column may hold texts, by its name and by how long and different they are."""
        one, columns = self.columns.profiles[at], self.columns
        first = roles_named(columns.names[at])[:1]
        role = columns.text_role(at)[:1]
        if role == ("sentence",) and self._names_corpora(at):
            return False
        if role == ("reference",) and one.is_label and 1 < one.distinct <= one.n / 4:
            return False
        if one.distinct == 1 and one.length > 5 and self._has_mate(at):
            return True
        if (first == ("system",) or role == ("output",)) and self._names_systems(at):
            return False
        if "system" in columns.about(at) and one.is_label and not numbered_role(columns.names[at]):
            return False  # "Generating model"
        if columns.about(at) & {"language"} and not any(" " in text for text in one.words):
            return False
        if role:
            return True
        if (first and first[0] in NO_TEXT) or columns.about(at) & NO_TEXT_ABOUT:
            return False
        if one.length > 1 and one.is_label and one.distinct > 1 and self._of_phrases(at):
            return True
        return one.length > 1 and not (
            one.is_label and (one.distinct == 1 or one.distinct < one.n / 4)
        )

    def _names_systems(self, at: int) -> bool:
        """Whether a column called after systems names them: few that recur, or, beside originals
        and paraphrases, short ones that share no word with what they stand beside."""
        columns, one = self.columns, self.columns.profiles[at]
        if one.is_label:
            return True
        if numbered_role(columns.names[at]):
            return False
        roles = {place: columns.text_role(place)[:1] for place in range(len(columns.names))}
        texts = [
            columns.profiles[place]
            for place, role in roles.items()
            if role in (("sentence",), ("paraphrase",)) and columns.profiles[place].is_text
        ]
        return {("sentence",), ("paraphrase",)} <= set(roles.values()) and all(
            one.length < SHORT_NAME * text.length and shared_words(one, text) < ALIKE
            for text in texts
        )

    def _rewords(self, at: int, other: int | None) -> bool:
        """Whether the texts of a column say those of another in other words: most of their words
        stand there, in every row, and hardly one is the same."""
        if other is None or self.phrase is not None:
            return False
        columns, one, two = self.columns, self.columns.profiles[at], self.columns.profiles[other]
        if {"remake", "comment"} & (columns.about(at) | columns.about(other)):
            return False
        same = sum(a == b for a, b in zip(one.texts, two.texts, strict=True))
        complete = min(one.filled, two.filled) > 0.95 and one.n >= LEAST_ROWS
        return complete and same * 10 <= one.n and shared_words(one, two) >= ALIKE

    def _of_phrases(self, at: int) -> bool:
        """Whether a column named like a system holds words that recur as those of another column
        do: replacements of phrases that recur."""
        columns, one = self.columns, self.columns.profiles[at]
        return like_a_system(columns.names[at]) and any(
            other.is_label and other.distinct > 2 and same_texts(other, one)
            for place, other in enumerate(columns.profiles)
            if place != at and columns.text_role(place)[:1] == ("phrase",)
        )

    def _names_corpora(self, at: int) -> bool:
        """Whether a column called "source" has few short labels, beside one of other sentences."""
        one, columns = self.columns.profiles[at], self.columns
        return one.is_label and any(
            other.is_text and not other.is_label and columns.text_role(place)[:1] == ("sentence",)
            for place, other in enumerate(columns.profiles)
            if place != at
        )

    def _has_mate(self, at: int) -> bool:
        """Whether the name of a neighbour begins alike, and that one holds different texts."""
        names, profiles = self.columns.names, self.columns.profiles
        words = lexicon_plain_name(names[at]).split()
        return len(words) > 1 and any(
            lexicon_plain_name(names[other]).split()[:1] == words[:1]
            and profiles[other].is_text
            and not profiles[other].is_label
            for other in (at - 1, at + 1)
            if 0 <= other < len(names)
        )

    def _insides(self) -> dict[tuple[int, int], float]:
        profiles = self.columns.profiles
        return {
            (a, b): share
            for a in self.texts
            for b in self.texts
            if a != b
            and profiles[a].length < profiles[b].length
            and (share := contained(profiles[a], profiles[b])) >= INSIDE
        }

    def _roles(self, role: str, places: Sequence[int]) -> list[int]:
        return [at for at in places if self.columns.text_role(at)[:1] == (role,)]

    def _sentence(self) -> None:
        named = [at for at in self.texts if "sentence" in self.columns.text_role(at)]
        first = self._roles("sentence", self.texts)
        outer = Counter(
            b
            for a, b in self.inside
            if self.columns.text_role(a)[:1] not in (("paraphrase",), ("output",), ("reference",))
            and self.columns.text_role(b)[:1] not in (("paraphrase",), ("output",), ("reference",))
        )
        around = [at for at in named if at in outer]
        if len(around) == 1 or (around and first and len(set(around) & set(first)) == 1):
            at = around[0] if len(around) == 1 else next(one for one in around if one in first)
            return self._set_sentence(at, self.columns.by_name(at))
        if len(first) == 1 and not around:
            return self._set_sentence(first[0], self.columns.by_name(first[0]))
        if outer and not first:
            best = max(outer, key=lambda at: (outer[at], self.columns.profiles[at].length))
            inner = next(a for a, b in self.inside if b == best)
            reason = say(
                "the text of column %(other)s occurs in it", other=self.columns.shown(inner)
            )
            return self._set_sentence(best, reason)
        if len(first) > 1:
            return self._one_of(first)
        if len(named) == 1:
            return self._set_sentence(named[0], self.columns.by_name(named[0]))
        self._unnamed_sentence()

    def _one_of(self, places: list[int]) -> None:
        """Choose among several columns that are called sentences: the one with the most telling
        name, if there is one."""
        telling = [at for at in places if "original" in self.columns.about(at)]
        if len(telling) == 1:
            return self._set_sentence(telling[0], self.columns.by_name(telling[0]))
        exact = [at for at in places if roles_named(self.columns.names[at])[:1] == ("sentence",)]
        if len(exact) == 1:
            return self._set_sentence(exact[0], self.columns.by_name(exact[0]))
        self._set_sentence(
            places[0], say("one of %(n)s columns that may be the original", n=len(places)), ask=True
        )

    def _unnamed_sentence(self) -> None:
        """Choose among columns whose names say nothing: what comes again beside different texts is
        the original; else somebody has to say it."""
        left = [at for at in self.texts if not self.columns.text_role(at)]
        profiles = self.columns.profiles
        others = [at for at in self.texts if at not in left]
        if len(left) == 1 and others and profiles[left[0]].length >= 4:
            new = [at for at in others if self.columns.text_role(at)[:1] == ("paraphrase",)]
            return self._set_sentence(
                left[0],
                say("the only text that is named otherwise"),
                ask=len(others) > 1 or not new or not self._rewords(new[0], left[0]),
            )
        often = [
            at
            for at in left
            if profiles[at].distinct * 2 <= profiles[at].n and profiles[at].length >= 12
        ]
        if len(often) == 1 and all(
            profiles[at].distinct > profiles[often[0]].distinct for at in left if at != often[0]
        ):
            return self._set_sentence(often[0], say("the text that stands beside several others"))
        phrases = self._roles("phrase", others)
        if len(phrases) == 1 and all(
            profiles[phrases[0]].length > WHOLE * profiles[at].length for at in self.texts
        ):  # "Phrase" is a sentence in French.
            return self._set_sentence(phrases[0], self.columns.by_name(phrases[0]))
        if left:
            at = max(left, key=lambda at: (round(profiles[at].length, -1), -at))
            self._set_sentence(at, say("the longest text"), ask=len(left) > 1)

    def _set_sentence(self, at: int, reason: Sentence, *, ask: bool = False) -> None:
        self.sentence = at
        self.columns.set(at, "sentence", reason, ask=ask)

    def _phrase(self) -> None:
        if self.sentence is None:
            named = self._roles("phrase", self.texts)
            if len(named) == 1:
                self.phrase = named[0]
                self.columns.set(named[0], "phrase", self.columns.by_name(named[0]))
            return
        inner = [
            a
            for a, b in self.inside
            if b == self.sentence
            and a in self.columns.free
            and self.columns.text_role(a)[:1] not in (("paraphrase",), ("output",), ("reference",))
        ]
        named = [
            at
            for at in self.texts
            if "phrase" in self.columns.text_role(at) and at in self.columns.free
        ]
        first = [at for at in named if self.columns.text_role(at)[:1] == ("phrase",)]
        both = [at for at in inner if at in named]
        choice = both or inner or first
        if not choice:
            return
        best = max(choice, key=lambda at: (self.inside.get((at, self.sentence or 0), 0.0), -at))
        share = self.inside.get((best, self.sentence), 0.0)
        other = self.columns.shown(self.sentence)
        if share:
            reason = say(
                "its text occurs in column %(other)s in %(share)s %% of the rows",
                other=other,
                share=f"{100 * share:.0f}",
            )
        elif self._whole(best):
            return  # "Target sentence": no phrase of the other.
        else:
            reason = self.columns.by_name(best)
        self.phrase = best
        self.columns.set(best, "phrase", reason, ask=share < INSIDE)

    def _whole(self, at: int) -> bool:
        """Whether a text is about as long as the sentence."""
        profiles = self.columns.profiles
        return self.sentence is not None and (
            profiles[at].length > WHOLE * profiles[self.sentence].length
        )
