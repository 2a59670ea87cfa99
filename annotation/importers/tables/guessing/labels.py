"""Columns of labels: ids, systems, annotators, scales, dates, groups, remarks."""

from __future__ import annotations

import re
from datetime import datetime

from annotation.importers.tables.books import letters
from annotation.importers.tables.guessing.no_texts import MAIL, no_text
from annotation.importers.tables.guessing.point_words import word_set
from annotation.importers.tables.guessing.state import ELSEWHERE, Columns
from annotation.importers.tables.guessing.texts import TextGuesses
from annotation.importers.tables.names import concepts, lexicon_plain_name, roles_named, scale_named
from annotation.importers.tables.profiles import same_texts
from annotation.importers.tables.proving.legends import MOST_POINTS, points_in
from paraanno.common.texts import Sentence, say

# Roles by what a name is about, and the most characters that such labels have.
_BY_NAME = (
    ("annotator", 60),
    ("system", 200),
    ("scale", 40),
    ("language", 35),
)
_EXACT = (
    "role",
    "start",
    "end",
    "rank",
    "reason",
    "occasion",
    "language",
    "made_from",
    "own_sentence",
    "own_start",
    "own_end",
    "kind",
    "status",
    "recorded_at",
    "guideline",
)
_DATE = re.compile(
    r"[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}"
    r"([T ,]+((à|um|a las?|at) )?[0-9]{1,2}[:h][0-9]{2}.{0,20})?|"
    r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?|[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日.{0,12}|"
    r"[0-9]{4}\. ?[0-9]{1,2}\. ?[0-9]{1,2}\.?.{0,20}"
)
RARE = 0.5  # share of the rows below which a name of a system or person is looked at
# What systems are called that nobody calls systems, where each original has a text of each.
VARIANTS = word_set(
    "variant; variants; variante; version; versione; versao; code; condition; bedingung; setting; "
    "setup; config; configuration; type; typ; tipo; kind; art; approach; ansatz; strategy; "
    "strategie; estrategia; source; origin; herkunft; fassung; methodik; technique; tecnica; "
    "변형; 버전; 조건; 방식; 版本; 变体; 条件; 方式; バージョン; 条件"
)
# Answers to "which is better?" beside the systems.
TIES = word_set(
    "tie; both; neither; none; equal; same; gleich; beide; keiner; keines; unentschieden; égalité; "
    "égal; aucun; aucune; les deux; empate; igual; ninguno; ninguna; ambos; ambas; 같음; 동점; "
    "무승부; 비슷함; 둘 다; 없음; 平局; 一样; 相同; 都不; 0"
)


class LabelGuesses:
    """Finds columns that say about a text or a judgment what it is."""

    def __init__(self, columns: Columns, texts: TextGuesses) -> None:
        self.columns, self.texts = columns, texts

    def find(self, *, judged: bool) -> None:
        """Guess labels by their names and by how they go with the texts."""
        columns = self.columns
        self._dates()
        self._legends()
        for role in _EXACT:
            for at in sorted(columns.free):
                if roles_named(columns.names[at])[:1] == (role,) and not columns.has(role):
                    if (
                        role not in ("rank", "language", "start", "end")
                        and columns.names[at].strip() != role
                    ):
                        continue
                    columns.set(at, role, columns.by_name(at))
        for role, most in _BY_NAME:
            self._named(role, most)
        self._comment()
        self._item()
        if not columns.has("system") and not self.texts.outputs:
            self._system_by_structure()
        if judged and not columns.has("annotator"):
            self._annotator_by_structure()
        self._copies()

    def number(self, at: int) -> bool:
        """Guess a column of numbers that is a label: an id of texts. Return whether it is one."""
        if self._is_item(at) and not self.columns.has("item"):
            self.columns.set(at, "item", self.columns.by_name(at))
            return True
        [role, *_] = [*roles_named(self.columns.names[at]), ""]
        if role in ("start", "end", "occasion") and not self.columns.has(role):
            self.columns.set(at, role, self.columns.by_name(at))
            return True
        return False

    def _dates(self) -> None:
        columns = self.columns
        for at in sorted(columns.free):
            one = columns.profiles[at]
            filled = [text for text in one.texts if text]
            if one.dates > 0.8 or (filled and all(_DATE.fullmatch(text) for text in filled)):
                reads = all(_is_moment(text) for text in filled)
                if reads and not columns.has("judged_at"):
                    columns.set(at, "judged_at", say("dates"))
                else:
                    columns.aside(at, say("dates"))

    def _legends(self) -> None:
        """Set aside what stands beside some rows and says what numbers mean: 1 = other meaning."""
        columns = self.columns
        for at in sorted(columns.free):
            one = columns.profiles[at]
            few = 1 < one.n == one.distinct <= MOST_POINTS and one.filled < RARE
            if few and all(len(points_in(text)) == 1 for text in one.words):
                columns.aside(at, say("what numbers mean"))

    def _named(self, role: str, most: int) -> None:
        columns = self.columns
        if columns.has(role):
            return
        candidates = [at for at in sorted(columns.free) if self._fits(at, role, most)]
        if not candidates:
            return
        exact = [at for at in candidates if roles_named(columns.names[at])[:1] == (role,)]
        numbers = [at for at in candidates if columns.profiles[at].is_number]
        best = next((at for at in exact if at not in numbers), None)
        if best is None:
            best = next((at for at in candidates if at not in numbers), candidates[0])
        one = columns.profiles[best]
        ask = role == "system" and bool(self.texts.outputs) and one.distinct > 1
        ask = ask or one.filled < RARE
        columns.set(best, role, columns.by_name(best), ask=ask)

    def _fits(self, at: int, role: str, most: int) -> bool:
        columns, one = self.columns, self.columns.profiles[at]
        about, exact = columns.about(at), roles_named(columns.names[at])[:1]
        if max(map(len, one.texts), default=0) > most or one.length > 60:
            return False
        if role == "scale":
            named = exact == ("scale",) or "scale" in about
            words = one.words
            of_scales = all(
                scale_named(word, columns.scales) or "criterion" in concepts(word) for word in words
            )
            return bool(words) and one.is_text and of_scales and (named or len(words) > 1)
        if (exact and exact != (role,)) or (role == "language" and "person" in about):
            return False
        return exact == (role,) or role in about

    def _comment(self) -> None:
        columns = self.columns
        for at in sorted(columns.free):
            named = roles_named(columns.names[at])[:1] == ("comment",)
            if named or "comment" in columns.about(at):
                columns.set(at, "comment", columns.by_name(at))
                return

    def _item(self) -> None:
        columns = self.columns
        for at in sorted(columns.free):
            if columns.has("item"):
                return
            if self._is_item(at):
                columns.set(at, "item", columns.by_name(at))

    def _is_item(self, at: int) -> bool:
        """Whether a column numbers the originals: equal ids are beside equal texts, and the other
        way round."""
        columns = self.columns
        exact = roles_named(columns.names[at])
        about = columns.about(at)
        if "item" not in exact and ("id" not in about or about & {"annotator", "system"}):
            return False
        profiles = columns.profiles
        places = [one for one in (self.texts.sentence, self.texts.phrase) if one is not None]
        if any(not same_texts(profiles[at], profiles[other]) for other in places):
            columns.guesses[at].reason = say("the same number is beside different sentences")
            return False
        return (
            not places
            or profiles[places[0]].filled < 0.75
            or same_texts(profiles[places[0]], profiles[at])
            or columns.names[at].strip() == "item"
        )

    def _system_by_structure(self) -> None:
        """Take a label for the system that is different beside each paraphrase of an original, and
        the same for all originals."""
        columns, texts = self.columns, self.texts
        if texts.sentence is None or texts.paraphrase is None:
            return
        sentences = columns.profiles[texts.sentence].texts
        new = columns.profiles[texts.paraphrase].texts
        if same_texts(columns.profiles[texts.sentence], columns.profiles[texts.paraphrase]):
            return  # One text of each original: what differs in its rows is no system.
        for at in sorted(columns.free):
            one = columns.profiles[at]
            if not one.is_label or one.distinct < 2:
                continue
            each: dict[str, list[str]] = {}
            rows = dict.fromkeys(zip(sentences, new, one.texts, strict=True))
            for sentence, _, label in rows:
                each.setdefault(sentence, []).append(label)
            sets = [sorted(labels) for labels in each.values()]
            if len(sets) > 1 and all(
                len(set(labels)) == len(labels) and labels == sets[0] for labels in sets
            ):
                columns.set(
                    at,
                    "system",
                    say("a different one beside each paraphrase of an original"),
                    ask="group" not in columns.about(at)
                    and bool(columns.names[at])
                    and lexicon_plain_name(columns.names[at]) not in VARIANTS
                    and not columns.about(at) & {"system", "name", "output"},
                )
                return

    def _annotator_by_structure(self) -> None:
        columns = self.columns
        for at in sorted(columns.free):
            one = columns.profiles[at]
            rare = one.filled < 0.5 or "majority" in columns.about(at) or self._of_originals(at)
            if one.distinct > 1 and all(map(MAIL.fullmatch, one.words)) and not rare:
                columns.set(at, "annotator", say("e-mail addresses"))
                return
            if one.is_label and one.distinct > 1 and not rare and "group" not in columns.about(at):
                columns.set(at, "annotator", say("few names that recur: the annotators?"), ask=True)
                return

    def _of_originals(self, at: int) -> bool:
        """Whether a label is the same beside all rows of each original: no annotator's."""
        columns, place = self.columns, self.texts.sentence
        if place is None or not columns.profiles[place].repeats:
            return False
        return same_texts(columns.profiles[place], columns.profiles[at])

    def _copies(self) -> None:
        """Set aside another name of what is read already: equal ones beside equal ones."""
        columns = self.columns
        read = [
            at
            for at, one in enumerate(columns.guesses)
            if one.role in ("system", "annotator", "item", "sentence", "phrase", "paraphrase")
        ]
        for at in sorted(columns.free):
            one = columns.profiles[at]
            if one.filled < 0.9 or one.distinct < 2:
                continue
            for other in read:
                two = columns.profiles[other]
                if one.texts == two.texts or (
                    (one.is_number or one.is_label or one.length < 30)
                    and columns.guesses[other].role in ("system", "annotator")
                    and same_texts(one, two)
                    and same_texts(two, one)
                ):
                    columns.aside(
                        at, say("says the same as column %(other)s", other=columns.shown(other))
                    )
                    break


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


# What is done with the columns that nothing else reads: kept, set aside, or asked about.


_CODE = re.compile(r"[A-Za-z]{0,12}[-_.:#/]?[0-9a-fA-F]{1,40}([-_.:#/][0-9A-Za-z]{1,40}){0,6}")


MOSTLY = 0.9  # share of the rows
_DIGIT = re.compile("[0-9]")


class Leftovers:
    """Keeps columns as attributes, or sets them aside."""

    def __init__(self, columns: Columns, texts: TextGuesses) -> None:
        self.columns, self.texts = columns, texts

    def rest(self, *, what: str, judged: bool) -> None:
        """Keep what is left as attributes, set it aside for a harmless reason, or ask."""
        columns = self.columns
        for at in sorted(columns.free):
            one, about = columns.profiles[at], columns.about(at)
            if self._is_whole(at):
                columns.aside(at, say("the sentences with the phrase replaced"))
            elif one.distinct == 1 and one.filled > 0.5:
                columns.aside(at, say("the same value everywhere"))
            elif (reason := self._no_text(at)) is not None:
                columns.aside(at, reason)
            elif self._says_who(at) or self._is_personal(at):
                columns.aside(at, say("about who judged"))
            elif one.is_number and what == "items":
                columns.aside(at, ELSEWHERE[0])
            elif self._is_code(at):
                columns.aside(at, say("an id"))
            elif one.is_label or about & {"group"} or one.is_number:
                self._attribute(at, what)
            elif what == "items":
                columns.aside(at, say("texts, but which?"), ask=True)
            else:
                columns.aside(at, ELSEWHERE[1])
        self._remarks(what, judged)
        self._judged_at(what)

    def _no_text(self, at: int) -> Sentence | None:
        """Return what cells are that are dates, or look like addresses, files ..."""
        one = self.columns.profiles[at]
        digits = one.length <= 40 and all(map(_DIGIT.search, one.words))
        if "date" in self.columns.about(at) and digits:
            return say("dates")
        return no_text(one.words)

    def _is_whole(self, at: int) -> bool:
        """Whether nearly all texts are the sentences with the paraphrase in place of the phrase."""
        texts = self.texts
        places = (texts.sentence, texts.phrase, texts.paraphrase)
        if None in places:
            return False
        columns = [self.columns.profiles[one or 0].texts for one in (*places, at)]
        whole = 0
        for old, phrase, text, new in zip(*columns, strict=True):
            whole += bool(new) and new.casefold() == old.replace(phrase, text).casefold()
        return whole > MOSTLY * self.columns.profiles[at].n

    def _is_personal(self, at: int) -> bool:
        about = self.columns.about(at)
        return "person" in about and not about & {"value", "criterion", "annotator"}

    def _says_who(self, at: int) -> bool:
        """Whether a label is the same in all rows of each annotator, and says nothing of texts."""
        columns, one = self.columns, self.columns.profiles[at]
        people = [n for n, guess in enumerate(columns.guesses) if guess.role == "annotator"]
        texts = [one for one in (self.texts.sentence, self.texts.phrase) if one is not None]
        return (
            bool(people)
            and one.is_label
            and one.filled > MOSTLY
            and columns.profiles[people[0]].distinct > 1
            and same_texts(columns.profiles[people[0]], one)
            and not any(same_texts(columns.profiles[text], one) for text in texts)
            and not columns.about(at) & {"system", "scale", "value", "criterion"}
        )

    def _remarks(self, what: str, judged: bool) -> None:
        """Keep remarks about texts as attributes; those of one annotator are read with what they
        judged."""
        columns = self.columns
        annotator = columns.has("annotator")
        for at, guess in enumerate(columns.guesses):
            if guess.role != "comment" or (what != "items" and annotator):
                continue
            if what != "items":
                columns.aside(at, ELSEWHERE[1])
            elif judged and annotator:
                columns.aside(at, ELSEWHERE[0])
            else:
                self._attribute(at, what)

    def _judged_at(self, what: str) -> None:
        for at, guess in enumerate(self.columns.guesses):
            if guess.role == "judged_at" and (what == "items" or not self.columns.has("annotator")):
                self.columns.aside(at, say("dates"))

    def _is_code(self, at: int) -> bool:
        """Whether a column holds ids: by its name, or codes that are all different."""
        columns, one = self.columns, self.columns.profiles[at]
        named = "id" in columns.about(at) or roles_named(columns.names[at])[:1] == ("item",)
        if named and one.length <= 60:
            return True
        filled = [text for text in one.texts if text]
        sentence = (
            columns.profiles[self.texts.sentence] if self.texts.sentence is not None else None
        )
        once = one.distinct == one.n or (
            sentence is not None and same_texts(one, sentence) and same_texts(sentence, one)
        )
        return (
            once
            and one.distinct > 2
            and all(any(char.isdigit() for char in text) for text in filled)
            and all(_CODE.fullmatch(text) for text in filled)
        )

    def _attribute(self, at: int, what: str) -> None:
        """Keep a column as an attribute of what its values go with."""
        columns, texts = self.columns, self.texts
        name = (columns.names[at] or letters(at)).strip()[:60]
        if what != "items":
            columns.aside(at, ELSEWHERE[1])
            return
        profiles = columns.profiles
        if texts.outputs and self._names_outputs(at):
            columns.aside(at, say("a choice among the systems"), ask=True)
            return
        sentence = texts.sentence if texts.sentence is not None else texts.phrase
        if sentence is None:
            columns.aside(at, say("nothing says what it is"), ask=True)
            return
        if same_texts(profiles[sentence], profiles[at]):
            columns.set(at, "attr", say("kept as an attribute of the original"), f"item.{name}")
        elif not texts.outputs and self._goes_with_text(at, sentence):
            columns.set(at, "attr", say("kept as an attribute of the text"), name)
        else:
            columns.aside(at, say("it differs among rows of the same text"), ask=True)

    def _names_outputs(self, at: int) -> bool:
        """Whether the values are names of the columns of systems, or the letters in these."""
        names = [self.columns.guesses[place].of for place in self.texts.outputs]
        labels = {name.casefold() for name in names}
        labels |= {name.split()[-1].casefold() for name in names if name.split()}
        labels |= TIES
        return all(word.casefold() in labels for word in self.columns.profiles[at].words)

    def _goes_with_text(self, at: int, sentence: int) -> bool:
        columns, texts = self.columns, self.texts
        if texts.paraphrase is None:
            return True
        systems = next(
            (
                columns.profiles[one].texts
                for one, guess in enumerate(columns.guesses)
                if guess.role == "system"
            ),
            ("",) * len(columns.profiles[at].texts),
        )
        seen: dict[tuple[str, str, str], str] = {}
        return all(
            seen.setdefault((a, b, c), value) == value
            for a, b, c, value in zip(
                columns.profiles[sentence].texts,
                columns.profiles[texts.paraphrase].texts,
                systems,
                columns.profiles[at].texts,
                strict=True,
            )
            if value
        )
