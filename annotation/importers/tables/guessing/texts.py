"""Which columns hold the paraphrases of an original and its references."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.importers.tables.guessing.originals import ALIKE, OriginalGuesses
from annotation.importers.tables.guessing.state import like_a_system
from annotation.importers.tables.names import concepts, lexicon_plain_name, numbered_role
from annotation.importers.tables.profiles import share_context, shared_words
from paraanno.common.texts import Sentence, say

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
        placed = {at: place for place, at in enumerate(sorted({*named, *unknown}))}
        near = {
            at
            for at in unknown
            if any(abs(placed[at] - placed[one]) == 1 for one in named)
            or min(named) < at < max(named)
        }
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
