"""What texts beside a table say about its numbers: "1 = best", "lower is better"; and whether all
that the name of a column of values says is understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from annotation.importers.tables.guessing.point_words import degree, is_no_answer, word_set
from annotation.importers.tables.guessing.value_names import (
    FIRST_NAMES,
    are_names,
    are_short_criteria,
)
from annotation.importers.tables.names import concepts, lexicon_plain_name, stems_of, words_of_scale
from paraanno.common.texts import Sentence, say, shown

MOST_POINTS = 12  # of a scale whose points are explained
_NUMBER = r"(?<![A-Za-z0-9.,])([0-9]{1,3})(?![.,]?[A-Za-z0-9])"
_RANGE = re.compile(r"(?<![0-9])([0-9]{1,3})\s*(?:[-–—~]|to|bis|à)\s*([0-9]{1,3})(?![0-9])")
_LISTED = re.compile(r"(?<![0-9])[0-9]{1,2}(?:\s*[/,|]\s*[0-9]{1,2}){2,}(?![0-9])")  # 1/2/3
_SIGN = (
    r"\s*(?:점|分|pts?\.?|points?|punkte?)?\s*(?:[=:＝：]|→|->|\bis\b|\bmeans\b|\bbeing\b|\bist\b|"
    r"\bheißt\b|\bbedeutet\b|\best\b|\bsignifie\b|\bes\b|\bsignifica\b|은|는)\s*"
)
_WORDS = r"([^\W\d_][^0-9,;，；、|/()\[\]（）\n–=:：]*)"
_LINK = r"\s*(?:\b(?:pour|for|für|para|as|als|comme|como)\b|表示|代表|为|是|[(（\[])?\s*"
_BEHIND = re.compile(rf"{_NUMBER}(?:{_SIGN}|{_LINK}){_WORDS}", re.IGNORECASE)
_BEFORE = re.compile(rf"{_WORDS}\s*(?:[=:＝：]|[(（\[])\s*{_NUMBER}", re.IGNORECASE)
# "lower is better", "je niedriger, desto besser".
_LOWER = re.compile(
    r"\b(lower|smaller|fewer|less)\b.{0,25}\bbetter\b|\bbetter\b.{0,15}\b(lower|smaller)\b|"
    r"\b(niedriger\w*|kleiner\w*|geringer\w*|weniger)\b.{0,25}\bbesser\b|"
    r"\b(plus (bas|petit|faible)\w*|moins)\b.{0,30}\b(mieux|meilleur\w*)\b|"
    r"\b(menor|menos|m[aá]s baj[oa]s?)\b.{0,30}\bmejor\w*\b|(낮|작|적)을수록.{0,12}좋|"
    r"(越低|越小|越少).{0,6}越?好|\b(reverse[ds]?|inverted?)[- ]?(cod|scor|scale|key)\w*|"
    r"\bumgepolt\w*|\binvers\w* kodiert|역채점|역코딩|反向计分|反向题",
    re.IGNORECASE,
)
_DIGIT = re.compile(_NUMBER)
_ZEROS = re.compile(r"(?<=[0-9])[.,]0{1,2}(?![0-9])")  # 100.00
MOST = 100  # the highest number that a legend explains
_DATED = re.compile(
    r"\b[0-9]{1,2}\.? [^\W\d_]{3,10}\.?,? [0-9]{4}\b|\b[^\W\d_]{3,10} [0-9]{1,2}, [0-9]{4}\b"
)


def points_in(text: str) -> dict[int, int]:
    """Return the degrees that a text gives to numbers."""
    text = _ZEROS.sub("", _DATED.sub(" ", text))
    points: dict[int, int] = {}
    for number, words in _BEHIND.findall(text):
        if is_no_answer(words):
            continue
        points.setdefault(int(number), degree(words))
    if not points:
        for words, number in _BEFORE.findall(text):
            if not is_no_answer(words):
                points.setdefault(int(number), degree(words))
    return {number: good for number, good in points.items() if number <= MOST}


def extremes(text: str) -> tuple[int, int] | None:
    """Return the lowest and the highest number that a text explains, if it explains several."""
    points = points_in(_RANGE.sub(" ", text))
    return (min(points), max(points)) if len(points) > 1 else None


def ranges_in(text: str) -> list[tuple[int, int]]:
    """Return the ranges that a text names: 1-5."""
    listed = [[int(one) for one in re.findall("[0-9]+", each)] for each in _LISTED.findall(text)]
    ranges = [(int(low), int(high)) for low, high in _RANGE.findall(text)]
    return [*ranges, *((min(each), max(each)) for each in listed)]


def directions(texts: Iterable[str]) -> tuple[Sentence, ...]:
    """Ask about texts that say that the lowest number is the best."""
    return tuple(
        say(
            "%(text)s: is the highest number of the values the best, and of this scale?",
            text=shown(text),
        )
        for text in turned(texts)
    )


def turned(texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts that say that lower numbers are the better ones, or that explain numbers in a
    way of which nobody knows which are good."""
    for text in texts:
        bare = _RANGE.sub(" ", text)
        if _LOWER.search(text):
            yield text
            continue
        points = points_in(bare)
        good = {number: one for number, one in points.items() if one}
        if not good:
            if len(points) > 1 or (_DIGIT.search(bare) and degree(text)):
                yield text
            continue
        least, most = min(points), max(points)
        low, high = points[least], points[most]
        if len(points) == 1:
            low, high = (low, 0) if least <= 1 else (0, high if least > 2 else 0)
        rising = sorted(good.items())
        falls = rising[0][1] > rising[-1][1]
        if low > 0 or high < 0 or falls:
            yield text


# Names of columns of values.


_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NAMED_RANGE = re.compile(r"[0-9]+\s*(?:[-–—~/]|to|bis|à|a|von|of|out of)\s*[0-9]+")
_LEGEND = re.compile(r"[0-9]+\s*(?:점|分)?\s*[=:＝：]\s*[^0-9,;，；()\[\]]*")
_ABOUT = ("value", "annotator", "scale", "criterion", "system", "output", "text")
_SURNAME = re.compile(r"([A-Z]\.[ -]?)+[^\W\d_]+(-[^\W\d_]+)?")  # K. Meyer
MOST_WORDS = 6  # A longer name is a question.
_EXPLAINED_WORDS = word_set(
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
    "同じ; です; ます; 度合い; ですか; か; 打; 得; 分; 性; 度; 的; 人; 员; 级; 值"
)


@lru_cache(maxsize=64)
def _stems(scale: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the stems of Latin letters and the signs of East Asia that a name may have."""
    stems = {stem for about in _ABOUT for stem in stems_of(about)} | words_of_scale(scale)
    latin = {stem for stem in stems if not _CJK.search(stem)}
    signs = {stem for stem in stems if _CJK.search(stem)} | set(_SIGNS)
    return tuple(sorted(latin, key=len)[::-1]), tuple(sorted(signs, key=len)[::-1])


def _is_word(word: str, scale: str, depth: int = 2) -> bool:
    if word in _EXPLAINED_WORDS or word.isdigit() or len(word) == 1 or word in _PEOPLE:
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
    bare = _NAMED_RANGE.sub(" ", bare)
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
