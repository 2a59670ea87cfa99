"""Rows that a column marks as checks, practice or the like: they are no part of the study."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from annotation.importers.tables.books import is_empty, letters
from annotation.importers.tables.guessing.point_words import NO, YES, plain_word, word_set
from annotation.importers.tables.names import lexicon_plain_name
from annotation.importers.tables.steps import Table

MOST_WORDS = 12  # of a column that says what rows are
MOST_MARKED = 0.35  # share of the rows
_TICKED, _EMPTY = word_set("1; 1.0; x; ✓; ✔; t"), word_set("0; 0.0; f; -")
# What a row is called that nobody evaluates, as whole labels.
_CHECKS = word_set(
    "check; attention; attention check; attn check; attention test; check item; check question; "
    "quality check; quality control; catch; catch trial; catch item; catch question; trap; "
    "trap question; trap item; honeypot; bogus; bogus item; instructional check; gold check; "
    "gold question; test question; sanity check; imc; "
    "kontrollfrage; kontrollitem; aufmerksamkeit; aufmerksamkeitstest; aufmerksamkeitscheck; "
    "aufmerksamkeitskontrolle; fangfrage; testfrage; "
    "verification; question piege; piege; question controle; controle d attention; "
    "test d attention; item controle; question de controle; "
    "control de atencion; atencion; pregunta trampa; trampa; pregunta de control; "
    "주의 확인; 주의력 검사; 주의력 확인; 주의 점검; 확인 문항; 함정; 함정 문항; 검증 문항; "
    "검사 문항; "
    "注意力检测; 注意力检查; 注意检查; 检测题; 陷阱题; 陷阱; 测谎题; 质控题; 质检; 甄别题"
)
_PRACTICE = word_set(
    "practice; practise; practice trial; practice item; warm up; warmup; tutorial; demo trial; "
    "ubung; ubungsdurchgang; probedurchgang; ubungsitem; aufwarmen; entrainement; essai; "
    "exercice; practica; entrenamiento; ejercicio; 연습; 연습 문항; 练习; 练习题; 試行; 練習"
)
# What rows are called that may be left out, which a person says.
_LEFT_OUT = word_set(
    "filler; distractor; dummy; discard; discarded; delete; deleted; drop; dropped; remove; "
    "removed; skip; skipped; unusable; duplicate; training; train; trial; pilot; excluded; "
    "exclude; rejected; invalid; spam; "
    "verworfen; geloscht; loschen; unbrauchbar; probe; fuller; kontrolle; ausgeschlossen; "
    "abgelehnt; ungultig; formation; supprime; supprimee; a supprimer; ignore; controle; exclu; "
    "rejete; invalide; eliminado; eliminar; descartado; descartar; duplicado; relleno; excluido; "
    "rechazado; invalido; 삭제; 폐기; 중복; 훈련; 제외; 주의; 반려; 불성실; "
    "删除; 作废; 重复; 训练; 排除; 剔除; 无效; 拒绝"
)
_FLAG = re.compile(
    r"(is )?(attention|attn|catch|trap|honeypot|bogus|practice|practise|warm ?up)"
    r"( (check|item|trial|question|test|row))?|is (check|gold|control|test)( (item|question))?|"
    r"(check|gold|control) (item|question)|(ist )?(kontrollfrage|kontrollitem|ubung|"
    r"aufmerksamkeit\w*|fangfrage)|(est )?(question )?(piege|controle|entrainement)|"
    r"(es )?(trampa|practica|control de atencion)|연습( ?여부)?|주의 ?확인( ?문항)?|함정( ?문항)?|"
    r"(是否)?(练习|检测题|陷阱题|注意力检[测查])"
)
# What columns are called that say what a row is.
_KIND = re.compile(
    r"type?\b|kind|phase|stage|part\b|block|section|status|role|rolle|condition|categor|kategor|"
    r"flag|art\b|system|model|stimul|item|trial|set\b|group|grupp|tipo|clase|fase|estad|genre|"
    r"etape|유형|종류|구분|단계|역할|조건|시스템|모델|类型|类别|阶段|种类|条件|系统|模型|"
    r"check|attention|practice|catch"
)
# What columns are called whose yes leaves a row out, or whose no does.
_EXCLUDES = re.compile(
    r"(is )?(to be )?(exclude|excluded|exclusion|discard|discarded)( row| item)?|ausschlie(ss|ß)en|"
    r"ausgeschlossen|ausschluss|exclure|exclu(e|re)?|a exclure|excluir|excluid[oa]|"
    r"제외( ?여부)?|(是否)?(排除|剔除)"
)
_INCLUDES = re.compile(
    r"(is )?(include|included|usable|use row)|verwendbar|verwenden|inclure|incluir"
)
# Of columns that say how somebody did in a check.
_RESULT = re.compile(r"pass|fail|correct|ok\b|bestanden|reussi|aprob|score|rate|time|통과|通过")


def marked_rows(table: Table) -> Iterator[tuple[int, str]]:
    """Yield columns with a label whose rows are checks or practice, fewer than all others."""
    counts: list[Counter[str]] = [Counter() for _ in table.names]
    rows = 0
    for _, cells in table.rows():
        rows += 1
        for at, cell in enumerate(cells[: len(counts)]):
            if len(counts[at]) <= MOST_WORDS and not is_empty(cell):
                counts[at][str(cell).strip()] += 1
    for at, words in enumerate(counts):
        if not words or len(words) > MOST_WORDS:
            continue
        marked = _marked(table.names[at], words)
        n = sum(words[word] for word in marked)
        if marked and n <= MOST_MARKED * rows:
            yield from ((at, word) for word in marked)


def _marked(name: str, words: Counter[str]) -> list[str]:
    plain = lexicon_plain_name(name)
    if _RESULT.search(plain):
        return []
    if _FLAG.fullmatch(plain) and all(_is_yes(word) or is_no(word) for word in words):
        return [word for word in words if _is_yes(word)]
    if _EXCLUDES.fullmatch(plain) and all(_is_yes(word) or is_no(word) for word in words):
        return [word for word in words if _is_yes(word)]
    if _INCLUDES.fullmatch(plain) and all(_is_yes(word) or is_no(word) for word in words):
        return [word for word in words if is_no(word)]
    if not _KIND.search(plain):
        return []
    labels = {word: lexicon_plain_name(word) for word in words}
    marked = [word for word in words if labels[word] in _CHECKS | _PRACTICE]
    return marked if len(marked) < len(words) or _FLAG.fullmatch(plain) else []


def _is_yes(word: str) -> bool:
    return plain_word(word) in YES or word.casefold() in _TICKED


def is_no(word: str) -> bool:
    """Whether a word in a column that marks rows marks none."""
    return plain_word(word) in NO or word.casefold() in _EMPTY


def is_apart(word: str) -> bool:
    """Whether a label says that its row is a check, practice, or left out."""
    return plain_word(word) in _CHECKS | _PRACTICE | _LEFT_OUT


def leaving_out(table: Table) -> dict[str, Any] | None:
    """Return the step that leaves such rows out, of those with one label; None for none."""
    flags = [bool(_FLAG.fullmatch(lexicon_plain_name(name))) for name in table.names]
    marked = sorted(marked_rows(table), key=lambda one: not flags[one[0]])
    return next(
        ({"step": "drop", "column": letters(at), "word": word} for at, word in marked), None
    )
