"""What the texts of a table leave open: copies, cut ones, those of another row or task."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from annotation.importers.tables.books import place_of
from annotation.importers.tables.looking import Looked
from annotation.importers.tables.mapped import RowReader
from annotation.importers.tables.mapping import IGNORE, ColumnMap
from annotation.importers.tables.names import concepts, lexicon_plain_name
from annotation.importers.tables.profiles import shared_words
from annotation.importers.tables.word_values import word_set
from paraanno.common.texts import Sentence, say, shown

LEAST = 6  # originals
SHIFTED = 0.2  # share of words by which texts go better with the originals of another row
ENDS = ".!?。！？\"'”’»」)"  # of whole sentences
LONG = 30  # characters of texts that may be cut
# What texts of other tasks are called: those that are given, and those that are made of them.
_GIVEN = word_set(
    "premise; article; document; passage; abstract; title; question; query; headline; story; post; "
    "claim; frage; artikel; titel; pregunta; titulo; titre; 질문; 전제; 제목; 기사; "
    "问题; 前提; 标题; 文章"
)
_MADE = word_set(
    "answer; answers; summary; hypothesis; reply; headline; title; conclusion; evidence; response; "
    "antwort; zusammenfassung; hypothese; respuesta; resumen; hipotesis; reponse; resume; "
    "답변; 답; "
    "가설; 요약; 答案; 回答; 假设; 摘要"
)
_VERSIONS = word_set(
    "v; version; draft; final; new; old; neu; alt; fassung; entwurf; nouveau; nouvelle; ancien; "
    "nuevo; nueva; borrador; rev; revision; revised; before; after"
)


def of_texts(mapping: ColumnMap, looked: Looked) -> Iterator[Sentence]:
    """Yield what the texts leave open."""
    yield from _one_text_each(mapping, looked)
    yield from _of_another_task(looked)
    yield from _copies_and_shifts(looked)
    yield from _cut(looked)
    yield from _no_systems(looked)


def records_of(mapping: ColumnMap, looked: Looked) -> Iterator[Mapping[str, object]]:
    """Yield the records that a mapping reads of the rows that were looked at."""
    placed = [(place_of(one.column) or 0, one) for one in mapping.columns if one.role != IGNORE]
    reader = RowReader(mapping, placed)
    for _, cells in looked.rows:
        for values, failures, _ in reader.read(cells):
            if not failures:
                yield values


def _one_text_each(mapping: ColumnMap, looked: Looked) -> Iterator[Sentence]:
    """Ask where a system has several texts of an original, and no rank."""
    if mapping.has("rank") or not mapping.has("system", "output_of"):
        return
    seen: dict[tuple[object, ...], object] = {}
    for one in records_of(mapping, looked):
        text, system = one.get("paraphrase"), one.get("system")
        key = tuple(one.get(name) for name in ("sentence", "phrase", "start", "item")), system
        if text and system and seen.setdefault(key, text) != text:
            yield say(
                "%(name)s has several texts of an original: is a column missing that tells them "
                "apart?",
                name=shown(str(system)),
            )
            return


def _of_another_task(looked: Looked) -> Iterator[Sentence]:
    """Ask about pairs that are called as those of another task: a question and its answer."""
    words = {one.guess.role: lexicon_plain_name(one.name) for one in looked.columns}
    if words.get("sentence") in _GIVEN and words.get("paraphrase") in _MADE:
        yield say(
            "the texts are called %(one)s and %(two)s: are the second paraphrases of the first?",
            one=shown(words["sentence"]),
            two=shown(words["paraphrase"]),
        )


def _copies_and_shifts(looked: Looked) -> Iterator[Sentence]:
    """Ask where most texts are their originals themselves, or go with those of the next row."""
    places = {one.guess.role: place_of(one.column) or 0 for one in looked.columns}
    if not {"sentence", "paraphrase"} <= places.keys() or "phrase" in places:
        return
    old, new = looked.profiles[places["sentence"]], looked.profiles[places["paraphrase"]]
    pairs = list(zip(old.texts, new.texts, strict=True))
    if sum(a == b for a, b in pairs if a) * 2 > len(pairs) > 1:
        yield say("most texts are the same as their originals: are they the paraphrases?")
    own = shared_words(new, old)
    for n in (1, -1):
        moved = replace(old, texts=(*old.texts[n:], *old.texts[:n]))
        if old.distinct == old.n > LEAST and shared_words(new, moved) > own + SHIFTED:
            yield say("the texts go with the originals of another row: is a column shifted?")


def _cut(looked: Looked) -> Iterator[Sentence]:
    """Ask about texts that were cut: most end in dots, or with the same number of letters."""
    for one in looked.columns:
        if one.guess.role not in ("sentence", "paraphrase", "output_of", "reference"):
            continue
        texts = looked.profiles[place_of(one.column) or 0].words
        dots = sum(text.endswith(("...", "…")) for text in texts)
        most = max(map(len, texts), default=0)
        long = sum(len(text) == most and text[-1] not in ENDS for text in texts)
        if len(texts) > 3 and (
            dots * 2 > len(texts) or (most >= LONG and long > max(3, len(texts) / 3))
        ):
            yield say(
                "the texts of column %(column)s may be cut: are they whole?",
                column=shown(one.name or one.column),
            )


def _no_systems(looked: Looked) -> Iterator[Sentence]:
    """Ask about systems that are called by a word for any text: Paraphrase, edited."""
    for one in looked.columns:
        words = re.findall(r"[^\W_\d]+", lexicon_plain_name(one.guess.of.replace("(", " ")))
        about = [concepts(word) or frozenset({word} & _VERSIONS) for word in words]
        if one.guess.role != "output_of" or one.guess.ask or not about or not all(about):
            continue
        if not any(each & {"system", "reference"} for each in about):
            yield say(
                "column %(column)s would be a system called %(name)s: is it one?",
                column=shown(one.name or one.column),
                name=shown(one.guess.of),
            )
