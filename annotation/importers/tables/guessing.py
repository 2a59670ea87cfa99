"""Guess what the columns of a table are, from their names and contents."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.importers.tables.books import letters
from annotation.importers.tables.guesses import Guess
from annotation.importers.tables.names import numbered_role, roles_named, says, scale_named
from annotation.importers.tables.profiles import MOST_COMPARED, Profile, contained, same_texts
from paraanno.plain.problems import shown
from paraanno.plain.sentence import Sentence, say

INSIDE = 0.6  # share of the rows from which on a column stands in another
SCALES = ("MEANING", "GRAMMAR")


def guess_roles(
    names: Sequence[str],
    profiles: Sequence[Profile],
    *,
    what: str,
    groups: Sequence[str] = (),
    scales: Sequence[str] = SCALES,
) -> list[Guess]:
    """Return a guess for each column. `groups` are the upper names of a head of two rows."""
    guesser = _Guesser(names, profiles, groups, scales, what)
    guesser.texts()
    if what == "items":
        guesser.outputs()
    else:
        guesser.judged()
        guesser.numbers()
    guesser.ids()
    guesser.rest()
    return guesser.guesses


class _Guesser:
    def __init__(
        self, names: Sequence[str], profiles: Sequence[Profile], groups: Sequence[str],
        scales: Sequence[str], what: str,
    ) -> None:  # fmt: skip
        self.names, self.profiles, self.what = names, profiles, what
        self.groups = groups or [""] * len(names)
        self.scales = scales
        self.guesses = [Guess() for _ in names]
        self.free = {at for at, one in enumerate(profiles) if one.n}
        for at, one in enumerate(profiles):
            if not one.n:
                self.guesses[at].reason = say("empty")
        self.sentence: int | None = None
        self.phrase: int | None = None

    def set(self, at: int, role: str, reason: Sentence, of: str = "", ask: bool = False) -> None:
        self.guesses[at] = Guess(role, of, reason, ask)
        self.free.discard(at)

    def named(self, role: str, *, first: bool = False) -> list[int]:
        """Return the free columns whose name says the role (`first`: before any other)."""
        found = [at for at in sorted(self.free) if role in roles_named(self.names[at])]
        return [at for at in found if roles_named(self.names[at])[0] == role] if first else found

    def _shown(self, at: int) -> str:
        return shown(self.names[at]) if self.names[at] else letters(at)

    def by_name(self, at: int) -> Sentence:
        return say("called %(name)s", name=shown(self.names[at]))

    def texts(self) -> None:
        """Find the sentence and the phrase in it."""
        texts = [at for at in sorted(self.free) if self.profiles[at].is_text][:MOST_COMPARED]
        inside = {
            (a, b): contained(self.profiles[a], self.profiles[b])
            for a in texts
            for b in texts
            if a != b and self.profiles[a].length < self.profiles[b].length
        }
        pairs = [
            pair for pair, share in inside.items() if share >= INSIDE and self._a_text(pair[0])
        ]
        self.sentence = self._find_sentence(texts, pairs)
        if self.sentence is None:
            return
        inner = [
            a for a, b in pairs
            if b == self.sentence and a in self.free and a not in self._no_phrase()
        ]  # fmt: skip
        named = [at for at in self.named("phrase") if at in texts]
        both = [at for at in inner if at in named]
        choice = both or inner or [at for at in named if roles_named(self.names[at])[0] == "phrase"]
        if not choice:
            return
        best = max(choice, key=lambda at: (inside.get((at, self.sentence or 0), 0.0), -at))
        share = inside.get((best, self.sentence), 0.0)
        self.phrase = best
        self.set(
            best, "phrase",
            say("its text occurs in column %(other)s in %(share)s %% of the rows",
                other=self._shown(self.sentence), share=f"{100 * share:.0f}")
            if share >= INSIDE
            else self.by_name(best),
            ask=share < INSIDE,
        )  # fmt: skip

    def _a_text(self, at: int) -> bool:
        first = roles_named(self.names[at])[:1]
        return self.profiles[at].length > 1 and first not in (
            ("system",),
            ("annotator",),
            ("item",),
        )

    def _no_phrase(self) -> list[int]:
        return [at for at in self.free if roles_named(self.names[at])[:1] == ("paraphrase",)]

    def _find_sentence(self, texts: Sequence[int], pairs: Sequence[tuple[int, int]]) -> int | None:
        named = [at for at in self.named("sentence") if at in texts]
        outer = [b for _, b in pairs]
        for at in named:
            if at in outer or len(named) == 1:
                return self._sentence_is(at, self.by_name(at))
        if outer:
            best = max(set(outer), key=lambda at: (outer.count(at), self.profiles[at].length))
            inner = next(a for a, b in pairs if b == best)
            return self._sentence_is(
                best, say("the text of column %(other)s occurs in it",
                          other=self._shown(inner)),
            )  # fmt: skip
        if named:
            at = max(named, key=lambda at: self.profiles[at].length)
            return self._sentence_is(at, self.by_name(at))
        if self.what != "items":
            return None
        long = [
            at for at in texts
            if self.profiles[at].length >= 12 and not roles_named(self.names[at])
            and self.profiles[at].filled > 0.2
        ]  # fmt: skip
        if not long:
            return None
        at = max(long, key=lambda at: (round(self.profiles[at].length, -1), -at))
        return self._sentence_is(at, say("the longest text"))

    def _sentence_is(self, at: int, reason: Sentence) -> int:
        self.set(at, "sentence", reason)
        return at

    def outputs(self) -> None:
        """Find the paraphrases: one column, or one for each system."""
        several = self._columns_of_systems()
        if len(several) > 1:
            for at in several:
                self.set(
                    at, "output_of",
                    say("a text beside others like it: one column for each system, named after it"),
                    self.names[at] or letters(at),
                )  # fmt: skip
            return
        self._paraphrase()
        for role in ("system", "rank", "language", "reference", "role", "start", "end"):
            for at in self.named(role, first=True)[:1]:
                self.set(at, role, self.by_name(at))
        for at in sorted(self.free):
            if numbered_role(self.names[at]) == "reference" and self.profiles[at].is_text:
                self.set(at, "reference", self.by_name(at))

    def _columns_of_systems(self) -> list[int]:
        """Return the columns of paraphrases by system; with fewer than two, there are none."""
        texts = [at for at in sorted(self.free) if self.profiles[at].is_text]
        grouped = [at for at in texts if says(self.groups[at], "system")
                   or says(self.groups[at], "paraphrase")]  # fmt: skip
        if len(grouped) > 1:
            return grouped
        named = [
            at for at in texts
            if roles_named(self.names[at])[:1] == ("paraphrase",)
            or numbered_role(self.names[at]) in ("paraphrase", "system")
        ]  # fmt: skip
        if named:
            return named
        like = self.phrase if self.phrase is not None else self.sentence
        if like is None:
            return []
        length = self.profiles[like].length
        return [
            at for at in texts
            if not roles_named(self.names[at])
            and self.profiles[at].filled >= 0.5
            and not self.profiles[at].repeats
            and length / 4 <= self.profiles[at].length <= length * 4 + 5
        ]  # fmt: skip

    def _paraphrase(self) -> None:
        texts = [at for at in sorted(self.free) if self.profiles[at].is_text]
        named = self.named("paraphrase", first=True) or [
            at for at in texts if numbered_role(self.names[at]) == "paraphrase"
        ]
        if named:
            self.set(named[0], "paraphrase", self.by_name(named[0]))
            return
        left = [at for at in texts if not roles_named(self.names[at])
                and self.profiles[at].filled >= 0.5]  # fmt: skip
        left = [at for at in left if not self.profiles[at].repeats] or left
        if left:
            self.set(
                left[0], "paraphrase", say("the only other text") if len(left) == 1
                else say("the first of %(n)s other texts", n=len(left)), ask=len(left) > 1,
            )  # fmt: skip

    def judged(self) -> None:
        """Find the text that was judged, and who judged it."""
        self._paraphrase()
        found = any(one.role == "paraphrase" for one in self.guesses)
        if not found and self.sentence is not None and self.phrase is None:
            # One text alone, whatever it is called, is what was judged.
            self.set(self.sentence, "paraphrase", say("the only text: what was judged"))
            self.sentence = None
        roles = ["role", "start", "end"]
        if self.what == "judgments":
            roles += ["annotator", "scale", "reason", "occasion", "judged_at", "comment"]
        for role in roles:
            for at in self.named(role, first=True)[:1]:
                self.set(at, role, self.by_name(at))
        if self.what != "judgments" or any(one.role == "annotator" for one in self.guesses):
            return
        for at in sorted(self.free):
            if self.profiles[at].is_text and self.profiles[at].repeats:
                self.set(at, "annotator", say("few names that recur: the annotators?"), ask=True)
                return

    def numbers(self) -> None:
        """Find the columns of values: long, one for each scale, or one for each annotator."""
        found = [
            at for at in sorted(self.free)
            if (self.profiles[at].is_number or scale_named(self.names[at], self.scales))
            and not self._is_id(at)
        ]  # fmt: skip
        if self.what == "gold":
            self._gold(found)
            return
        annotator = any(one.role == "annotator" for one in self.guesses)
        for at in list(found):
            scale = scale_named(self.names[at], self.scales)
            if scale is not None:
                self._value_of(at, scale)
                found.remove(at)
        if any(one.role == "value_of" for one in self.guesses):
            return
        named = [at for at in found if "value" in roles_named(self.names[at])]
        if (named or len(found) == 1) and annotator:
            at = (named or found)[0]
            self.set(at, "value", self._range(at))
        elif not annotator:
            for at in found:
                self.set(at, "voice_of", say("numbers in one column for each annotator"),
                         self.names[at], ask=len(found) == 1)  # fmt: skip
        else:
            for at in found:
                self.set(at, "value_of", self._range(at), self.names[at], ask=True)

    def _is_id(self, at: int) -> bool:
        first = roles_named(self.names[at])[:1]
        if first == ("item",):
            return True
        # A running number; scores are not all different.
        one = self.profiles[at]
        return not first and one.n > 10 and one.distinct == one.n and "." not in "".join(one.texts)

    def _gold(self, found: Sequence[int]) -> None:
        for at in found:
            scale = scale_named(self.names[at], self.scales)
            if scale is None and (len(self.scales) == 1 or len(found) <= 3):
                known = [scale_named(self.names[other], self.scales) for other in found]
                scale = next((one for one in known if one), None)
                scale = scale or (self.scales[0] if len(self.scales) == 1 else None)
            role = "sd_of" if says(self.names[at], "sd") else "value_of"
            if role == "value_of" and roles_named(self.names[at])[:1] == ("n",):
                role = "n_of"
            taken = {(one.role, one.of) for one in self.guesses}
            if scale is None or (role, scale) in taken:
                self.guesses[at].reason = say("numbers, but of which scale?")
                self.guesses[at].ask = True
            else:
                self.set(at, role, self._range(at), scale)

    def _value_of(self, at: int, scale: str) -> None:
        taken = any(one.role == "value_of" and one.of == scale for one in self.guesses)
        if not taken:
            self.set(at, "value_of", say("named like the scale %(scale)s", scale=scale), scale)

    def _range(self, at: int) -> Sentence:
        one = self.profiles[at]
        return say("numbers from %(least)s to %(most)s", least=f"{one.lowest or 0:g}",
                   most=f"{one.highest or 0:g}")  # fmt: skip

    def ids(self) -> None:
        """Find the ids of the originals: equal ones must be beside equal sentences."""
        for at in self.named("item"):
            if any(one.role == "item" for one in self.guesses):
                break
            same = all(
                other is None or same_texts(self.profiles[at], self.profiles[other])
                for other in (self.sentence, self.phrase)
            )
            if same:
                self.set(at, "item", self.by_name(at))
            else:
                self.guesses[at].reason = say("the same number is beside different sentences")

    def rest(self) -> None:
        """Say why the columns that are left are not read."""
        for at in sorted(self.free):
            one, guess = self.profiles[at], self.guesses[at]
            if guess.ask or guess.reason.template != "nothing says what it is":
                continue
            if roles_named(self.names[at])[:1] == ("comment",) or one.filled < 0.3:
                guess.reason = say(
                    "free text in %(n)s of %(all)s rows", n=one.n, all=len(one.texts)
                )
            elif one.is_number and not self._is_id(at):
                guess.reason = say(
                    "numbers from %(least)s to %(most)s: import them as judgments or gold when the "
                    "texts are there", least=f"{one.lowest or 0:g}", most=f"{one.highest or 0:g}",
                )  # fmt: skip
            elif one.repeats:
                again = say("%(n)s values that recur: a group or source?", n=one.distinct)
                same = say("the same value everywhere: a group or source?")
                guess.reason = same if one.distinct == 1 else again
                guess.ask = self.what == "items"
