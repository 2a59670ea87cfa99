"""What texts say of themselves: each is a paraphrase of its own original, by its own system."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean, median

from annotation.importers.tables.guessing.point_words import word_set
from annotation.importers.tables.guessing.value_names import differ_in_a_number
from annotation.importers.tables.looking import Seen
from annotation.importers.tables.names import concepts, lexicon_plain_name
from annotation.importers.tables.profiles import Profile, words_of
from annotation.importers.tables.proving.people import NEW, Findings, Proof
from paraanno.common.texts import shown

LEAST = 6  # originals
FEW = 5  # texts
SHIFTED = 0.2  # share of words by which a text goes better with another original
MOVED, FEW_MOVED = 0.01, 3  # of the texts may go better with the original beside theirs
MOSTLY = 0.8  # share of the texts
STRANGE = 0.4  # of the share of words that texts usually have of their originals
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
# Pairs of which the second may be a paraphrase of the first all the same.
PREMISES = (("premise", "hypothesis"), ("전제", "가설"), ("前提", "假设"))
_ENTAILED = word_set(
    "entailment; entails; entailed; contradiction; not_entailment; 함의; 모순; 蕴含; 矛盾"
)
# Baselines that leave everything as it is.
_COPIES = word_set("copy; copied; identity; unchanged; kopie; copie; copia; 복사; 原句")
_VERSIONS = word_set(
    "v; version; draft; final; new; old; neu; alt; fassung; entwurf; nouveau; nouvelle; ancien; "
    "nuevo; nueva; borrador; rev; revision; revised; before; after"
)


def one_text_each(proof: Proof) -> Findings:
    """A system with several texts of an original, where no rank tells them apart."""
    mapping = proof.mapping
    if mapping.has("rank") or not mapping.has("system", "output_of"):
        return
    seen: dict[tuple[object, ...], object] = {}
    for _, one in proof.records:
        text, system = one.get("paraphrase"), one.get("system")
        key = tuple(one.get(name) for name in ("sentence", "phrase", "start", "item")), system
        if text and system and seen.setdefault(key, text) != text:
            yield {"name": shown(str(system))}
            return


def of_another_task(proof: Proof) -> Findings:
    """Pairs that are called as those of another task: a question and its answer, a premise and its
    hypothesis beside labels of entailment."""
    words = {one.guess.role: lexicon_plain_name(one.name) for one in proof.looked.columns}
    pair = words.get("sentence"), words.get("paraphrase")
    if pair[0] not in _GIVEN or pair[1] not in _MADE:
        return
    labels = {
        word.casefold() for one in proof.profiles.values() if one.is_label for word in one.words
    }
    if pair not in PREMISES or labels & _ENTAILED:
        yield {"one": shown(str(pair[0])), "two": shown(str(pair[1]))}


def named_alike(proof: Proof) -> Findings:
    """Two texts that are called alike but for a number, of which one is a system's: nothing but
    their order says which, where no original comes again."""
    old, new = proof.columns("sentence"), proof.columns("paraphrase")
    if len(old) != 1 or len(new) != 1 or not proof.mapping.has("system"):
        return
    names = [old[0].name, new[0].name]
    again = proof.profiles[old[0].column]
    if differ_in_a_number(names) and again.distinct == again.n > 1:
        yield {"one": shown(names[0]), "two": shown(names[1])}


def _pairs(proof: Proof) -> Iterator[tuple[Seen, Sequence[tuple[str, str]]]]:
    """Yield the columns of whole texts with their texts and the originals beside them."""
    old = proof.columns("sentence")
    if not old or proof.columns("phrase"):
        return
    originals = proof.profiles[old[0].column].texts
    for one in proof.columns(*NEW):
        texts = proof.profiles[one.column].texts
        yield one, [(a, b) for a, b in zip(texts, originals, strict=True) if a and b]


def copies_of_originals(proof: Proof) -> Findings:
    """Texts of which most have the same words as their originals."""
    for one, pairs in _pairs(proof):
        if set(lexicon_plain_name(one.name).split()) & _COPIES:
            continue
        if len(pairs) > 1 and sum(_bag(a) == _bag(b) for a, b in pairs) * 2 > len(pairs):
            yield {"column": shown(one.name or one.column)}


def _bag(text: str) -> list[str]:
    return sorted(text.casefold().split()) if " " in text else [text.casefold()]


def copies_of_systems(proof: Proof) -> Findings:
    """A system whose texts are those of others: of one, or now of one and now of another."""
    columns = [proof.profiles[one.column].texts for one in proof.columns("output_of")]
    rows = [[text.casefold() for text in row] for row in zip(*columns, strict=True)]
    for at, one in enumerate(proof.columns("output_of")):
        own = [row for row in rows if row[at]]
        same = [row for row in own if row[at] in row[:at] + row[at + 1 :]]
        if len(own) >= FEW and len(same) > MOSTLY * len(own):
            yield {"column": shown(one.name or one.column)}
            return


def of_another_row(proof: Proof) -> Findings:
    """Texts that have more words of the original beside theirs than of their own."""
    for one, pairs in _pairs(proof):
        groups = [
            [words_of(a) for a, b in pairs if b == old]
            for old in dict.fromkeys(b for _, b in pairs)
        ]
        originals = [words_of(old) for old in dict.fromkeys(b for _, b in pairs)]
        moved = sum(
            _share(new, originals[other]) > _share(new, originals[at]) + SHIFTED
            for at, news in enumerate(groups)
            for new in news
            for other in (at - 1, at + 1)
            if 0 <= other < len(originals)
        )
        if len(originals) > LEAST and moved > max(FEW_MOVED, MOVED * len(pairs)):
            yield {"column": shown(one.name or one.column)}
            return


def _share(new: set[str], old: set[str]) -> float:
    return len(new & old) / len(new) if new else 0.0


def exchanged(proof: Proof) -> Findings:
    """A text that is an original in one row and a paraphrase in another."""
    pairs = [pair for _, column in _pairs(proof) for pair in column]
    both = {a for a, b in pairs if a != b} & {b for a, b in pairs if a != b}
    if both:
        yield {"text": shown(min(both))}


def _alone(proof: Proof) -> list[Seen]:
    """Return the columns of systems whose names do not begin or end as those of others: Sys one and
    Sys two are systems whatever they hold."""
    columns = proof.columns("output_of")
    stems = [_stems(one.name) for one in columns]
    return [
        one
        for at, one in enumerate(columns)
        if not any(stems[at] & other for place, other in enumerate(stems) if place != at)
    ]


def _stems(name: str) -> set[str]:
    words = lexicon_plain_name(name).split()
    return {f"{words[0]} ", f" {words[-1]}"} if len(words) > 1 else set()


def unlike_its_siblings(proof: Proof) -> Findings:
    """A system whose texts have far fewer words of their originals than those of others."""
    shares, alone = {}, [one.name or one.column for one in _alone(proof)]
    for one, pairs in _pairs(proof):
        if one.guess.role == "output_of" and len(pairs) >= FEW and not one.guess.ask:
            shares[one.name or one.column] = fmean(
                _share(words_of(a), words_of(b)) for a, b in pairs
            )
    for name, share in shares.items():
        others = [value for other, value in shares.items() if other != name]
        if others and name in alone and share < STRANGE * median(others):
            yield {"column": shown(name)}


def rarely_a_text(proof: Proof) -> Findings:
    """A system whose cells are mostly empty, or hold the same few texts, where others have more."""
    columns = {one.column: proof.profiles[one.column] for one in proof.columns("output_of")}
    for one in _alone(proof):
        own = columns[one.column]
        others = [other for column, other in columns.items() if column != one.column]
        full = max((other.filled for other in others), default=0.0)
        distinct = max((_variety(other) for other in others), default=0.0)
        if len(own.texts) >= FEW and (own.filled * 2 < full or _variety(own) * 2 < distinct):
            yield {"column": shown(one.name or one.column)}


def _variety(one: Profile) -> float:
    return one.distinct / max(1, one.n)


def lone_systems(proof: Proof) -> Findings:
    """A system with one text alone, where the others have many: another name, or no system."""
    names = Counter(str(one["system"]) for _, one in proof.records if one.get("system"))
    if len(names) > 2 and not proof.mapping.has("output_of"):
        lone = [name for name, n in names.items() if n == 1]
        if lone and min(n for n in names.values() if n > 1 or len(lone) > 1) >= FEW:
            yield {"name": shown(lone[0])}


def cut(proof: Proof) -> Findings:
    """Texts of which most end in dots, or with the same number of letters."""
    for one in proof.columns("sentence", "paraphrase", "output_of", "reference"):
        texts = proof.profiles[one.column].words
        dots = sum(text.endswith(("...", "…")) for text in texts)
        most = max(map(len, texts), default=0)
        long = sum(len(text) == most and text[-1] not in ENDS for text in texts)
        if len(texts) > 3 and (
            dots * 2 > len(texts) or (most >= LONG and long > max(3, len(texts) / 3))
        ):
            yield {"column": shown(one.name or one.column)}


def no_systems(proof: Proof) -> Findings:
    """A system that is called by a word for any text: Paraphrase, edited."""
    for one in proof.columns("output_of"):
        words = re.findall(r"[^\W_\d]+", lexicon_plain_name(one.guess.of.replace("(", " ")))
        about = [concepts(word) or frozenset({word} & _VERSIONS) for word in words]
        if one.guess.ask or not about or not all(about):
            continue
        if not any(each & {"system", "reference"} for each in about):
            yield {"column": shown(one.name or one.column), "name": shown(one.guess.of)}
