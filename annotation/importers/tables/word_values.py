"""Words that stand for points of a scale: "very bad ... very good", "yes" and "no"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from annotation.importers.tables.lexicon import plain_name

MOST_WORDS = 12  # different ones in a column of values
# Words for a degree, in steps from the lowest up: -2 to 2. Longer ones are looked for first.
_DEGREES: dict[int, str] = {
    -2: (
        "very bad; very poor; terrible; awful; strongly disagree; completely different; "
        "not at all; never; none; nothing; incomprehensible; very low; very dissimilar; "
        "sehr schlecht; ungenugend; mangelhaft; trifft gar nicht zu; gar nicht; "
        "stimme uberhaupt nicht zu; tres mauvais; tres mal; pas du tout; muy malo; muy mala; "
        "muy mal; nada; 매우 나쁨; 아주 나쁨; 전혀 아니다; 매우 나쁘다; 전혀; 아주 나쁘다; "
        "매우 그렇지 않다; 매우 낮음; 很差; 非常差; 完全不同; 很不好; 非常不好; 完全不; "
        "非常不同意; 极差"
    ),
    -1: (
        "bad; poor; disagree; mostly different; dissimilar; little; rarely; low; weak; "
        "slightly; schlecht; ausreichend; trifft eher nicht zu; eher nicht; stimme nicht zu; "
        "mauvais; mauvaise; mal; plutot non; un peu; malo; mala; poco; 나쁨; 나쁘다; 아니다; "
        "그렇지 않다; 낮음; 미흡; 별로; 差; 不好; 不同意; 较差; 不太好; 低"
    ),
    0: (
        "neutral; fair; ok; okay; average; medium; neither; so so; acceptable; moderate; "
        "somewhat; mittel; mittelmassig; befriedigend; teils teils; neutre; moyen; moyenne; "
        "passable; regular; normal; medio; aceptable; 보통; 보통이다; 중간; 중립; 一般; 中等; "
        "中立; 普通; 还行; 中"
    ),
    1: (
        "good; agree; similar; mostly; often; high; mostly same; gut; trifft eher zu; eher ja; "
        "stimme zu; bon; bonne; bien; plutot oui; bueno; buena; 좋음; 좋다; 그렇다; 높음; "
        "양호; 好; 同意; 较好; 良好; 高; 良"
    ),
    2: (
        "very good; excellent; perfect; strongly agree; identical; always; completely same; "
        "the same; flawless; very high; very similar; sehr gut; ausgezeichnet; trifft voll zu; "
        "voll und ganz; stimme voll zu; tres bon; tres bonne; tres bien; parfait; muy bueno; "
        "muy buena; muy bien; excelente; perfecto; totalmente; 매우 좋음; 아주 좋음; "
        "매우 좋다; 아주 좋다; 매우 그렇다; 완벽; 매우 높음; 很好; 非常好; 完美; 完全相同; "
        "非常同意; 极好; 优秀"
    ),
}
_YES = (
    "yes; y; true; ja; j; oui; si; verdadero; wahr; vrai; 예; 네; 맞음; 참; 是; 对; 正确; "
    "同じ; correct; richtig; acceptable"
)
_NO = (
    "no; n; false; nein; non; falso; falsch; faux; 아니오; 아니요; 틀림; 거짓; 否; 不是; "
    "错; 不对; 错误; incorrect; unacceptable"
)
_NONE = (
    "cannot judge; can t judge; can not judge; cant judge; don t know; dont know; "
    "do not know; unsure; not sure; n a; na; no answer; skip; skipped; unclear; "
    "cannot say; kann ich nicht beurteilen; nicht beurteilbar; weiss nicht; keine angabe; "
    "k a; unklar; je ne sais pas; ne sais pas; sans avis; no se; no sabe; ns nc; "
    "no puedo juzgar; 모름; 모르겠음; 판단 불가; 판단불가; 알 수 없음; 해당 없음; 不知道; "
    "无法判断; 不确定; 不清楚; 判断できない"
)
_LEADING = re.compile(r"\s*([+-]?[0-9]+(?:[.,][0-9]+)?)\s*(?:[=:.)\-–—]+\s*|\s+|[(（\[])\s*(\D.*)")
_OF = re.compile(r"\s*([+-]?[0-9]+(?:[.,][0-9]+)?)\s*(?:/\s*[0-9]+|%)\s*")  # 4/5, 80 %
_TRAILING = re.compile(r"\D.*?[(（\[]\s*([+-]?[0-9]+(?:[.,][0-9]+)?)\s*[)）\]]\s*")


def _set(words: str) -> frozenset[str]:
    return frozenset(word.strip() for word in words.split(";"))


DEGREES = {word: degree for degree, words in _DEGREES.items() for word in _set(words)}
YES, NO, NOTHING = _set(_YES), _set(_NO), _set(_NONE)


def plain_word(text: str) -> str:
    """Return a word as it is compared."""
    return plain_name(text) or text.strip().casefold()


def says_nothing(text: str) -> bool:
    """Whether a text says that somebody could not judge: also "0 = cannot judge"."""
    found = _LEADING.fullmatch(text)
    return plain_word(found[2] if found else text) in NOTHING


def number_in(text: str) -> float | None:
    """Return the number that leads or follows a label, as in "4 - good"; None if there is none."""
    found = _OF.fullmatch(text) or _LEADING.fullmatch(text) or _TRAILING.fullmatch(text)
    return None if found is None else float(found[1].replace(",", "."))


def are_values(words: Sequence[str]) -> bool:
    """Whether all words are degrees, answers or numbers with a label: values of a scale."""
    told = [word for word in words if not says_nothing(word)]
    if not told or len(words) > MOST_WORDS:
        return False
    plain = {plain_word(word) for word in told}
    return (
        plain <= DEGREES.keys()
        or plain <= YES | NO
        or all(number_in(word) is not None for word in told)
    )


def proposed(
    words: Sequence[str], low: float | None = None, high: float | None = None
) -> Mapping[str, float | None]:
    """Return a point for each word that is known, on a scale from `low` to `high` (1 to 5 if they
    are not given): numbers as they stand, degrees in equal steps, "no" and "yes" at the ends.
    Words that say nothing have None; others are left out.
    """
    least, most = (1.0, 5.0) if low is None or high is None else (low, high)
    found: dict[str, float | None] = {}
    degrees = sorted({DEGREES[plain_word(word)] for word in words if plain_word(word) in DEGREES})
    for word in words:
        plain = plain_word(word)
        number = number_in(word)
        if says_nothing(word):
            found[word] = None
        elif number is not None:
            found[word] = number
        elif plain in DEGREES:
            found[word] = _point(DEGREES[plain], degrees, least, most)
        elif plain in YES or plain in NO:
            found[word] = most if plain in YES else least
    return found


def _point(degree: int, degrees: Sequence[int], least: float, most: float) -> float:
    """Return the point of a degree: five of them are spread over the scale, four skip the middle of
    theirs, and three to the ends and the middle."""
    lowest, highest = (-2, 2) if len(degrees) > 3 else (degrees[0], degrees[-1])
    if highest == lowest:
        return most if degree > 0 else least
    point = least + (degree - lowest) * (most - least) / (highest - lowest)
    return float(round(point, 2))
