"""What people call the columns of their tables, in the languages that our users write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

# English, German, French, Spanish, Korean, Chinese, Japanese.
_WORDS: dict[str, str] = {
    "item": "id; item; item id; nr; no; number; nummer; uid; original id; sentence id; "
    "sent id; pair id; lfd nr; identifiant; numero; identificador; index; idx; key; 번호; "
    "아이디; 문항; 문항 번호; 문장 번호; 序号; 编号; 番号; item number; item nr; text id; "
    "original",
    "sentence": "sentence; original sentence; source sentence; input sentence; context; "
    "source; source text; src; input; original text; text; sentence 1; s 1; text 1; satz; "
    "originalsatz; ausgangssatz; kontext; quelltext; satz 1; phrase complete; phrase source; "
    "phrase originale; contexte; texte; texte source; oracion; frase; frase original; "
    "contexto; texto; 문장; 원문; 원문장; 문맥; 전체 문장; 문장 1; 句子; 原句; 原文; 语境; "
    "句子 1; 文; 元の文; 文脈; original",
    "phrase": "phrase; target phrase; original phrase; target; span; expression; segment; "
    "marked; highlighted; fragment; source phrase; ausdruck; wendung; ausschnitt; "
    "textstelle; phrase cible; expresion; fragmento; 구; 어구; 표현; 대상; 대상 구; 短语; "
    "词语; 表达; 表現; フレーズ; 句; original",
    "paraphrase": "paraphrase; paraphrases; paraphrase text; rewrite; rewriting; "
    "rewritten; output; prediction; hypothesis; hyp; candidate; substitution; replacement; "
    "substitute; response; generated; simplification; target sentence; sentence 2; s 2; "
    "text 2; paraphrased; umschreibung; ersetzung; umformulierung; satz 2; reformulation; "
    "proposition; parafrasis; parafraseo; 바꿔쓰기; 바꿔 쓰기; 패러프레이즈; 의역; 환언; "
    "대체 표현; 문장 2; 改写; 释义; 复述; 句子 2; 言い換え; 言換え; パラフレーズ",
    "system": "system; systems; model; models; method; condition; generator; engine; "
    "modell; modelle; systeme; verfahren; methode; modele; modeles; sistema; sistemas; "
    "modelo; metodo; 시스템; 모델; 모형; 방법; 系统; 模型; システム; モデル; 手法",
    "rank": "rank; rang; rango; 순위; 排名; 順位",
    "reference": "reference; ref; references; gold paraphrase; human; referenz; "
    "referencia; 참조; 참조문; 参考; 参照",
    "language": "language; lang; sprache; langue; idioma; lengua; 언어; 语言; 言語",
    "comment": "comment; comments; note; notes; remark; remarks; bemerkung; bemerkungen; "
    "kommentar; anmerkung; notiz; commentaire; remarque; comentario; nota; 비고; 메모; 의견; "
    "코멘트; 备注; 評語; 備考; コメント",
    "annotator": "annotator; rater; raters; judge; judges; coder; evaluator; worker; "
    "worker id; participant; subject; user; bewerter; bewerterin; annotatorin; proband; "
    "gutachter; annotateur; juge; evaluateur; anotador; juez; evaluador; 평가자; 주석자; "
    "작업자; 참가자; 标注者; 评分者; 标注员; 評価者; 作業者",
    "scale": "scale; dimension; criterion; aspect; skala; kriterium; echelle; critere; "
    "escala; criterio; 척도; 기준; 평가 항목; 尺度; 标准; 評価項目",
    "value": "value; score; rating; ratings; judgment; judgement; bewertung; wert; punkte; "
    "punktzahl; gute; urteil; valeur; evaluation; jugement; valor; puntuacion; puntaje; "
    "점수; 평점; 평가; 값; 分数; 得分; 评分; 点数; 評価; スコア",
    "start": "start; begin; offset; anfang; debut; inicio; 시작; 开始; 開始",
    "end": "end; ende; fin; 끝; 结束; 終了",
    "judged_at": "date; time; timestamp; datum; zeit; zeitpunkt; fecha; 날짜; 시간; 日期; "
    "日付; judged at",
    "role": "role; rolle",
    "reason": "reason; grund",
    "occasion": "occasion; round; runde",
    "sd": "sd; std; stdev; std dev; stddev; standard deviation; standardabweichung; "
    "ecart type; desviacion; 표준편차; 标准差; 標準偏差",
    "n": "n; count; counts; anzahl; nombre; num judgments; raters n; 인원; 개수; 人数; 件数",
    "mean": "mean; average; avg; gold; gold score; mittelwert; durchschnitt; moyenne; "
    "media; promedio; 평균; 평균값; 平均; 均值",
}
ROLES: dict[str, frozenset[str]] = {
    role: frozenset(word.strip() for word in words.split(";")) for role, words in _WORDS.items()
}
# Scales that many campaigns have, by other words for them.
_SCALES = {
    "meaning": "bedeutung; sens; significado; 의미; 意思; 意味; 语义; 意义; semantics; sinn; "
    "sentido",
    "grammar": "grammatik; grammaire; gramatica; 문법; 语法; 文法; grammatic; gramatical",
    "adequacy": "adaquatheit; 충실도; 적절성; 充分性",
    "fluency": "flussigkeit; fluidite; fluidez; 유창성; 流畅性; 流暢さ",
    "simplicity": "einfachheit; simplicite; 단순성; 간결성; 简单性",
    "similarity": "ahnlichkeit; similarite; similitud; 유사도; 相似度; 類似度",
}
LONG_STEM = 5  # letters beyond which a word may go on
_NOT_WORD = re.compile(r"[^\w]+|_+")
_BRACKETS = re.compile(r"[(\[（【].*?[)\]）】]")
_SPLIT = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=[a-z])(?=[A-Z])")


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """Return a name in small letters without accents, brackets and signs, with single spaces."""
    text = _SPLIT.sub(" ", _BRACKETS.sub(" ", name))
    text = "".join(
        letter
        for letter in unicodedata.normalize("NFD", text)
        if not "\u0300" <= letter <= "\u036f"
    )
    text = unicodedata.normalize("NFC", text.replace("°", " ").replace("º", " "))
    found = _NOT_WORD.sub(" ", text.casefold()).strip()
    return found or ("n" if name.strip() else "")


@lru_cache(maxsize=4096)
def roles_named(name: str) -> tuple[str, ...]:
    """Return the roles that a name says, the likeliest first; none for an unknown name."""
    plain = plain_name(name)
    if not plain:
        return ()
    ours = name.strip()
    first = [ours] if ours in ROLES else []
    found = [role for role, words in ROLES.items() if plain in words]
    if plain == "n" and name.strip() != name.strip().rstrip("°º.:"):
        found = ["item", *found]
    return tuple(dict.fromkeys([*first, *found]))


@lru_cache(maxsize=4096)
def numbered_role(name: str) -> str | None:
    """Return the role of a name that ends in a number or a single letter: "Output B"."""
    words = plain_name(name).split()
    if len(words) < 2 or not (words[-1].isdigit() or len(words[-1]) == 1):
        return None
    stem = " ".join(words[:-1])
    for role in ("paraphrase", "system", "reference", "annotator"):
        if stem in ROLES[role]:
            return role
    return None


def scale_named(name: str, scales: Iterable[str]) -> str | None:
    """Return the scale that a name says, alone or beside other words; None if it says none."""
    plain = f" {plain_name(name)} "
    for scale in sorted(scales, key=len, reverse=True):
        if f" {plain_name(scale)} " in plain:
            return scale
    for scale in scales:
        own = plain_name(scale)
        words = [own, *(word.strip() for word in _SCALES.get(own, "").split(";") if word.strip())]
        if any(_in_name(word, plain) for word in words):
            return scale
    return None


def _in_name(word: str, padded: str) -> bool:
    """Whether a name has a word, or begins one with it: Bedeutungserhalt, 문법성."""
    if not word.isascii():
        return word in padded
    return f" {word}" in padded if len(word) > LONG_STEM else f" {word} " in padded


def says(name: str, role: str) -> bool:
    """Whether one of the words of a name is one for the role."""
    plain = f" {plain_name(name)} "
    return any(f" {word} " in plain for word in ROLES[role])
