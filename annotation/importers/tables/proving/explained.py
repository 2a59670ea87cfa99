"""Whether all that the name of a column of values says is understood.

A name with a word that nobody knows may say that its numbers are something else: the loss of
meaning, how sure somebody was. The rules that guess look for what a name says; here it is asked
what is left of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from annotation.importers.tables.guessing.point_words import degree, word_set
from annotation.importers.tables.guessing.value_names import (
    FIRST_NAMES,
    are_names,
    are_short_criteria,
)
from annotation.importers.tables.names import concepts, lexicon_plain_name, stems_of, words_of_scale

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_RANGE = re.compile(r"[0-9]+\s*(?:[-–—~/]|to|bis|à|a|von|of|out of)\s*[0-9]+")
_LEGEND = re.compile(r"[0-9]+\s*(?:점|分)?\s*[=:＝：]\s*[^0-9,;，；()\[\]]*")
_ABOUT = ("value", "annotator", "scale", "criterion", "system", "output", "text")
_SURNAME = re.compile(r"([A-Z]\.[ -]?)+[^\W\d_]+(-[^\W\d_]+)?")  # K. Meyer
MOST_WORDS = 6  # A longer name is a question.
_WORDS = word_set(
    "a; adequacy; all; an; and; ann; anno; answer; appreciation; as; ausdruck; avis; beurteilung; "
    "bew; bewahrt; bewahrung; by; calidad; conservacion; conservada; conservado; conservation; "
    "conserve; crowd; da; das; de; degre; degree; del; der; des; die; du; echelle; einschatzung; "
    "el; erhalt; erhalten; erhaltung; escala; et; ev; eval; experiment; expert; extent; "
    "fidelidad; fidelite; first; for; frase; from; general; given; gleichheit; good; grad; grade; "
    "grado; gute; how; human; im; in; integer; is; judge; judgement; judgment; kept; la; lab; "
    "labeler; las; lay; le; les; level; likert; los; main; maintien; manual; mit; mturk; niveau; "
    "nivel; nota; notation; note; numeric; of; on; or; oracion; original; output; overall; par; "
    "para; parafrasis; paraphrase; per; percent; pers; person; phase; point; points; por; pour; "
    "preservacion; preservada; preservado; preservation; preserve; preserved; preserving; pro; "
    "prozent; pt; pts; puntos; qualite; quality; question; r; ra; rating; ratings; raw; response; "
    "retained; retention; rewrite; satz; scale; schieberegler; score; scores; second; sentence; "
    "skala; slider; stage; student; study; stufe; survey; system; task; text; the; third; to; "
    "treue; turk; ubereinstimmung; umschreibung; und; urteil; val; value; vom; von; wahrung; "
    "well; with; y; zu; same; identical; "
    "gleich; gleiche; meme; mismo; misma; fits; fit; context; stesso; stessa; mesmo; mesma"
)
_PEOPLE = FIRST_NAMES - {"max", "mark"}
# What words go on with that say no more: grammatical, Grammatikalität.
_ENDING = re.compile(
    r"(t|m|le|les|ble|bles|ility|ilite|ilidad|barkeit|ilitat|bility|at|ic|ik|al|ly|ity|itat|ite|idad|idade|ness|ung|keit|heit|lich|ing|ed|e|s|n|en|er|es|"
    r"ation|ion|ive|if|a|o|i|ar|y|cy|ce|que|z|dad)+"
)
# What questions may ask about instead of the scale: how sure somebody was.
_OTHER = word_set(
    "sure; certain; confident; confidence; difficult; difficulty; hard; easy; familiar; often; "
    "toxic; toxicity; toxisch; toxique; toxico; "
    "sicher; schwer; schwierig; leicht; sur; surs; certaine; difficile; facile; seguro; segura; "
    "dificil; facil; 확신; 확실; 어려; 难; 确定; 把握"
)
_JOINTS = ("", "s", "es", "n", "en")
_SIGNS = word_set(
    "스러움; 보존; 유지; 전달; 정도; 수준; 척도; 점수; 평가; 문장; 패러프레이즈; 인간; 전문가; 도; "
    "성; 의; 별; 점; 값; 자; 보전; 保留; 保持; 程度; 水平; 一致; 人工; 专家; 改写; 句子; 评; "
    "打; 得; 分; 性; 度; 的; 人; 员; 级; 值"
)


@lru_cache(maxsize=64)
def _stems(scale: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the stems of Latin letters and the signs of East Asia that a name may have."""
    stems = {stem for about in _ABOUT for stem in stems_of(about)} | words_of_scale(scale)
    latin = {stem for stem in stems if not _CJK.search(stem)}
    signs = {stem for stem in stems if _CJK.search(stem)} | set(_SIGNS)
    return tuple(sorted(latin, key=len)[::-1]), tuple(sorted(signs, key=len)[::-1])


