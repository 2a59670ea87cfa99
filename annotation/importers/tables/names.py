"""What people call the columns of their tables, in the languages that our users write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

# English, German, French, Spanish, Korean, Chinese, Japanese.
_WORDS: dict[str, str] = {
    "item": "id; item; item id; nr; no; number; nummer; uid; original id; sentence id; "
    "sent id; pair id; lfd nr; identifiant; numero; identificador; index; idx; key; 번호; "
    "아이디; 문항; 문항 번호; 문장 번호; 序号; 编号; 番号; item number; item nr; text id; "
    "original",
    "sentence": "sentence; original sentence; source sentence; input sentence; context; "
    "source; source text; src; input; original text; text; sentence 1; s 1; text 1; satz; "
    "text a; sentence a; question 1; satz a; 문장 a; 句子 a; "
    "texte 1; texto 1; phrase 1; phrase a; oracion 1; oracion a; frase 1; frase a; "
    "originalsatz; ausgangssatz; kontext; quelltext; satz 1; phrase complete; phrase source; "
    "phrase originale; phrase d origine; phrase initiale; phrase de depart; contexte; texte; "
    "texte source; oracion; frase; frase original; "
    "contexto; texto; 문장; 원문; 원문장; 문맥; 전체 문장; 문장 1; 句子; 原句; 原文; 语境; "
    "句子 1; 文; 元の文; 文脈; original",
    "phrase": "phrase; target phrase; original phrase; target; span; expression; segment; "
    "marked; highlighted; fragment; source phrase; ausdruck; wendung; ausschnitt; "
    "textstelle; phrase cible; expresion; fragmento; 구; 어구; 표현; 대상; 대상 구; 短语; "
    "词语; 表达; 表現; フレーズ; 句; original",
    "paraphrase": "paraphrase; paraphrases; paraphrase text; rewrite; rewriting; "
    "rewritten; output; prediction; hypothesis; hyp; candidate; substitution; replacement; "
    "substitute; response; generated; simplification; target sentence; sentence 2; s 2; "
    "phrase 2; phrase b; oracion 2; oracion b; frase 2; "
    "frase b; texte 2; texto 2; "
    "text 2; text b; sentence b; question 2; satz b; 문장 b; 句子 b; paraphrased; "
    "umschreibung; ersetzung; umformulierung; vereinfachung; satz 2; reformulation; "
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
    "worker id; participant; person; subject; user; respondent; turker; prolific pid; "
    "bewerter; bewerterin; annotatorin; proband; "
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
    "occasion": "occasion; round; runde; session; sitzung; seance; sesion; 회차; 轮次",
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
    "adequacy": "adaquatheit; adequation; adecuacion; 충실도; 적절성; 充分性",
    "fluency": "flussigkeit; fluidite; fluidez; 유창성; 流畅性; 流暢さ",
    "simplicity": "einfachheit; simplicite; 단순성; 간결성; 简单性",
    "similarity": "ahnlichkeit; similarite; similitud; 유사도; 相似度; 類似度",
}
KNOWN_SCALES = tuple(_SCALES)
LONG_STEM = 5  # letters beyond which a word may go on
_NOT_WORD = re.compile(r"[^\w]+|_+")
_BRACKETS = re.compile(r"[(\[（【].*?[)\]）】]")
# Between signs of East Asia and Latin letters: 문장ID.
_SCRIPTS = (
    r"(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])(?=[A-Za-z])|"
    r"(?<=[A-Za-z])(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"
)
_SPLIT = re.compile(rf"(?<=[^\W\d_])(?=\d)|(?<=[a-z])(?=[A-Z])|{_SCRIPTS}")


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
    plain = _NOT_WORD.sub(" ", text.casefold()).strip()
    return plain or ("n" if name.strip() else "")


@lru_cache(maxsize=4096)
def roles_named(name: str) -> tuple[str, ...]:
    """Return the roles that a name says, the likeliest first; none for an unknown name."""
    plain = plain_name(name)
    if not plain:
        return ()
    ours = name.strip()
    first = [ours] if ours in ROLES else []
    roles = [role for role, words in ROLES.items() if plain in words]
    if plain == "n" and name.strip() != name.strip().rstrip("°º.:"):
        roles = ["item", *roles]
    return tuple(dict.fromkeys([*first, *roles]))


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


def words_of_scale(scale: str) -> frozenset[str]:
    """Return the words that name a scale."""
    own = plain_name(scale)
    others = (word.strip() for word in _SCALES.get(own, "").split(";"))
    return frozenset(word for word in (*own.split(), *others) if word)


def _in_name(word: str, padded: str) -> bool:
    """Whether a name has a word, or begins one with it: Bedeutungserhalt, 문법성."""
    if not word.isascii():
        return word in padded
    return f" {word}" in padded if len(word) > LONG_STEM else f" {word} " in padded


def says(name: str, role: str) -> bool:
    """Whether one of the words of a name is one for the role."""
    plain = f" {plain_name(name)} "
    return any(f" {word} " in plain for word in ROLES[role])


# What the words in the names of columns are about, in the languages that our users write.
#
# A concept has stems. A stem of Latin letters stands at the start of a word (in German words also
# at the end, as in "Originalsatz"), a short one ("id=") is a word of its own; one of Chinese,
# Japanese or Korean signs stands anywhere.


# English, German, French, Spanish, Korean, Chinese, Japanese.
_STEMS = {
    "original": (
        "original; orig=; source; src=; query=; input; ausgang; quell; eingabe; entree=; entrada; "
        "origin; fuente; initial; 원문; 원본; 원래; 입력; 원 문장; 原文; 原句; 原始; 源; 输入; "
        "元の; 入力; 원천; context; kontext; contexte; contexto; 문맥; 语境; 上下文; 文脈"
    ),
    "text": (
        "sentence; sentences; text; texte; texto; satz=; satze; phrase=; oracion; frase; 문장; "
        "sent=; 텍스트; 句子; 文本; 文章; 文=; utterance; question; line=; enonce; aussage; 发话; "
        "발화"
    ),
    "phrase": (
        "phrase=; target; span; expression; segment; marked; highlight; fragment; keyword; tgt=; "
        "trg=; key=; kwic; node=; ausdruck; wendung; ausschnitt; textstelle; zielphrase; "
        "expresion; segmento; locution; 구=; 어구; 표현; 대상; 단어; 短语; 词语; 表达; 目标; "
        "关键词; 表現; フレーズ; 핵심어"
    ),
    "output": (
        "paraphras; para=; parafras; parafraseo; rewrit; rephras; output; prediction; predicted; "
        "completion; hypothes; hyp=; candidate; substitut; replacement; response; generat; out=; "
        "simplif; vereinfach; umschreib; ersetz; umformulier; generier; ausgabe; vorhersage; "
        "reformul; sortie; genere; proposition; salida; generad; reescrit; hipotesis; hypothese; "
        "kandidat; candidat; reponse; respuesta; antwort; 바꿔; 수정문; 바꾼; 패러프레이즈; "
        "remplac; reemplaz; sustituc; sostituz; 의역; 환언; 대체; 출력; 생성; 결과; 재작성; 후보; "
        "번안; 改写; 释义; 复述; 转述; 生成; 输出; 候选; 结果; 言い換え; 言換え; パラフレーズ; 出力"
    ),
    "system": (
        "system; sys=; systeme; sistema; model; modell; modele; modelo; engine; generator; "
        "generateur; generador; paraphraser; rewriter; simplifier; "
        "method; methode; metodo; verfahren; condition; algorithm; architecture; propuest; "
        "proposed=; 시스템; 모델; 모형; 방법; 系统; 模型; システム; モデル; 手法; 엔진"
    ),
    "reference": (
        "reference; ref=; refs=; gold=; human=; humans=; referenz; referenc; mensch; humain; "
        "human; humano; expert; groundtruth; goldstandard; muster; 참조; 정답; 사람; 인간; "
        "参考; 参照; 人工; 人类; 标准答案; 모범"
    ),
    "annotator": (
        "annotator; annotateur; anotador; rater; raters; judge=; judges=; coder; evaluator; "
        "evaluateur; evaluador; worker; participant; subject=; user; username; reviewer; assessor; "
        "labeler; labeller; bewerter; gutachter; prufer; proband; codierer; kodierer; beurteiler; "
        "juge; juez; jueces; 평가자; 주석자; 작업자; 참가자; 심사자; 심사위원; 채점자; 标注者; "
        "标注员; 评分者; 评分员; 评估者; 评价者; 评委; 评审; 評価者; 作業者; codificador; "
        "participante; teilnehmer; scorer; linguist; respondent; prolific; expert; 전문가; 专家; "
        "pid=; turker; crowdworker; contributor; tester; initials; rated by; judged by; "
        "annotated by; reviewed by; travailleur; trabajador; versuchsperson; vp=; vpn=; nutzer; "
        "benutzer; kurzel; correcteur; notateur; sujet=; revisor; sujeto; usuario; annotatric; "
        "evaluatric; correctric; locuteur; sprecher; hablante; informant; jury; jurad; etudiant; "
        "estudiante; student=; 학생; 学生; 응답자; 참여자; 검수자; 라벨러; 피험자; 被试; 用户; "
        "审核员; 标注人; 评价人; 评估人; 打分人; 评分人; 评测员; 受试者"
    ),
    "scale": (
        "scale; dimension; criteri; aspect=; aspekt; skala; kriteri; echelle; critere; escala; "
        "quality type; 척도; 기준; 항목; 차원; 尺度; 标准=; 维度; 指标; 評価項目; question type"
    ),
    "value": (
        "value; score; rating; ratings; judgment; judgement; label=; answer; bewertung; wert=; "
        "punkt; note=; urteil; valeur; evaluation; jugement; valor; puntuacion; puntaje; "
        "calificacion; valoracion; 점수; 평점; 평가=; 값; 응답; 등급; 分数; 得分; 评分; 评价; "
        "打分; 分值; 点数; 評価; スコア; likert; verdict; vote=; votes=; decision"
    ),
    "id": (
        "id=; ids=; uid=; uuid; guid; nr=; no=; num=; number; nummer; index; idx; key id; "
        "numero; trial=; identif; 번호; 아이디; 문항; 序号; 编号; 番号; 号=; item=; hit; row=; "
        "zeile; unnamed 0; fila; ligne; 순번; 일련; 식별자; 行号; kennung; lfd=; n="
    ),
    "date": (
        "date; time=; timestamp; datum; zeit=; zeitpunkt; zeitstempel; fecha; hora=; heure; "
        "horodateur; 날짜; 시간; 시각; 일시; 일자; 日期; 时间; 日付; 日時; created; updated; "
        "submitted; judged at; when="
    ),
    # What is asked about people, beside their judgments.
    "person": (
        "age=; gender; sex=; native; mother tongue; browser; user agent; device; ip=; ip address; "
        "operating system; screen; resolution; navigateur; navegador; gerat=; appareil; "
        "브라우저; 기기; 浏览器; 设备; education; nationality; country; l1=; proficiency; alter=; "
        "geschlecht; muttersprache; herkunftsland; edad; sexo; nativo; pais; sexe; "
        "langue maternelle; pays; 나이; 연령; 성별; 학력; 모국어; 국적; 年龄; 性别; 母语; 国籍; "
        "学历"
    ),
    # Texts that somebody made of a paraphrase while judging it.
    "remake": (
        "corrected; correction; post edit; postedit; edited; edit=; suggest; korrigiert; "
        "korrektur; vorschlag; verbesser; correction; corrige; corregid; correccion; sugerencia; "
        "교정; 수정 제안; 제안 문장; 修改; 更正; 建议"
    ),
    "duration": (
        "duration; seconds; secs=; ms=; millisec; time taken; rating time; judgment time; "
        "work time; working time; elapsed; worktime; time spent; response time; reaction; "
        "dauer; sekunden; bearbeitungszeit; duracion; segundos; duree; secondes; 소요; 초=; "
        "用时; 耗时; 秒; 所要; rt=; latency; 응답시간"
    ),
    "comment": (
        "comment; note=; notes=; remark; bemerkung; kommentar; anmerkung; notiz; commentaire; "
        "remarque; comentario; nota=; notas=; observ; feedback; 비고; 메모; 의견; 코멘트; 备注; "
        "评语; 意见; 備考; コメント; 说明; justif; explan; rationale; reasoning; begrund; erklar; "
        "explicac; explication; 이유; 설명; 理由; 解释"
    ),
    "language": ("language; lang=; sprache; langue; idioma; lengua; 언어; 语言; 言語; locale"),
    "rank": (
        "rank; ranking; rang=; rango; puesto; place=; platz=; beam; 순위; 등수; 排名; 名次; 順位"
    ),
    "name": ("name; names; nom=; nombre=; 이름; 명=; 名称; 名字; 名=; 성명"),
    "group": (
        "group; gruppe; genre; domain; domane; category; kategorie; categorie; categoria; "
        "split=; batch; cluster; block=; subset; fold=; topic; thema; tema; section; type=; "
        "typ=; corpus; korpus; dataset; set=; lot=; lote=; bloc=; bloque; register; dominio; "
        "genero; domaine; 분야; 영역; 유형; 장르; 주제; 집단; 그룹; 세트; 블록; 묶음; 领域; 类别; "
        "类型; 主题; 批次; 组; 区块; 来源; 출처; 분류; quelle=; herkunft"
    ),
    "mean": (
        "mean=; average; avg=; mittel; durchschnitt; moyenne; media=; promedio; 평균; 均值; "
        "平均; averaged; mw=; schnitt=; moy=; prom="
    ),
    "median": ("median; mediane; mediana; 중앙값; 중위; 中位数; 中央値; zentralwert"),
    "sd": (
        "sd=; std; stdev; stddev; standard deviation; standardabweichung; deviation; "
        "ecart type; desviacion; desv; stdabw; variance; varianz; varianza; 표준편차; 분산; "
        "标准差; 方差; 標準偏差; se=; stderr; sem=; ci=; standardfehler"
    ),
    "sum": (
        "total; sum=; summe; gesamt; insgesamt; somme; suma=; 합계; 총점; 총계; 총합; 总分; "
        "总计; 合计; 总和; 合計; overall; subtotal; zwischensumme; 소계; 小计"
    ),
    "count": (
        "count; counts; anzahl; nombre de; numero de; num judgments; n raters; 인원; 개수; "
        "errors=; error count; fehler=; fehlerzahl; erreurs=; errores=; 오류 수; 错误数; "
        "인원수; 응답수; 응답 수; 평가수; 人数; 件数; 数量; 횟수; n ratings; cantidad"
    ),
    "majority": (
        "majority; maj=; mehrheit; majorite; mayoria; consensus; konsens; consenso; final=; "
        "modal=; mode=; 다수결; 다수; 합의; 多数; 共识; 最终; agree; agreement; ubereinstimmung; "
        "accord; acuerdo; 일치; 一致; adjudicated; aggregat; difference; differenz; kappa; "
        "minimum; maximum; min=; max=; range=; spannweite; z score; zscore; diff=; 차이; 최종"
    ),
    "metric": (
        "bleu; rouge; meteor; chrf; bertscore; bleurt; comet=; ter=; sari; self bleu; ibleu; "
        "bartscore; moverscore; sbert; parascore; perplexity; ppl=; levenshtein; "
        "edit distance; jaccard; cosine; cos sim; overlap=; log prob; logprob; probability; "
        "ged=; fkgl; lexical diversity"
    ),
    "length": (
        "length; len=; lange; laenge; longueur; longitud; words=; tokens=; chars=; worter; "
        "wortzahl; woerter; mots=; palabras; 길이; 글자; 단어 수; 长度; 字数; 词数; "
        "word count; token count; n words; zeichen"
    ),
    "confidence": (
        "confidence; certainty; konfidenz; sicherheit; confiance; confianza; 확신; 신뢰도; 置信; "
        "信心"
    ),
    # What makes something else of a scale: the loss of meaning, a predicted score.
    "otherwise": (
        "loss=; lost=; error; violat; distort; chang; deviat; problem; predict; expect=; expected; "
        "automatic; auto=; inverse; reverse; verlust; fehler; abweich; ander=; anderung; verzerr; "
        "vorhersag; vorhergesagt; erwartet; schulnote; schulnoten; perte; erreur; ecart=; predit; "
        "attendu; perdida; cambio; predich; esperad; 손실; 오류; 변화; 왜곡; 예측; 역채점; 损失; "
        "错误; 偏差; 变化; 预测; 误差"
    ),
    # Rows that are checks, practice, or left out.
    "apart": (
        "attention; attn; catch=; use=; used=; keep=; include; delete; discard; remove=; drop=; "
        "verwend; loschen; geloscht; behalten; garder; supprim; elimin; descart; 삭제; 사용; 删除; "
        "采用;  trap=; filler; practice; warm up; warmup; dummy=; honeypot; bogus; exclud; "
        "exclusion; reject; invalid; valid=; usable; accepted=; approved=; check=; checks=; "
        "control=; kontrolle; ubung; ausgeschlossen; ausschluss; ungultig; gultig=; aufmerksam; "
        "exclu=; exclure; rejet; entrainement; controle=; excluir; excluid; rechaz; practica; "
        "주의=; 주의 확인; 연습; 제외; 불성실; 반려; 练习; 排除; 剔除; 注意力; 无效; 有效"
    ),
    "left": (
        "left; pre=; prefix; links=; gauche; izquierd; 왼쪽; 좌측; 左; before; 앞; vor=; "
        "앞부분; 前文; vorher; avant; antes; preceding"
    ),
    "right": (
        "right=; post=; suffix; rechts; droit; derech; 오른쪽; 우측; 右; after; 뒤; nach=; "
        "뒷부분; 后文; nachher; apres; despues; following"
    ),
    # Criteria that are scales in many studies: columns called so are no people.
    "criterion": (
        "adequa; adaquat; fluen; flussig; fluid; gramma; gramat; meaning; bedeut; sens=; sinn=; "
        "signific; semantic; semantik; similar; ahnlich; simplic; einfach; natural; naturlich; "
        "accura; coheren; koharenz; relevan; divers; style; stil=; estilo; tone=; clarity; "
        "klarheit; claridad; readab; lesbar; lisib; legib; correct; korrekt; toxic; formal; "
        "polite; novelty; creativ; preservation; faithful; quality; qualitat; qualite; calidad; "
        "informativ; fidel; verstandlich; comprehens; 의미; 문법; 유창; 충실; 적절; 자연; 단순; "
        "간결; 유사; 정확; 다양; 품질; 명확; 스타일; 가독; 일관; 공손; 意思; 语法; 意味; 文法; "
        "流畅; 流暢; 充分; 忠实; 语义; 简单; 相似; 类似; 自然; 质量; 准确; 多样; 清晰; 의의; 难度; "
        "通顺; 连贯; 完整; 简洁; 恰当; 適切; 正確; 忠実; acceptab; akzeptab; aceptab; clareza; "
        "cohes; coes=; coeren; kohasion; completeness; vollstandigkeit; concis; consisten; "
        "konsisten; equivalen; aquivalen; factual; hoflich; politesse; idiomat; intelligib; "
        "comprensi; precis; prazis; prazision; plausib; understandab; usefulness; helpful"
    ),
}
_LONG = 4  # letters from which on a stem need not be a whole word
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ONE_WORD = re.compile(r"[^\W_]+")
_lexicon_SPLIT = re.compile(
    r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])|"
    rf"(?<=[A-Z])(?=[A-Z][a-z]{{2}})|{_SCRIPTS}"
)


@lru_cache(maxsize=4096)
def lexicon_plain_name(name: str) -> str:
    """Return a name in small letters without accents, brackets and signs, with single spaces."""
    text = _lexicon_SPLIT.sub(" ", _BRACKETS.sub(" ", name))
    text = "".join(
        letter
        for letter in unicodedata.normalize("NFD", text)
        if not "\u0300" <= letter <= "\u036f"
    )
    text = unicodedata.normalize("NFC", text.replace("°", " ").replace("º", " "))
    return _NOT_WORD.sub(" ", text.casefold()).strip()


def _read() -> Mapping[str, tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]]:
    """Return for each concept: whole words, stems of Latin letters, and signs of East Asia."""
    lexicon: dict[str, tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]] = {}
    for concept, stems in _STEMS.items():
        whole: set[str] = set()
        starts: list[str] = []
        signs: list[str] = []
        for stem in (one.strip() for one in stems.split(";")):
            bare = stem.removesuffix("=")
            if _CJK.search(bare):
                (whole.add if stem.endswith("=") else signs.append)(bare)
            elif stem.endswith("=") or len(bare) < _LONG:
                whole.add(bare)
            else:
                starts.append(bare)
        lexicon[concept] = frozenset(whole), tuple(starts), tuple(signs)
    return lexicon


_CONCEPTS = _read()


@lru_cache(maxsize=4096)
def concepts(name: str) -> frozenset[str]:
    """Return what a name is about; empty for an unknown name."""
    plain = lexicon_plain_name(name)
    padded = f" {plain} "
    joined = plain.replace(" ", "") if _ONE_WORD.fullmatch(name.strip()) else ""  # BERTScore
    words = plain.split()
    matches = set()
    for concept, (whole, starts, signs) in _CONCEPTS.items():
        if (
            any(f" {word} " in padded for word in whole)
            or any(f" {stem}" in padded for stem in starts)
            or any(sign in plain for sign in signs)
            or any(len(stem) > 5 and stem in joined for stem in starts)
            or any(_ends_in(word, whole, starts) for word in words)
        ):
            matches.add(concept)
    return frozenset(matches)


def _ends_in(word: str, whole: frozenset[str], starts: tuple[str, ...]) -> bool:
    """Whether a long word is compounded with a stem: Originalsatz, Systemausgabe."""
    if len(word) < 8 or _CJK.search(word):
        return False
    return any(
        len(stem) >= _LONG
        and len(word) - len(stem) >= 3
        and word.endswith(stem)
        and stem != "line"  # A baseline is no line.
        for stem in (*whole, *starts)
    )


def stems_of(concept: str) -> tuple[str, ...]:
    """Return all words and stems by which names are about something."""
    whole, starts, signs = _CONCEPTS[concept]
    return (*whole, *starts, *signs)


@lru_cache(maxsize=4096)
def is_about_nothing_else(name: str, concept: str) -> bool:
    """Whether all words of a name but numbers and single letters are about one concept."""
    words = [
        word for word in lexicon_plain_name(name).split() if not word.isdigit() and len(word) > 1
    ]
    return bool(words) and all(concept in concepts(word) for word in words)
