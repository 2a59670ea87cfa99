"""Which columns hold the paraphrases of an original and its references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from annotation.importers.tables.names import (
    concepts,
    lexicon_plain_name,
    numbered_role,
    roles_named,
)
from annotation.importers.tables.profiles import (
    MOST_COMPARED,
    contained,
    same_texts,
    share_context,
    shared_words,
)
from annotation.importers.tables.state import Columns, like_a_system
from paraanno.common.texts import Sentence, say

# Which columns hold the original, and the phrase in it.


INSIDE = 0.6  # share of the rows from which on a column stands in another
NO_TEXT = ("annotator", "item", "language", "comment", "judged_at", "scale", "role", "reason")
NO_TEXT_ABOUT = frozenset({"annotator", "id", "language", "comment", "date", "scale", "group"})
ALIKE = 0.3  # share of the words of a text that stand in its original
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
            at for at in sorted(columns.free) if columns.profiles[at].is_text and self._may_be(at)
        ][:MOST_COMPARED]
        self.inside = self._insides()

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
        if one.is_label and (first == ("system",) or role == ("output",)):
            return False
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
            return self._set_sentence(
                left[0], say("the only text that is named otherwise"), ask=True
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


TARGETS = ("target", "tgt", "trg", "target text", "target sentence")
HUMAN = ("human", "humans", "mensch", "humain", "humano", "사람", "인간", "人类", "人工")


class TextGuesses(OriginalGuesses):
    """Finds the columns of texts: originals, paraphrases and references."""

    def find(self) -> None:
        """Guess the texts."""
        self._sentence()
        self._phrase()
        self._references()
        self._outputs()
        self._check()

    def _left(self) -> list[int]:
        return [at for at in self.texts if at in self.columns.free]

    def _references(self) -> None:
        """Find the references; in a table of outputs by system also what people wrote."""
        for at in self._left():
            group = self.columns.groups[at]
            if self._is_target(at):
                self.columns.set(at, "reference", say("what the outputs beside it should be"))
            elif self.columns.text_role(at)[:1] == ("reference",) or (
                "reference" in concepts(group) and not self.columns.text_role(at)
            ):
                reason = self.columns.by_name(at)
                human = {"reference"} == self.columns.about(at) and self._only_human(at)
                others = any(
                    self.columns.text_role(one)[:1] == ("reference",) and not self._only_human(one)
                    for one in self.texts
                )
                self.columns.set(at, "reference", reason, ask=human and others)

    def _is_target(self, at: int) -> bool:
        """Whether whole texts are called targets, as those that a model is trained on, and others
        are called outputs."""
        return (
            lexicon_plain_name(self.columns.names[at]) in TARGETS
            and self._whole(at)
            and any(
                self.columns.text_role(one)[:1] in (("paraphrase",), ("output",))
                for one in self._left()
                if one != at
            )
        )

    def _only_human(self, at: int) -> bool:
        """Whether a name says that people wrote the texts, and not that they are references: beside
        references, these may be a system of their own."""
        words = lexicon_plain_name(self.columns.names[at]).split()
        return bool(words) and words[0] in HUMAN

    def _outputs(self) -> None:
        left = self._left()
        columns = self.columns
        grouped = [at for at in left if concepts(columns.groups[at]) & {"system", "output"}]
        if len(grouped) > 1:
            return self._set_outputs(grouped)
        named = [at for at in left if columns.text_role(at)[:1] in (("paraphrase",), ("output",))]
        named = [at for at in named if "remake" not in columns.about(at)] or named
        unknown = [
            at
            for at in left
            if at not in named and not columns.text_role(at) and "remake" not in columns.about(at)
        ]
        again = self._under_groups(left)
        if len(again) > 1:
            return self._set_outputs(again)
        stemmed = self._with_a_stem(unknown)
        if len(named) > 1:
            return self._set_outputs([*named, *self._beside(named, unknown)])
        if named:
            beside = self._beside(named, unknown)
            if columns.text_role(named[0])[:1] == ("output",) or numbered_role(
                columns.names[named[0]]
            ):
                return self._set_outputs(sorted([*named, *beside]))
            return self._set_paraphrase(named[0], columns.by_name(named[0]))
        # Of two columns that are called sentences, the other one.
        other = [at for at in left if columns.text_role(at)[:1] in (("sentence",), ("phrase",))]
        like = self._alike(unknown)
        chosen = sorted({*stemmed, *like})
        if len(chosen) > 1:
            return self._set_outputs(chosen)
        if chosen:
            return self._only_other(chosen[0])
        if len(other) == 1 and self.sentence is not None:
            about = columns.about(self.sentence)
            # "Source" and "Target", as in translation; else the names of systems say it.
            sure = "original" in about and (
                self._has_systems() or "target" in lexicon_plain_name(columns.names[other[0]])
            )
            self._set_paraphrase(other[0], say("the only other text"), ask=not sure)

    def _has_systems(self) -> bool:
        """Whether a column names the systems of the rows."""
        return any(
            one.is_label and "system" in self.columns.about(at)
            for at, one in enumerate(self.columns.profiles)
        )

    def _under_groups(self, places: Sequence[int]) -> list[int]:
        """Return columns of one name under different ones: a text for each system."""
        by_name: dict[str, list[int]] = {}
        for at in places:
            if self.columns.groups[at] and self.columns.names[at]:
                by_name.setdefault(lexicon_plain_name(self.columns.names[at]), []).append(at)
        for alike in by_name.values():
            if len({self.columns.groups[at] for at in alike}) == len(alike) > 1:
                return alike
        return []

    def _only_other(self, at: int) -> None:
        """One text beside the original: the paraphrase if nothing has a name, else the texts of a
        system of that name, if it looks like one."""
        name = self.columns.names[at]
        if name and like_a_system(name):
            self.outputs = [at]
            self.columns.set(at, "output_of", say("a text, named like a system"), name)
            return
        named = bool(name) and not (
            self.phrase is not None and self.columns.profiles[at].filled > 0.9
        )
        self._set_paraphrase(at, say("the only other text"), ask=named)

    def _set_paraphrase(self, at: int, reason: Sentence, *, ask: bool = False) -> None:
        self.paraphrase = at
        self.columns.set(at, "paraphrase", reason, ask=ask)

    def _set_outputs(self, places: Sequence[int]) -> None:
        if len(places) == 1:
            self._set_paraphrase(places[0], self.columns.by_name(places[0]))
            return
        whole = [self.columns.names[at] for at in places]
        prefixes = {name.rpartition(".")[0] for name in whole}
        if len(prefixes) == 1 and prefixes != {""}:  # Of nested objects: outputs.BART.
            names = [name.rpartition(".")[2] for name in whole]
        else:
            names = [self.columns.system_of(at) for at in places]
        if len({name.casefold() for name in names}) < len(names):
            names = whole
        if len({name.casefold() for name in names}) < len(names):
            names = [
                self.columns.groups[at] or name for at, name in zip(places, names, strict=True)
            ]
            firsts = {name.partition(".")[0] for name in names}
            if len(firsts) == 1 and all("." in name for name in names):  # systems.BART
                names = [name.partition(".")[2] for name in names]
        same = len({name.casefold() for name in names}) < len(names)
        for at, name in zip(places, names, strict=True):
            self.columns.set(
                at,
                "output_of",
                say("a text beside others like it: one column for each system, named after it"),
                name,
                ask=same,
            )
        self.outputs = list(places)

    def _with_a_stem(self, places: Sequence[int]) -> list[int]:
        """Return neighbouring columns whose names begin or end alike: Sys one, Sys two."""
        stems: dict[str, list[int]] = {}
        for at in places:
            words = lexicon_plain_name(self.columns.names[at]).split()
            if len(words) > 1:
                for stem in {f"{words[0]} ", f" {words[-1]}"}:
                    stems.setdefault(stem, []).append(at)
        matches = [
            at
            for group in stems.values()
            if len(group) > 1 and max(group) - min(group) < 2 * len(group)
            for at in group
        ]
        return sorted(set(matches))

    def _beside(self, named: Sequence[int], unknown: Sequence[int]) -> list[int]:
        """Return unnamed columns of texts between or beside named ones, that are like them."""
        near = {at + step for at in named for step in (-1, 1)} | set(range(min(named), max(named)))
        lengths = [self.columns.profiles[at].length for at in named]
        return [at for at in unknown if at in near and self._close(at, sum(lengths) / len(lengths))]

    def _close(self, at: int, length: float) -> bool:
        one = self.columns.profiles[at]
        return one.filled >= 0.5 and length / 4 <= one.length <= length * 4 + 5

    def _alike(self, places: Sequence[int]) -> list[int]:
        """Return the texts that are like the original, or like the phrase in it."""
        like = self.phrase if self.phrase is not None else self.sentence
        if like is None:
            return []
        length = self.columns.profiles[like].length
        return [at for at in places if self._close(at, length) and not self._few(at)]

    def _few(self, at: int) -> bool:
        one = self.columns.profiles[at]
        return (
            one.repeats and one.distinct * 2 < self.columns.profiles[self.sentence or at].distinct
        )

    def _check(self) -> None:
        """Ask where texts of systems share no word with their originals, and where the paraphrases
        of a phrase are whole sentences."""
        self._strange()
        if self.phrase is None or self.sentence is None:
            return
        new = [*self.outputs, *([self.paraphrase] if self.paraphrase is not None else [])]
        profiles = self.columns.profiles
        if profiles[self.phrase].length * 2 > profiles[self.sentence].length:
            return
        whole = [
            at
            for at in new
            if self._whole(at)
            and share_context(profiles[at], profiles[self.sentence], profiles[self.phrase])
        ]
        if whole:
            self.columns.questions.append(
                say(
                    "column %(column)s holds whole sentences, but a phrase is replaced: which is "
                    "right?",
                    column=self.columns.shown(whole[0]),
                )
            )

    def _strange(self) -> None:
        """Ask about the texts of a system that hardly share a word with their originals, where
        those of others do: of another language, or no paraphrases."""
        if self.sentence is None or self.phrase is not None or len(self.outputs) < 2:
            return
        profiles = self.columns.profiles
        shared = {at: shared_words(profiles[at], profiles[self.sentence]) for at in self.outputs}
        if max(shared.values()) < ALIKE:
            return
        for at in self.outputs:
            if shared[at] < ALIKE / 6:
                guess = self.columns.guesses[at]
                guess.ask = True
                guess.reason = say("it hardly shares a word with the original")