def _is_word(word: str, scale: str, depth: int = 2) -> bool:
    if word in _WORDS or word.isdigit() or len(word) == 1 or word in _PEOPLE:
        return True
    for stem in _stems(scale)[0]:
        if len(stem) < 3 or not word.startswith(stem):
            continue
        rest = word[len(stem) :]
        if not rest or (len(stem) > 3 and _ENDING.fullmatch(rest)):
            return True
        if depth and any(
            rest.startswith(joint)
            and len(rest) - len(joint) > 2
            and _is_word(rest[len(joint) :], scale, depth - 1)
            for joint in _JOINTS
        ):
            return True
    return False


def unexplained(name: str, scale: str, person: str = "") -> str:
    """Return what is left of a name without the scale, words for values and people, ranges and
    legends, and the `person`; "" for nothing, and for a question."""
    bare = _LEGEND.sub(" ", name)
    bare = _RANGE.sub(" ", bare)
    if person and person in bare and is_person(person):
        bare = bare.replace(person, " ")
    bare = re.sub(r"[()\[\]{}（）【】<>%]", " ", bare)
    words = lexicon_plain_name(bare).split()
    if len(words) > MOST_WORDS or set(name) & set("?？"):
        return says_what_is_worse(bare)
    left = []
    for word in words:
        if _CJK.search(word):
            for sign in _stems(scale)[1]:
                word = word.replace(sign, "")
            if word and not word.isdigit():
                left.append(word)
        elif not _is_word(word, scale):
            left.append(word)
    return " ".join(left)


def says_what_is_worse(name: str) -> str:
    """Return the first word by which less is better, or that is about the person; "" for none."""
    bad = [word for word in lexicon_plain_name(name).split() if degree(word) < 0 or word in _OTHER]
    bad += [sign for sign in _OTHER if not sign.isascii() and sign in name]
    return bad[0] if bad else ""


def is_person(name: str) -> bool:
    """Whether each word of a name is that of a person: a first name, or one with a capital."""
    if _SURNAME.fullmatch(name):
        return True
    return all(
        not word.isalpha()
        or len(word) == 1
        or not word.islower()
        or _CJK.search(word) is not None
        or lexicon_plain_name(word) in FIRST_NAMES
        for word in re.split(r"[\s_.\-]+", name)
    )


def are_people(names: Sequence[str], above: Sequence[str]) -> bool:
    """Whether names, or what stands over all of them, say that they are those of people."""
    initials = all(re.fullmatch("[A-Z]{2,3}", name) for name in names)
    if all(map(_SURNAME.fullmatch, names)) or (initials and not are_short_criteria(names)):
        return True
    if are_names(names) or all("annotator" in concepts(name) for name in names):
        return True
    if above and all(concepts(group) & {"value", "annotator"} for group in above):
        return True
    firsts = [lexicon_plain_name(name).split()[:1] for name in names]
    return all(first and (first[0] in FIRST_NAMES) for first in firsts)
