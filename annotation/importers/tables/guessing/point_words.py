"""Words for points of scales: degrees, answers, none at all, and numbers with a label."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

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
        "pas du tout; pas du tout d accord; totalmente en desacuerdo; muy malo; muy mala; "
        "muy mal; nada; 매우 나쁨; 아주 나쁨; 전혀 아니다; 매우 나쁘다; 전혀; 아주 나쁘다; "
        "매우 그렇지 않다; 매우 낮음; 很差; 非常差; 完全不同; 很不好; 非常不好; 完全不; "
        "非常不同意; 极差"
    ),
    -1: (
        "bad; poor; faible; stimme eher nicht zu; debil; disagree; mostly different; "
        "dissimilar; little; rarely; low; weak; "
        "slightly; schlecht; ausreichend; trifft eher nicht zu; eher nicht; stimme nicht zu; "
        "mauvais; mauvaise; mal; pas d accord; en desacuerdo; plutot non; un peu; malo; "
        "mala; poco; 나쁨; 나쁘다; 아니다; "
        "그렇지 않다; 낮음; 미흡; 별로; 差; 不好; 不同意; 较差; 不太好; 低"
    ),
    0: (
        "neutral; neither agree nor disagree; weder noch; ni d accord ni pas d accord; "
        "ni de acuerdo ni en desacuerdo; fair; ok; okay; average; medium; neither; "
        "so so; acceptable; moderate; "
        "somewhat; mittel; mittelmassig; befriedigend; teils teils; neutre; moyen; moyenne; "
        "passable; regular; normal; medio; aceptable; 보통; 보통이다; 중간; 중립; 一般; 中等; "
        "中立; 普通; 还行; 中"
    ),
    1: (
        "good; agree; similar; mostly; often; high; mostly same; gut; trifft eher zu; eher ja; "
        "stimme eher zu; "
        "stimme zu; d accord; de acuerdo; bon; bonne; bien; plutot oui; bueno; buena; "
        "좋음; 좋다; 그렇다; 높음; "
        "양호; 好; 同意; 较好; 良好; 高; 良"
    ),
    2: (
        "very good; excellent; perfect; strongly agree; identical; always; completely same; "
        "the same; flawless; very high; very similar; sehr gut; ausgezeichnet; trifft voll zu; "
        "voll und ganz; stimme voll zu; tout a fait d accord; totalmente de acuerdo; "
        "tres bon; tres bonne; tres bien; parfait; muy bueno; "
        "muy buena; muy bien; excelente; perfecto; totalmente; 매우 좋음; 아주 좋음; "
        "매우 좋다; 아주 좋다; 매우 그렇다; 완벽; 매우 높음; 很好; 非常好; 完美; 完全相同; "
        "非常同意; 极好; 优秀"
    ),
}
_YES = (
    "yes; y; true; ja; j; oui; si; verdadero; wahr; vrai; 예; 네; 맞음; 참; 是; 对; 正确; "
    "はい; 同じ; correct; richtig; acceptable"
)
_NO = (
    "いいえ; no; n; false; nein; non; falso; falsch; faux; 아니오; 아니요; 틀림; 거짓; 否; 不是; "
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
    "わからない; スキップ; 該当なし; 缺失; 결측; 欠損; fehlt; fehlend; manquant; faltante; falta; "
    "nicht bearbeitet; not moved; untouched; no value; nessuna risposta; mancante; sem resposta; "
    "não sei; non so"
)
_LEADING = re.compile(r"\s*([+-]?[0-9]+(?:[.,][0-9]+)?)\s*(?:[=:.)\-–—]+\s*|\s+|[(（\[])\s*(\D.*)")
_OF = re.compile(r"\s*([+-]?[0-9]+(?:[.,][0-9]+)?)\s*(?:/\s*([0-9]+)|%)\s*")  # 4/5, 80 %
_TRAILING = re.compile(r"\D.*?[(（\[]\s*([+-]?[0-9]+(?:[.,][0-9]+)?)\s*[)）\]]\s*")


DEGREES = {word: degree for degree, words in _DEGREES.items() for word in word_set(words)}
YES, NO, NOTHING = word_set(_YES), word_set(_NO), word_set(_NONE)
# Of these, an end and the two levels beside it say that others are not used.
_SYMMETRIC = (
    "very bad; very poor < bad; poor < ok; okay; neutral; so so; acceptable; average; medium < "
    "good < very good",
    "strongly disagree < disagree < neutral; neither agree nor disagree < agree < strongly agree",
    "sehr schlecht < schlecht < mittel; mittelmassig; neutral; ok; okay; teils teils < gut < "
    "sehr gut",
    "tres mauvais; tres mauvaise; tres mal < mauvais; mauvaise; mal < moyen; moyenne; passable; "
    "neutre; ok < bon; bonne; bien < tres bon; tres bonne; tres bien",
    "muy malo; muy mala; muy mal < malo; mala; mal < regular; normal; neutral; aceptable; medio < "
    "bueno; buena; bien < muy bueno; muy buena; muy bien",
    "매우 나쁨; 아주 나쁨 < 나쁨 < 보통; 중간 < 좋음 < 매우 좋음; 아주 좋음",
    "매우 그렇지 않다; 전혀 아니다 < 그렇지 않다; 아니다 < 보통; 보통이다 < 그렇다 < 매우 그렇다",
    "很差; 非常差 < 差; 较差 < 一般; 中等; 普通 < 好; 较好; 良好 < 很好; 非常好",
    "非常不同意 < 不同意 < 中立; 一般 < 同意 < 非常同意",
)
_IN_PART = (
    *_SYMMETRIC,
    "different; other; unrelated < partly the same; partly same; partially the same; partial < "
    "mostly the same; mostly same; nearly the same; almost the same < the same; same; identical",
    "anders; verschieden < teilweise gleich; zum teil gleich < weitgehend gleich; fast gleich; "
    "uberwiegend gleich < gleich; identisch",
    "different; differente < en partie identique; partiellement identique < presque identique; "
    "largement identique < identique; meme",
    "diferente; distinto < en parte igual; parcialmente igual < casi igual; practicamente igual < "
    "igual; identico",
    "다름 < 일부 같음; 부분적으로 같음 < 거의 같음; 대체로 같음 < 같음; 완전히 같음; 동일",
    "不同; 完全不同 < 部分相同; 部分一致 < 基本相同; 大致相同; 基本一致 < 相同; 完全相同; 完全一致",
)
# Points of scales that are known as a whole, the lowest first, with other words for each.
_SERIES = tuple(
    tuple(word_set(level) for level in series.split(" < "))
    for series in (
        *_IN_PART,
        "incorrect; wrong; ungrammatical < minor errors; minor issues; small errors; acceptable; "
        "partly correct < correct; grammatical; flawless; no errors",
        "falsch; fehlerhaft; ungrammatisch < kleine fehler; leichte fehler; kleinere fehler; "
        "akzeptabel; teilweise richtig < richtig; korrekt; fehlerfrei; grammatisch",
        "incorrect; incorrecte; faux < erreurs mineures; petites erreurs; acceptable < correct; "
        "correcte; juste; sans erreur",
        "incorrecto; incorrecta < errores leves; errores menores; aceptable < correcto; correcta; "
        "sin errores",
        "틀림; 비문; 부정확 < 약간 틀림; 사소한 오류; 어색함; 약간 어색함 < 맞음; 정확; 자연스러움",
        "错误; 不正确; 不通顺 < 有小错误; 小错误; 基本正确; 基本通顺 < 正确; 完全正确; 通顺",
        "none < little < much < most < all",
        "incomprehensible < disfluent; disfluent english < non native; non native english < "
        "good; good english < flawless; flawless english",
        "bad < poor < fair < good < excellent",
        "poor < fair < good < very good < excellent",
        "not at all; not < slightly; a little; barely < moderately; somewhat; partly < "
        "mostly; largely; very; quite < completely; fully; extremely; entirely; perfectly",
        "not at all; not < slightly; a little; partly; somewhat < mostly; largely < "
        "completely; fully; entirely; perfectly",
        "never < rarely; seldom < sometimes < often; usually < always",
        "uberhaupt nicht; gar nicht < kaum; wenig < teilweise; mittel < ziemlich; weitgehend; "
        "uberwiegend < vollig; vollkommen; vollstandig; sehr; ganz",
        "uberhaupt nicht; gar nicht < kaum; wenig; teilweise < weitgehend; uberwiegend; "
        "grosstenteils < vollig; vollkommen; vollstandig; ganz",
        "ungenugend < mangelhaft < ausreichend < befriedigend < gut < sehr gut",
        "pas du tout < peu; un peu < moyennement; partiellement < assez; beaucoup; largement; "
        "plutot; en grande partie < tout a fait; totalement; completement; entierement",
        "pas du tout < peu; un peu; partiellement < largement; plutot; en grande partie < "
        "tout a fait; totalement; completement; entierement",
        "nada; en absoluto < poco; un poco < algo; parcialmente; regular < bastante; en gran parte "
        "< mucho; totalmente; completamente; del todo",
        "nada; en absoluto < poco; un poco; algo; parcialmente < bastante; en gran parte < "
        "mucho; totalmente; completamente; del todo",
    )
)


# Words for a degree within a legend, beside those that are values: 1 or 2 for good ones.
_GOOD = word_set(
    "del tutto; leicht verstandlich; "
    "easy to understand; facile a comprendre; facil de entender; gleiche; "
    "best; beste; bester; bestes; besten; meilleur; meilleure; mejor; optimal; ideal; "
    "highest; identical; identisch; identique; identico; identica; same; equivalent; "
    "equivalente; aquivalent; gleich; gleichbedeutend; excellent; ausgezeichnet; "
    "hervorragend; perfect; perfectly; perfekt; parfait; parfaitement; perfecto; perfecta; "
    "grammatical; grammatisch; grammatical; gramatical; 문법적; 합격; 合语法; 合乎语法; "
    "flawless; fehlerfrei; einwandfrei; vollstandig; completely; fully; complete; complet; "
    "completo; completa; voll; preserved; erhalten; acceptable; akzeptabel; clear; natural; "
    "naturlich; fluent; flussig; correct; korrekt; richtig; correcto; good; gut; bon; bonne; "
    "bien; bueno; buena; great; like; 최고; 최상; 동일; 완벽; 매우 좋; 좋음; 같음; "
    "자연스러움; 매우 자연스러; 매우 그렇다; 最好; 最佳; 优秀; 相同; 一致; 完美; 非常好; "
    "很好; 完全一致; 好; 流畅; 通顺"
)
_BAD = word_set(
    "per niente; schwer verstandlich; "
    "hard to understand; difficile a comprendre; dificil de entender; "
    "andere; worst; schlechteste; schlechtester; schlechtestes; pire; peor; lowest; different; "
    "verschieden; unterschiedlich; anders; differente; diferente; distinto; distinta; "
    "unrelated; opposite; incomprehensible; unverstandlich; incomprensible; nonsense; "
    "unsinn; unusable; unbrauchbar; bad; poor; terrible; awful; wrong; falsch; schlecht; "
    "mauvais; mauvaise; malo; mala; nul; none; nothing; nichts; rien; nada; kein; keine; "
    "aucun; aucune; ninguno; ninguna; ungenugend; mangelhaft; lost; verloren; unacceptable; "
    "inacceptable; inaceptable; unnatural; unnaturlich; ungrammatical; ungrammatisch; "
    "agrammatical; agramatical; 비문법적; 비문; 不合语法; "
    "disfluent; never; hate; 최악; 최하; 나쁨; 매우 나쁨; 다름; 전혀; 부자연; 最差; 最坏; "
    "差; 很差; 非常差; 不同; 完全不同; 不好; 不通; 错误"
)
_SIGNS_OF_GOOD = sorted((one for one in _GOOD if not one.isascii()), key=len, reverse=True)
_DENIED = "×"
_NOT = re.compile(
    r"\b(not|no|nicht|kein\w*|pas|aucun\w*|sin|ni|without|ohne|sans|barely|hardly|kaum|less)\b"
)
# "99 = missing"; and what stands behind such numbers.
_CODE = re.compile(r"(?<![0-9.,])(-?[0-9]{1,4})\s*[=:＝：]\s*([^=＝]+)$")
_NO_ANSWER = re.compile(
    r"\b(no|not|without|keine?|nicht|sans|pas de|non|sin|no hay|nessun\w*|sem)\b.{0,12}"
    r"\b(answer\w*|rat\w+|judg\w+|respon\w+|moved|touched|antwort|angabe|bewert\w+|beantwort\w*|r[eé]ponse|"
    r"not[eé]e?|respuesta|rispost\w+|resposta)\b|\bmissing\b|\bfehlend|无回答|未作答|응답 없음",
    re.IGNORECASE,
)
# "Enter 0 if you cannot judge."
_CANNOT = re.compile(
    r"\b(cannot|can ?not|can't|unable to|not able to) (judge|rate|decide|tell|say|assess)\b|"
    r"\bnicht (zu )?(beurteil|bewert|entscheid)\w*|\b(impossible|incapable) (de|à) (juger|évaluer)|"
    r"\bne (peut|peux|pouvez|sait|savez)\b.{0,25}\b(juger|évaluer|pas)\b|"
    r"\bno (se )?(puede|puedes|pueda|es posible)\b.{0,15}(juzgar|evaluar|valorar)|"
    r"(판단|평가)(할 수 없|이? ?불가)|无法(判断|评价|评分|打分)|不能判断|判断でき",
    re.IGNORECASE,
)
_PARTLY = re.compile(
    r"\b(part|partly|partially|somewhat|teilweise|zum teil|en partie|partiellement|en parte|"
    r"parcialmente)\b|부분|일부|部分"
)


def _bare(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text.casefold())
    bare = "".join(sign for sign in decomposed if not "\u0300" <= sign <= "\u036f")
    return " ".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", bare)))


def degree(words: str) -> int:
    """Return 1 for good words, -1 for bad ones, 0 for others, and for those that deny something."""
    plain = _bare(words)
    if DEGREES.get(plain):
        return 1 if DEGREES[plain] > 0 else -1
    if plain in YES or plain in NO:
        return 1 if plain in YES else -1
    for one in _SIGNS_OF_GOOD:
        plain = plain.replace(f"不{one}", _DENIED)  # 不一致
    padded = f" {plain} "
    negated = _NOT.search(plain) is not None

    def has(entries: Iterable[str]) -> bool:
        return any((f" {one} " in padded) if one.isascii() else one in plain for one in entries)

    bad, good = has(_BAD) or _DENIED in plain, has(_GOOD)
    if bad and not negated and not (good and plain.isascii()):
        return -1
    if good and not bad:
        return -1 if negated else 1
    return -1 if bad and not good else 0


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
    """Return the highest point of 4/5 or 80 %; None for another text."""
    match = _OF.fullmatch(text)
    return None if match is None else float(match[2] or 100)


def label_in(text: str) -> str:
    """Return a label without the number that leads it; "" for a text that no number leads."""
    match = _LEADING.fullmatch(text)
    return match[2] if match else ""


def is_no_answer(words: str) -> bool:
    """Whether what stands beside a number says that there is no answer."""
    return bool(says_nothing(words) or _NO_ANSWER.search(words) or _CANNOT.search(words))


def codes_said(texts: Iterable[str]) -> frozenset[float]:
    """Return the numbers of which texts say that there is no answer: 99 = missing."""
    codes = set()
    for text in texts:
        for piece in re.split(r"[;；\n]|,\s(?=[^,]*[=＝])|，", text):
            match = _CODE.search(piece)
            if match and is_no_answer(match[2]):
                codes.add(float(match[1]))
        for piece in re.split(r"[;；\n。.]", text):
            numbers = re.findall(r"(?<![0-9])-?[0-9]{1,4}(?![0-9])", piece)
            if len(numbers) == 1 and _CANNOT.search(piece):
                codes.add(float(numbers[0]))
    return frozenset(codes)


def levels(words: Sequence[str]) -> tuple[Mapping[str, int], int] | None:
    """Return the level of each word from 0 on, and of how many levels their scale has; None where
    the words alone do not say both. Degrees have their ends on both sides of the middle, so that no
    level is missing beyond them; all levels of a series are used. Words that say nothing are
    left out."""
    spoken = {word: plain_word(word) for word in words if not says_nothing(word)}
    plain = {*spoken.values()}
    if plain <= NO | YES and len(plain & NO) == len(plain & YES) == 1:
        return {word: int(one in YES) for word, one in spoken.items()}, 2
    if plain <= DEGREES.keys():
        used = sorted({DEGREES[one] for one in plain})
        whole = len(used) == len(plain) > 1 and used[0] == -used[-1]
        if whole:
            return {word: used.index(DEGREES[one]) for word, one in spoken.items()}, len(used)
    for at, series in enumerate(_SERIES):
        placed = {
            word: level
            for word, one in spoken.items()
            for level, same in enumerate(series)
            if one in same
        }
        met = {*placed.values()}
        if len(placed) < len(spoken) or len(plain) > len(met):
            continue
        last = len(series) - 1
        whole = {0, 1, 2} <= met or {last - 2, last - 1, last} <= met
        in_part = at < len(_IN_PART) and whole
        if len(met) == len(series) or in_part:
            return placed, len(series)
    sides = {word: 0 if _PARTLY.search(_bare(word)) else _end(word) for word in spoken}
    ends: list[int] = sorted({one for one in sides.values() if one is not None})
    if None in sides.values() or len(ends) != len(plain) or ends not in ([-1, 1], [-1, 0, 1]):
        return None
    return {word: ends.index(one) for word, one in sides.items() if one is not None}, len(ends)


def levels_of_classes(points: Mapping[str, float | None]) -> tuple[Mapping[str, int], int] | None:
    """Return the levels of words that a file numbers one after the other, from a bad one to a good
    one; None for others."""
    rising = sorted((point, word) for word, point in points.items() if point is not None)
    if len(rising) < 2 or _end(rising[0][1]) != -1 or _end(rising[-1][1]) != 1:
        return None
    steps = [point - rising[0][0] for point, _ in rising]
    if steps != [*range(len(rising))]:
        return None
    return {word: at for at, (_, word) in enumerate(rising)}, len(rising)


def _end(word: str) -> int | None:
    """Return whether a word is of the best or the worst; None for another one."""
    plain = plain_word(word)
    return (plain in YES) - (plain in NO) or degree(word) or None
