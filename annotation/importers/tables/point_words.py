"""Words for points of scales: degrees, answers, none at all, and numbers with a label."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from annotation.importers.tables.names import lexicon_plain_name


def word_set(words: str) -> frozenset[str]:
    """Return words that stand between semicolons."""
    return frozenset(word.strip() for word in words.split(";"))


# Words for a degree, in steps from the lowest up: -2 to 2. Longer ones are looked for first.
_DEGREES: dict[int, str] = {
    -2: (
        "very bad; very poor; terrible; awful; strongly disagree; completely different; "
        "not at all; never; none; nothing; incomprehensible; very low; very dissimilar; "
        "sehr schlecht; ungenugend; mangelhaft; trifft gar nicht zu; gar nicht; "
        "stimme uberhaupt nicht zu; stimme gar nicht zu; nul; nulle; tres mauvais; tres mal; "
        "pas du tout; muy malo; muy mala; "
        "muy mal; nada; 매우 나쁨; 아주 나쁨; 전혀 아니다; 매우 나쁘다; 전혀; 아주 나쁘다; "
        "매우 그렇지 않다; 매우 낮음; 很差; 非常差; 完全不同; 很不好; 非常不好; 完全不; "
        "非常不同意; 极差"
    ),
    -1: (
        "bad; poor; faible; stimme eher nicht zu; debil; disagree; mostly different; "
        "dissimilar; little; rarely; low; weak; "
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
        "stimme eher zu; "
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
    "ne sait pas; no response; no rating; not rated; n r; nr; ?; ??; ???; "
    "no puedo juzgar; 모름; 모르겠음; 판단 불가; 판단불가; 알 수 없음; 해당 없음; 不知道; "
    "无法判断; 不确定; 不清楚; 判断できない; "
    "not applicable; not answered; no opinion; blank; missing; unknown; idk; dk; abstain; "
    "n b; n z; keine antwort; ohne angabe; nicht bewertet; nicht beantwortet; ubersprungen; "
    "enthaltung; unbekannt; weiss ich nicht; n c; n s p; nsp; ne se prononce pas; sans reponse; "
    "pas de reponse; non evalue; passe; ns; nsnc; sin respuesta; no contesta; no aplica; "
    "omitido; saltado; 건너뜀; 건너뛰기; 모르겠다; 응답 없음; 무응답; 평가 불가; 평가불가; "
    "판단 보류; 해당없음; 跳过; 略过; 未评; 未答; 无法评价; 无法评分; 不适用; 不好说; "
    "わからない; スキップ; 該当なし"
)
_LEADING = re.compile(r"\s*([+-]?[0-9]+(?:[.,][0-9]+)?)\s*(?:[=:.)\-–—]+\s*|\s+|[(（\[])\s*(\D.*)")
_OF = re.compile(r"\s*([+-]?[0-9]+(?:[.,][0-9]+)?)\s*(?:/\s*([0-9]+)|%)\s*")  # 4/5, 80 %
_TRAILING = re.compile(r"\D.*?[(（\[]\s*([+-]?[0-9]+(?:[.,][0-9]+)?)\s*[)）\]]\s*")


DEGREES = {word: degree for degree, words in _DEGREES.items() for word in word_set(words)}
YES, NO, NOTHING = word_set(_YES), word_set(_NO), word_set(_NONE)
# Points of scales that are known as a whole, the lowest first, with other words for each.
_SERIES = tuple(
    tuple(word_set(level) for level in series)
    for series in (
        ("none", "little", "much", "most", "all"),
        (
            "incomprehensible",
            "disfluent; disfluent english",
            "non native; non native english",
            "good; good english",
            "flawless; flawless english",
        ),
        ("bad", "poor", "fair", "good", "excellent"),
        ("poor", "fair", "good", "very good", "excellent"),
        (
            "not at all; not",
            "slightly; a little; barely",
            "moderately; somewhat; partly",
            "mostly; largely; very; quite",
            "completely; fully; extremely; entirely; totally; perfectly",
        ),
        ("never", "rarely; seldom", "sometimes", "often; usually", "always"),
        (
            "uberhaupt nicht; gar nicht",
            "kaum; wenig",
            "teilweise; mittel",
            "ziemlich; weitgehend; uberwiegend",
            "vollig; vollstandig; sehr; ganz",
        ),
        ("ungenugend", "mangelhaft", "ausreichend", "befriedigend", "gut", "sehr gut"),
        (
            "pas du tout",
            "peu; un peu",
            "moyennement; partiellement",
            "assez; beaucoup; largement; plutot",
            "tout a fait; totalement; completement; parfaitement",
        ),
        (
            "nada; en absoluto",
            "poco",
            "algo; parcialmente; regular",
            "bastante",
            "mucho; totalmente; completamente",
        ),
    )
)


def plain_word(text: str) -> str:
    """Return a word as it is compared."""
    return lexicon_plain_name(text) or text.strip().casefold()


def says_nothing(text: str) -> bool:
    """Whether a text says that somebody could not judge: also "0 = cannot judge"."""
    match = _LEADING.fullmatch(text)
    return plain_word(match[2] if match else text) in NOTHING


def number_in(text: str) -> float | None:
    """Return the number that leads or follows a label, as in "4 - good"; None if there is none."""
    match = _OF.fullmatch(text)
    if match is not None and match[2] and float(match[1].replace(",", ".")) > float(match[2]):
        return None  # 4/3: two values in one cell
    match = match or _LEADING.fullmatch(text) or _TRAILING.fullmatch(text)
    return None if match is None else float(match[1].replace(",", "."))


def highest_in(text: str) -> float | None:
    """Return the highest point of 4/5; None for another text."""
    match = _OF.fullmatch(text)
    return float(match[2]) if match is not None and match[2] else None


def label_in(text: str) -> str:
    """Return a label without the number that leads it; "" for a text that no number leads."""
    match = _LEADING.fullmatch(text)
    return match[2] if match else ""


def levels(words: Sequence[str]) -> tuple[Mapping[str, int], int] | None:
    """Return the level of each word from 0 on, and of how many levels their scale has; None where
    the words alone do not say both. Degrees have their ends on both sides of the middle, so that no
    level is missing beyond them; both ends of a series are used, and most of it. Words that say
    nothing are left out."""
    spoken = {word: plain_word(word) for word in words if not says_nothing(word)}
    plain = {*spoken.values()}
    if plain <= NO | YES and plain & NO and plain & YES:
        return {word: int(one in YES) for word, one in spoken.items()}, 2
    if plain <= DEGREES.keys():
        used = sorted({DEGREES[one] for one in plain})
        whole = len(used) == len(plain) > 1 and used[0] == -used[-1]
        if whole:
            return {word: used.index(DEGREES[one]) for word, one in spoken.items()}, len(used)
    for series in _SERIES:
        placed = {
            word: level
            for word, one in spoken.items()
            for level, same in enumerate(series)
            if one in same
        }
        used = {*placed.values()}
        ends = {0, len(series) - 1} <= used and len(used) * 2 > len(series)
        if len(placed) == len(spoken) and len(plain) == len(used) and ends:
            return placed, len(series)
    return None
