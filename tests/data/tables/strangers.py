# ruff: noqa
"""Tables in the shapes of strangers, about sentences that are put together: each with what must come out.

`STRANGERS` are added one after the other; what a table asks stands in `ask`.
"""

import csv as _csv
import html
import io
import json
import random
from statistics import fmean, median, stdev

import xlsxwriter

STRANGERS = []


class Stranger:
    """A file, the items and judgments that must be read of it, and of which kinds it asks."""

    def __init__(
        s,
        name,
        file,
        data,
        items=(),
        refs=None,
        judgments=None,
        scales=("MEANING", "GRAMMAR"),
        ask=(),
        ranges=None,
    ):
        s.name, s.file, s.data = name, file, data
        s.items = set(items) if items is not None else None
        s.refs = refs or {}
        s.judgments = set(judgments) if judgments is not None else None
        s.scales, s.ask, s.ranges = scales, ask, ranges
        STRANGERS.append(s)


class Lang:
    def __init__(s, code, subj, verb, obj, tail, join=" ", end="."):
        s.code, s.S, s.V, s.O, s.T, s.j, s.e = code, subj, verb, obj, tail, join, end

    def _p(s, i):
        return (
            s.S[i % len(s.S)],
            s.V[(i // 2) % len(s.V)],
            s.O[(i * 3 + i // 5) % len(s.O)],
            s.T[(i // 3) % len(s.T)],
        )

    def src(s, n):
        return [s.sent(i, 0) for i in range(n)]

    def sent(s, i, k):
        a, v, o, t = s._p(i)
        v = v[k % len(v)]
        if k == 0:
            parts = [a, v, o, t]
        elif k % 2:
            parts = [t, a, v, o]
        else:
            parts = [a, v, o, t]
        x = s.j.join(parts)
        return x[0].upper() + x[1:] + s.e

    def sys(s, n, k):
        return [s.sent(i, k) for i in range(n)]

    def phrase(s, n):
        return [s._p(i)[1][0] for i in range(n)]

    def repl(s, n, k):
        return [s._p(i)[1][k] for i in range(n)]

    def keep(s, n, k):  # same order, phrase replaced
        out = []
        for i in range(n):
            a, v, o, t = s._p(i)
            x = s.j.join([a, v[k], o, t])
            out.append(x[0].upper() + x[1:] + s.e)
        return out

    def parts(s, n):
        out = []
        for i in range(n):
            a, v, o, t = s._p(i)
            out.append((a, v[0], s.j.join([o, t]) + s.e))
        return out


EN = Lang(
    "en",
    [
        "the council",
        "her younger brother",
        "a group of miners",
        "our neighbour",
        "the research team",
    ],
    [
        ["turned down", "rejected", "refused", "said no to", "declined"],
        ["put off", "postponed", "delayed", "moved back", "deferred"],
        ["looked into", "examined", "studied", "checked", "explored"],
        ["got rid of", "removed", "threw out", "dropped", "discarded"],
    ],
    [
        "the new budget",
        "an offer from the bank",
        "the old machine",
        "every single letter",
        "a plan for the harbour",
        "the second report",
        "his theory of tides",
    ],
    ["last Tuesday", "without any warning", "after a long debate", "before the holidays"],
)
DE = Lang(
    "de",
    [
        "der Stadtrat",
        "ihr jüngerer Bruder",
        "eine Gruppe von Ärzten",
        "unsere Nachbarin",
        "das Forschungsteam",
    ],
    [
        ["lehnte rundweg ab", "verwarf", "wies zurück", "schlug aus", "verweigerte"],
        ["verschob noch einmal", "vertagte", "verzögerte", "setzte aus", "stellte zurück"],
        ["nahm genau unter die Lupe", "untersuchte", "prüfte", "betrachtete", "analysierte"],
    ],
    [
        "den neuen Haushalt",
        "ein Angebot der Bank",
        "die alte Maschine",
        "jeden einzelnen Brief",
        "einen Plan für den Hafen",
        "den zweiten Bericht",
        "seine Theorie",
    ],
    ["am letzten Dienstag", "ohne jede Warnung", "nach langer Debatte", "vor den Feiertagen"],
)
FR = Lang(
    "fr",
    [
        "le conseil",
        "son jeune frère",
        "un groupe de mineurs",
        "notre voisine",
        "l'équipe de recherche",
    ],
    [
        ["a refusé net", "a rejeté", "a décliné", "a repoussé", "n'a pas voulu"],
        ["a remis à plus tard", "a reporté", "a retardé", "a différé", "a ajourné"],
        ["a passé au crible", "a examiné", "a étudié", "a vérifié", "a analysé"],
    ],
    [
        "le nouveau budget",
        "une offre de la banque",
        "la vieille machine",
        "chaque lettre",
        "un plan pour le port",
        "le second rapport",
        "sa théorie",
    ],
    ["mardi dernier", "sans prévenir", "après un long débat", "avant les fêtes"],
)
ES = Lang(
    "es",
    [
        "el consejo",
        "su hermano menor",
        "un grupo de mineros",
        "nuestra vecina",
        "el equipo de investigación",
    ],
    [
        ["dijo que no a", "rechazó", "rehusó", "declinó", "desestimó"],
        ["dejó para más tarde", "aplazó", "retrasó", "pospuso", "difirió"],
        ["examinó a fondo", "estudió", "revisó", "analizó", "miró"],
    ],
    [
        "el nuevo presupuesto",
        "una oferta del banco",
        "la vieja máquina",
        "cada carta",
        "un plan para el puerto",
        "el segundo informe",
        "su teoría",
    ],
    ["el martes pasado", "sin avisar", "tras un largo debate", "antes de las fiestas"],
)
KO = Lang(
    "ko",
    ["시의회는", "그녀의 남동생은", "광부들은", "우리 이웃은", "연구팀은"],
    [
        ["단칼에 거절하며", "거부하며", "물리치며", "사양하며", "마다하며"],
        ["뒤로 미루며", "연기하며", "늦추며", "보류하며", "유예하며"],
        ["꼼꼼히 들여다보며", "조사하며", "검토하며", "살펴보며", "연구하며"],
    ],
    [
        "새 예산안을",
        "은행의 제안을",
        "낡은 기계를",
        "모든 편지를",
        "항구 계획을",
        "두 번째 보고서를",
        "그의 이론을",
    ],
    [
        "지난 화요일에 발표했다",
        "아무런 예고 없이 말했다",
        "오랜 토론 끝에 설명했다",
        "연휴 전에 알렸다",
    ],
)
ZH = Lang(
    "zh",
    ["市议会", "她的弟弟", "一群矿工", "我们的邻居", "研究小组"],
    [
        ["一口回绝了", "拒绝了", "驳回了", "推辞了", "否决了"],
        ["一再推迟了", "延期了", "延后了", "搁置了", "暂缓了"],
        ["仔细研究了", "调查了", "检查了", "考察了", "探讨了"],
    ],
    ["新的预算案", "银行的提议", "那台旧机器", "每一封信", "港口的计划", "第二份报告", "他的理论"],
    ["就在上个星期二", "没有任何预告", "经过长时间讨论", "在假期之前"],
    "",
    "。",
)
LANGS = dict(en=EN, de=DE, fr=FR, es=ES, ko=KO, zh=ZH)


def csv(rows, enc="utf-8", d=",", end="\r\n", pre=""):
    f = io.StringIO(newline="")
    w = _csv.writer(f, delimiter=d, lineterminator=end)
    w.writerows([["" if c is None else c for c in r] for r in rows])
    return (pre + f.getvalue()).encode(enc)


def xlsx(sheets, merges=None):
    b = io.BytesIO()
    with xlsxwriter.Workbook(b, {"in_memory": True}) as wb:
        for n, rows in sheets.items():
            s = wb.add_worksheet(n)
            for r, row in enumerate(rows):
                for c, v in enumerate(row):
                    if v is not None:
                        s.write(r, c, v) if not isinstance(v, str) else s.write_string(r, c, v)
            for m in (merges or {}).get(n, []):
                s.merge_range(*m)
    return b.getvalue()


def vals(n, seed, lo=1, hi=5):
    r = random.Random(seed)
    return [r.randint(lo, hi) for _ in range(n)]


def z(*l):
    return [list(t) for t in zip(*l)]


def I(src, sysd):
    return {(s, s, t, name) for name, ts in sysd.items() for s, t in zip(src, ts)}


def J(texts, who, scale, vs):
    return {(t, who, scale, float(v)) for t, v in zip(texts, vs) if v is not None}


def R(src, *refs):
    return {s: set(r) for s, r in zip(src, zip(*refs))}


N = 14


def num(n=N, a=1):
    return list(range(a, a + n))


def head(*h):
    return list(h)


# 1 wide english with odd system names
n = N
s = EN.src(n)
a = {
    "Pegasus": EN.sys(n, 1),
    "ChatGPT (zero-shot)": EN.sys(n, 2),
    "ChatGPT (few-shot)": EN.sys(n, 3),
    "Llama-2-7b-chat": EN.sys(n, 4),
}
Stranger("en_wide_odd", "w.csv", csv([["No.", "Source", *a], *z(num(), s, *a.values())]), I(s, a))
# 2 german wide
s = DE.src(n)
a = {"System 1": DE.sys(n, 1), "System 2": DE.sys(n, 2), "System 3": DE.sys(n, 3)}
Stranger(
    "de_wide_para",
    "w.xlsx",
    xlsx(
        {
            "Tabelle1": [
                [
                    "Nr.",
                    "Originaltext",
                    "Paraphrase System 1",
                    "Paraphrase System 2",
                    "Paraphrase System 3",
                ],
                *z(num(), s, *a.values()),
            ]
        }
    ),
    I(s, a),
)
# 3 korean long judged, 2 scales as columns
s = KO.src(n)
t = KO.sys(n, 1)
rows = []
J_ = set()
for k, w in enumerate(["김민수", "이영희", "P3"]):
    m, g = vals(n, k), vals(n, k + 9)
    rows += z(num(), s, t, ["KoBART"] * n, [w] * n, m, g)
    J_ |= J(t, w, "MEANING", m) | J(t, w, "GRAMMAR", g)
Stranger(
    "ko_long_judged",
    "설문.csv",
    csv([["번호", "원문", "생성 문장", "모델명", "평가자", "의미 유지", "문법성"], *rows], "cp949"),
    I(s, {"KoBART": t}),
    judgments=J_,
)
# 4 french long with criterion
s = FR.src(n)
ph = FR.phrase(n)
rp = FR.repl(n, 1)
rows = []
J_ = set()
for k, w in enumerate(["Claire", "Hugo"]):
    for c, sc in (("sens", "MEANING"), ("grammaire", "GRAMMAR")):
        v = vals(n, k * 3 + len(c))
        rows += z(num(), s, ph, rp, ["mBART"] * n, [w] * n, [c] * n, v)
        J_ |= J(rp, w, sc, v)
Stranger(
    "fr_long_criterion",
    "notes.csv",
    csv(
        [
            [
                "identifiant",
                "phrase source",
                "segment",
                "reformulation",
                "modèle",
                "annotateur",
                "critère",
                "note",
            ],
            *rows,
        ],
        "cp1252",
        ";",
    ),
    {(x, p, r, "mBART") for x, p, r in zip(s, ph, rp)},
    judgments=J_,
)
# 5 spanish 3 jueces promedio
s = ES.src(n)
t = ES.sys(n, 2)
V = [vals(n, k) for k in (1, 2, 3)]
Stranger(
    "es_jueces",
    "jueces.xlsx",
    xlsx(
        {
            "Hoja1": [
                [
                    "ID",
                    "Oración original",
                    "Paráfrasis generada",
                    "Juez 1",
                    "Juez 2",
                    "Juez 3",
                    "Promedio",
                    "Desv. est.",
                ],
                *[
                    [i, x, y, *v, round(fmean(v), 2), round(stdev(v), 2)]
                    for i, x, y, *v in z(num(), s, t, *V)
                ],
            ]
        }
    ),
    I(s, {None: t}),
    judgments=set().union(*(J(t, f"Juez {k + 1}", "MEANING", v) for k, v in enumerate(V))),
    scales=("MEANING",),
)
# 6 chinese gb18030
s = ZH.src(n)
t = ZH.sys(n, 2)
V = [vals(n, k) for k in (4, 5, 6)]
Stranger(
    "zh_annotators",
    "评分.csv",
    csv(
        [
            ["序号", "原句", "改写句", "标注员A", "标注员B", "标注员C", "平均分"],
            *[[i, x, y, *v, f"{fmean(v):.2f}"] for i, x, y, *v in z(num(), s, t, *V)],
        ],
        "gb18030",
    ),
    I(s, {None: t}),
    judgments=set().union(*(J(t, f"标注员{'ABC'[k]}", "MEANING", v) for k, v in enumerate(V))),
    scales=("MEANING",),
)
# 7 two heads, averages within groups
s = EN.src(n)
t = EN.sys(n, 1)
V = [vals(n, k) for k in range(6)]
h1 = ["", "", "Meaning preservation", "", "", "", "Grammaticality", "", "", ""]
h2 = ["src", "para", "A1", "A2", "A3", "avg", "A1", "A2", "A3", "avg"]
Stranger(
    "en_twoheads_avg",
    "t.csv",
    csv(
        [
            h1,
            h2,
            *[
                [x, y, *v[:3], round(fmean(v[:3]), 2), *v[3:], round(fmean(v[3:]), 2)]
                for x, y, *v in z(s, t, *V)
            ],
        ]
    ),
    I(s, {None: t}),
    judgments=set().union(
        *(J(t, f"A{k % 3 + 1}", ("MEANING", "GRAMMAR")[k // 3], v) for k, v in enumerate(V))
    ),
)
# 8 title, blank, two heads xlsx merged; notes at the end
s = DE.src(n)
a = {"T5": DE.sys(n, 1), "mT0-xxl": DE.sys(n, 2)}
Stranger(
    "de_title_twoheads",
    "d.xlsx",
    xlsx(
        {
            "Daten": [
                ["Paraphrasen-Studie 2023, Stand Mai"],
                [],
                ["lfd. Nr.", "Ausgangssatz", "Systemausgaben", None],
                [None, None, *a],
                *z(num(), s, *a.values()),
                [],
                ["Anmerkung: Pilotdaten"],
            ]
        },
        {
            "Daten": [
                (2, 0, 3, 0, "lfd. Nr."),
                (2, 1, 3, 1, "Ausgangssatz"),
                (2, 2, 2, 3, "Systemausgaben"),
            ]
        },
    ),
    I(s, a),
)
# 9 korean grid by system with two raters each
s = KO.src(n)
a = {"BART": KO.sys(n, 1), "GPT-4": KO.sys(n, 3)}
h = ["ID", "원문"]
L = [num(), s]
J_ = set()
for k, (y, t) in enumerate(a.items()):
    h += [f"{y} 출력", f"{y} 의미 평가자1", f"{y} 의미 평가자2"]
    v1, v2 = vals(n, k), vals(n, k + 5)
    L += [t, v1, v2]
    J_ |= J(t, "평가자1", "MEANING", v1) | J(t, "평가자2", "MEANING", v2)
Stranger("ko_grid", "g.csv", csv([h, *z(*L)]), I(s, a), judgments=J_)
# 10 english grid snake
s = EN.src(n)
a = {"t5": EN.sys(n, 1), "bart": EN.sys(n, 3), "gpt": EN.sys(n, 4)}
h = ["original"]
L = [s]
J_ = set()
for k, (y, t) in enumerate(a.items()):
    h.append(f"{y}_output")
    L.append(t)
    for sc in ("meaning", "grammar"):
        for r in ("r1", "r2"):
            v = vals(n, hash((k, sc, r)) % 999) if 0 else vals(n, k * 7 + len(sc) + int(r[1]))
            h.append(f"{y}_{sc}_{r}")
            L.append(v)
            J_ |= J(t, r, sc.upper(), v)
Stranger("en_grid_snake", "g.csv", csv([h, *z(*L)]), I(s, a), judgments=J_)
# 11 numbers, nobody
s = EN.src(n)
p1, p2 = EN.sys(n, 1), EN.sys(n, 2)
Stranger(
    "en_para_score_nobody",
    "x.csv",
    csv(
        [["original", "para1", "score1", "para2", "score2"], *z(s, p1, vals(n, 1), p2, vals(n, 2))]
    ),
    I(s, {"para1": p1, "para2": p2}),
    judgments=(),
    ask=("judgments",),
    scales=("MEANING",),
)
# 12 JSON keyed by system
s = EN.src(n)
a = {"t5-large": EN.sys(n, 1), "bart": EN.sys(n, 2)}
r1, r2 = EN.sys(n, 3), EN.sys(n, 4)
Stranger(
    "json_keyed",
    "h.json",
    json.dumps(
        [
            {"id": i, "source": x, "hypotheses": dict(zip(a, y)), "refs": r}
            for i, x, y, r in z(num(), s, z(*a.values()), z(r1, r2))
        ]
    ).encode(),
    I(s, a),
    R(s, r1, r2),
)
# 13 nested ratings list
s = DE.src(n)
t = DE.sys(n, 1)
rows = []
J_ = set()
for i, (x, y) in enumerate(zip(s, t)):
    rs = [
        {"annotator": w, "meaning": (i + k) % 5 + 1, "grammar": (i * 2 + k) % 5 + 1}
        for k, w in enumerate(("a1", "a2", "a3"))
        if (i + k) % 4
    ]
    rows.append({"source": x, "paraphrase": y, "system": "S1", "ratings": rs})
    J_ |= {(y, q["annotator"], "MEANING", float(q["meaning"])) for q in rs} | {
        (y, q["annotator"], "GRAMMAR", float(q["grammar"])) for q in rs
    }
Stranger(
    "json_ratings_list",
    "r.jsonl",
    "\n".join(json.dumps(o, ensure_ascii=False) for o in rows).encode(),
    I(s, {"S1": t}),
    judgments=J_,
)
# 14 ratings keyed by annotator
rows = []
J_ = set()
for i, (x, y) in enumerate(zip(s, t)):
    rs = {
        w: {"meaning": (i + k) % 5 + 1, "grammar": (i * 2 + k) % 5 + 1}
        for k, w in enumerate(("anna", "ben"))
    }
    rows.append({"source": x, "paraphrase": y, "ratings": rs})
    for w, q in rs.items():
        J_ |= {(y, w, "MEANING", float(q["meaning"])), (y, w, "GRAMMAR", float(q["grammar"]))}
Stranger("json_ratings_keyed", "r.json", json.dumps(rows).encode(), I(s, {None: t}), judgments=J_)
# 15 parallel lists
rows = []
J_ = set()
for i, (x, y) in enumerate(zip(s, t)):
    w = ["a1", "a2", "a3"]
    m = [(i + k) % 5 + 1 for k in range(3)]
    g = [(i * 3 + k) % 5 + 1 for k in range(3)]
    rows.append({"text": x, "paraphrase": y, "annotators": w, "meaning": m, "grammar": g})
    J_ |= {(y, p, "MEANING", float(q)) for p, q in zip(w, m)} | {
        (y, p, "GRAMMAR", float(q)) for p, q in zip(w, g)
    }
Stranger(
    "json_parallel",
    "p.jsonl",
    "\n".join(map(json.dumps, rows)).encode(),
    I(s, {None: t}),
    judgments=J_,
)
# 16 lists without names: ask
rows = [
    {"text": x, "paraphrase": y, "meaning": [(i + k) % 5 + 1 for k in range(3)]}
    for i, (x, y) in enumerate(zip(s, t))
]
Stranger(
    "json_scores_nobody",
    "p.jsonl",
    "\n".join(map(json.dumps, rows)).encode(),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
)
# 17 several sheets, one of data
s = FR.src(n)
a = {"mT5": FR.sys(n, 1), "GPT-3.5": FR.sys(n, 2)}
Stranger(
    "fr_sheets",
    "d.xlsx",
    xlsx(
        {
            "LISEZMOI": [["Ce fichier contient les données"], ["Contact: labo"]],
            "Données": [["n°", "phrase originale", *a], *z(num(), s, *a.values())],
            "Stats": [["modèle", "BLEU"], ["mT5", 12.3], ["GPT-3.5", 15.1]],
        }
    ),
    I(s, a),
)
# 18 a sheet for each annotator: must ask
s = EN.src(n)
t = EN.sys(n, 1)
Stranger(
    "en_sheet_each_annotator",
    "d.xlsx",
    xlsx(
        {
            w: [
                ["original", "paraphrase", "meaning", "grammar"],
                *z(s, t, vals(n, k), vals(n, k + 3)),
            ]
            for k, w in enumerate(("Anna", "Ben"))
        }
    ),
    I(s, {None: t}),
    judgments=(),
    ask=("items", "judgments"),
)
# 19 a sheet for each system
Stranger(
    "en_sheet_each_system",
    "d.xlsx",
    xlsx(
        {
            w: [["original", "paraphrase"], *z(s, EN.sys(n, k))]
            for k, w in enumerate(("T5", "BART"), 1)
        }
    ),
    I(s, {None: t}),
    ask=("items",),
)
# 19b sheets of parts
s2 = EN.src(2 * n)
Stranger(
    "en_sheets_parts",
    "d.xlsx",
    xlsx(
        {
            "train": [["original", "paraphrase"], *z(s2[:n], EN.sys(n, 1))],
            "test": [["original", "paraphrase"], *z(s2[n:], EN.sys(2 * n, 1)[n:])],
        }
    ),
    I(s2, {None: EN.sys(2 * n, 1)}),
    ask=("items",),
)
# 20 utf16 tab csv
s = ES.src(n)
t = ES.sys(n, 1)
Stranger(
    "es_utf16_tab",
    "d.csv",
    csv([["frase original", "paráfrasis", "sistema"], *z(s, t, ["MarIA"] * n)], "utf-16", "\t"),
    I(s, {"MarIA": t}),
)
# 21 cp949 ; mean row
s = KO.src(n)
t = KO.sys(n, 2)
V = [vals(n, k) for k in (1, 2)]
Stranger(
    "ko_cp949_mean",
    "d.csv",
    csv(
        [
            ["번호", "원문", "패러프레이즈", "평가자 1", "평가자 2", "평균"],
            *[[i, x, y, *v, fmean(v)] for i, x, y, *v in z(num(), s, t, *V)],
            ["합계", "", "", sum(V[0]), sum(V[1]), ""],
        ],
        "cp949",
        ";",
    ),
    I(s, {None: t}),
    judgments=set().union(*(J(t, f"평가자 {k + 1}", "MEANING", v) for k, v in enumerate(V))),
    scales=("MEANING",),
)
# 23 pandas refs
s = EN.src(n)
Stranger(
    "en_pandas_refs",
    "d.csv",
    csv(
        [
            ["Unnamed: 0", "input", "reference", "reference.1", "hyp"],
            *z(num(a=0), s, EN.sys(n, 3), EN.sys(n, 4), EN.sys(n, 1)),
        ]
    ),
    I(s, {None: EN.sys(n, 1)}),
    R(s, EN.sys(n, 3), EN.sys(n, 4)),
)
# 24 pandas multiindex
t = EN.sys(n, 1)
V = [vals(n, k) for k in range(4)]
Stranger(
    "en_pandas_multi",
    "d.csv",
    csv(
        [
            ["", "", "meaning", "meaning", "grammar", "grammar"],
            ["", "", "a1", "a2", "a1", "a2"],
            ["source", "paraphrase", "", "", "", ""],
            *z(s, t, *V),
        ]
    ),
    I(s, {None: t}),
    judgments=set().union(
        *(J(t, f"a{k % 2 + 1}", ("MEANING", "GRAMMAR")[k // 2], v) for k, v in enumerate(V))
    ),
)
# 25 yes/no
rows = []
J_ = set()
for k, w in enumerate(("w1", "w2")):
    v = vals(n, k, 0, 1)
    rows += z(s, t, [w] * n, [("no", "yes")[q] for q in v])
Stranger(
    "en_yesno",
    "d.csv(1).csv",
    csv([["sentence", "paraphrase", "worker", "answer"], *rows]),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=("MEANING",),
)
# 26 labelled numbers
rows = []
J_ = set()
W = {1: "1 - nothing", 2: "2 - little", 3: "3 - some", 4: "4 - most", 5: "5 - all"}
for k, w in enumerate(("w1", "w2")):
    v = vals(n, k)
    rows += z(s, t, [w] * n, [W[q] for q in v])
    J_ |= J(t, w, "MEANING", v)
Stranger(
    "en_labelled",
    "d.csv",
    csv([["sentence", "paraphrase", "worker", "meaning"], *rows]),
    I(s, {None: t}),
    judgments=J_,
    ask=("judgments",),
)
# 27 first names, 0-100, all different
V = [random.Random(k).sample(range(101), n) for k in range(3)]
Stranger(
    "en_names_0_100",
    "d.csv",
    csv(
        [
            ["sentence", "paraphrase", "Mina", "Jonas", "Wei", "Mean"],
            *[[x, y, *v, round(fmean(v), 1)] for x, y, *v in z(s, t, *V)],
        ]
    ),
    I(s, {None: t}),
    judgments=set().union(*(J(t, w, "MEANING", v) for w, v in zip(("Mina", "Jonas", "Wei"), V))),
    scales=("MEANING",),
)
Stranger(
    "en_names_0_100_nomean",
    "d.csv",
    csv([["sentence", "paraphrase", "Mina", "Jonas", "Wei"], *z(s, t, *V)]),
    I(s, {None: t}),
    judgments=set().union(*(J(t, w, "MEANING", v) for w, v in zip(("Mina", "Jonas", "Wei"), V))),
    scales=("MEANING",),
)
Stranger(
    "en_score_0_100_long",
    "d.csv",
    csv(
        [
            ["sentence", "paraphrase", "rater", "DA"],
            *z(s, t, ["r1"] * n, V[0]),
            *z(s, t, ["r2"] * n, V[1]),
        ]
    ),
    I(s, {None: t}),
    judgments=J(t, "r1", "MEANING", V[0]) | J(t, "r2", "MEANING", V[1]),
    scales=("MEANING",),
)
# 28 odd average names, whole by rounding
for nm, f in (
    ("Ø", lambda v: round(fmean(v), 2)),
    ("MW", lambda v: round(fmean(v), 1)),
    ("final", lambda v: round(fmean(v))),
    ("Gesamturteil", lambda v: round(fmean(v))),
    ("med", lambda v: median(v)),
    ("综合得分", lambda v: round(fmean(v), 2)),
    ("종합", lambda v: round(fmean(v))),
    ("combined", lambda v: round(fmean(v))),
    ("adj", lambda v: max(v)),
    ("σ", lambda v: round(stdev(v), 2)),
    ("Diff", lambda v: max(v) - min(v)),
    ("disagreement", lambda v: max(v) - min(v)),
    ("label", lambda v: round(fmean(v))),
    ("gold", lambda v: round(fmean(v))),
    ("R4", lambda v: round(fmean(v), 2)),
):
    V = [vals(n, k + len(nm)) for k in range(3)]
    Stranger(
        f"avg_{nm}",
        "d.csv",
        csv(
            [
                ["sentence", "paraphrase", "R1", "R2", "R3", nm],
                *[[x, y, *v, f(v)] for x, y, *v in z(s, t, *V)],
            ]
        ),
        None,
        judgments=set().union(*(J(t, f"R{k + 1}", "MEANING", v) for k, v in enumerate(V))),
        scales=("MEANING",),
    )
# 30 missing
V = [[None if (i + k) % 4 == 0 else q for i, q in enumerate(vals(n, k))] for k in range(3)]
Stranger(
    "en_missing",
    "d.csv",
    csv(
        [
            ["sentence", "paraphrase", "rater_1", "rater_2", "rater_3"],
            *[[x, y, *("NA" if q is None else q for q in v)] for x, y, *v in z(s, t, *V)],
        ]
    ),
    I(s, {None: t}),
    judgments=set().union(*(J(t, f"rater_{k + 1}", "MEANING", v) for k, v in enumerate(V))),
    scales=("MEANING",),
)
# sparse: each rater only a third
V = [[q if i % 3 == k else None for i, q in enumerate(vals(n, k))] for k in range(3)]
Stranger(
    "en_sparse",
    "d.csv",
    csv([["sentence", "paraphrase", "Annotator A", "Annotator B", "Annotator C"], *z(s, t, *V)]),
    I(s, {None: t}),
    judgments=set().union(*(J(t, f"Annotator {'ABC'[k]}", "MEANING", v) for k, v in enumerate(V))),
    scales=("MEANING",),
)
# 32 subtotals
V = [vals(n, k) for k in (3, 4)]
b = z(num(), s, t, *V)
Stranger(
    "en_subtotals",
    "d.xlsx",
    xlsx(
        {
            "S": [
                ["ID", "Sentence", "Paraphrase", "Rater 1", "Rater 2"],
                *b[:7],
                ["Subtotal", None, None, sum(V[0][:7]), sum(V[1][:7])],
                *b[7:],
                ["Mean", None, None, fmean(V[0]), fmean(V[1])],
                ["SD", None, None, 1.2, 1.1],
            ]
        }
    ),
    I(s, {None: t}),
    judgments=set().union(*(J(t, f"Rater {k + 1}", "MEANING", v) for k, v in enumerate(V))),
    scales=("MEANING",),
)
# 33 entities in german
s = DE.src(n)
t = DE.sys(n, 1)
Stranger(
    "de_entities",
    "d.csv",
    csv(
        [
            ["Satz", "Umschreibung"],
            *z(
                [
                    html.escape(x).replace("ö", "&ouml;").replace("ü", "&uuml;") + " &lt;3"
                    for x in s
                ],
                [
                    html.escape(x).replace("ö", "&ouml;").replace("ü", "&#252;") + " &lt;3"
                    for x in t
                ],
            ),
        ]
    ),
    {(x + " <3", x + " <3", y + " <3", None) for x, y in zip(s, t)},
)
# 35 source = corpus
s = EN.src(n)
t = EN.sys(n, 1)
Stranger(
    "en_source_corpus",
    "d.csv",
    csv(
        [
            ["source", "sentence", "paraphrase", "model"],
            *z([("news", "wiki")[i % 2] for i in range(n)], s, t, ["T5"] * n),
        ]
    ),
    I(s, {"T5": t}),
)
# 36 MT names
Stranger(
    "en_source_target",
    "d.tsv",
    csv(
        [["system", "source", "target"], *z(["A"] * n, s, t), *z(["B"] * n, s, EN.sys(n, 2))],
        d="\t",
    ),
    I(s, {"A": t, "B": EN.sys(n, 2)}),
)
# 37 MRPC
Stranger(
    "mrpc",
    "msr.txt",
    csv(
        [
            ["Quality", "#1 ID", "#2 ID", "#1 String", "#2 String"],
            *z(
                vals(n, 1, 0, 1),
                [702876 + i * 37 for i in range(n)],
                [702977 + i * 31 for i in range(n)],
                s,
                t,
            ),
        ],
        d="\t",
    ),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments", "items"),
)
# 38 STS
Stranger(
    "sts",
    "sts.tsv",
    csv(
        [
            ["genre", "filename", "year", "sid", "score", "sentence1", "sentence2"],
            *z(
                ["main-news"] * n,
                ["MSRpar"] * n,
                ["2012test"] * n,
                [f"{i:04d}" for i in range(n)],
                [round(random.Random(i).uniform(0, 5), 3) for i in range(n)],
                s,
                t,
            ),
        ],
        d="\t",
    ),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
)
# 39 no head
Stranger("nohead_tsv", "d.tsv", csv(z(s, t), d="\t"), I(s, {None: t}), ask=("items",))
# 40 hypothesis
Stranger(
    "en_premise",
    "d.csv",
    csv(
        [
            ["input_text", "hypothesis", "model_name"],
            *z(s, t, ["a"] * n),
            *z(s, EN.sys(n, 2), ["b"] * n),
        ]
    ),
    I(s, {"a": t, "b": EN.sys(n, 2)}),
)
# 41 preference
Stranger(
    "en_preference",
    "d.csv",
    csv(
        [
            ["source", "System A", "System B", "preferred"],
            *z(s, t, EN.sys(n, 2), ["A" if i % 3 else "B" for i in range(n)]),
        ]
    ),
    I(s, {"System A": t, "System B": EN.sys(n, 2)}),
    ask=("items",),
)
# 44 stems by scale and number
V = [vals(n, k) for k in range(6)]
Stranger(
    "en_scale_numbers",
    "d.csv",
    csv(
        [
            [
                "source",
                "paraphrase",
                *(f"{q}_{k}" for q in ("meaning", "grammar") for k in (1, 2, 3)),
            ],
            *z(s, t, *V),
        ]
    ),
    I(s, {None: t}),
    judgments=set().union(
        *(J(t, str(k % 3 + 1), ("MEANING", "GRAMMAR")[k // 3], v) for k, v in enumerate(V))
    ),
)
# 45 abbreviations: ask
Stranger(
    "en_abbrev",
    "d.csv",
    csv([["source", "paraphrase", "A1_M", "A1_G", "A2_M", "A2_G"], *z(s, t, *V[:4])]),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
)
# 47 Score (Anna)
Stranger(
    "en_score_brackets",
    "d.csv",
    csv([["source", "paraphrase", "Score (Anna)", "Score (Ben)"], *z(s, t, *V[:2])]),
    I(s, {None: t}),
    judgments=J(t, "Anna", "MEANING", V[0]) | J(t, "Ben", "MEANING", V[1]),
    scales=("MEANING",),
)
# 48 korean annotator_scale
s = KO.src(n)
t = KO.sys(n, 1)
Stranger(
    "ko_person_scale",
    "d.csv",
    csv(
        [
            ["원문", "바꿔쓰기", "평가자1_의미", "평가자1_문법", "평가자2_의미", "평가자2_문법"],
            *z(s, t, *V[:4]),
        ]
    ),
    I(s, {None: t}),
    judgments=J(t, "평가자1", "MEANING", V[0])
    | J(t, "평가자1", "GRAMMAR", V[1])
    | J(t, "평가자2", "MEANING", V[2])
    | J(t, "평가자2", "GRAMMAR", V[3]),
)
# 49 german with Ø per scale
s = DE.src(n)
t = DE.sys(n, 1)
Stranger(
    "de_scale_avg",
    "d.csv",
    csv(
        [
            [
                "Original",
                "Umformulierung",
                "Bedeutung A",
                "Bedeutung B",
                "Bedeutung Ø",
                "Grammatik A",
                "Grammatik B",
                "Grammatik Ø",
            ],
            *[
                [
                    x,
                    y,
                    m1,
                    m2,
                    str(fmean((m1, m2))).replace(".", ","),
                    g1,
                    g2,
                    str(fmean((g1, g2))).replace(".", ","),
                ]
                for x, y, m1, m2, g1, g2 in z(s, t, *V[:4])
            ],
        ],
        d=";",
    ),
    I(s, {None: t}),
    judgments=J(t, "A", "MEANING", V[0])
    | J(t, "B", "MEANING", V[1])
    | J(t, "A", "GRAMMAR", V[2])
    | J(t, "B", "GRAMMAR", V[3]),
)
# 50 human rows among systems
s = EN.src(n)
Stranger(
    "en_human_rows",
    "d.csv",
    csv(
        [
            ["source", "system", "output"],
            *[
                r
                for k, y in enumerate(("T5", "human", "BART"), 1)
                for r in z(s, [y] * n, EN.sys(n, k))
            ],
        ]
    ),
    I(s, {y: EN.sys(n, k) for k, y in enumerate(("T5", "human", "BART"), 1)}),
)
Stranger(
    "en_reference_rows",
    "d.csv",
    csv(
        [
            ["source", "system", "output"],
            *[
                r
                for k, y in enumerate(("T5", "reference", "BART"), 1)
                for r in z(s, [y] * n, EN.sys(n, k))
            ],
        ]
    ),
    I(s, {}),
    ask=("items",),
)
# 54 long types: source in rows
rows = []
for i in range(n):
    rows += [[i, "original", s[i]], [i, "BART", EN.sent(i, 1)], [i, "T5", EN.sent(i, 2)]]
Stranger(
    "en_rows_types",
    "d.csv",
    csv([["id", "type", "text"], *rows]),
    I(s, {"BART": EN.sys(n, 1), "T5": EN.sys(n, 2)}),
    ask=("items",),
)
# 56 keyed by id
a = {"bart": EN.sys(n, 1), "t5": EN.sys(n, 2)}
Stranger(
    "json_by_id",
    "d.json",
    json.dumps(
        {f"q{i}": {"source": s[i], "outputs": {y: x[i] for y, x in a.items()}} for i in range(n)}
    ).encode(),
    I(s, a),
)
# 57 annotations list under user with target
rows = []
J_ = set()
t = EN.sys(n, 1)
for i in range(n):
    q = [
        {"user": u, "rating": (i + k) % 5 + 1, "time": f"2024-03-0{k + 1}T10:00:00"}
        for k, u in enumerate(("u7", "u9"))
    ]
    rows.append({"text": {"source": s[i], "target": t[i]}, "annotations": q})
    J_ |= {(t[i], x["user"], "MEANING", float(x["rating"])) for x in q}
Stranger(
    "json_annotations_user",
    "d.json",
    json.dumps(rows).encode(),
    I(s, {None: t}),
    judgments=J_,
    scales=("MEANING",),
)
# 59 4/5
rows = []
J_ = set()
for k, w in enumerate(("Ana", "Luis")):
    v = vals(n, k)
    rows += z(ES.src(n), ES.sys(n, 1), [w] * n, [f"{q}/5" for q in v])
    J_ |= J(ES.sys(n, 1), w, "MEANING", v)
Stranger(
    "es_slash5",
    "d.csv",
    csv([["oración", "paráfrasis", "evaluador", "puntuación"], *rows]),
    I(ES.src(n), {None: ES.sys(n, 1)}),
    judgments=J_,
    ask=("judgments",),
    scales=("MEANING",),
)
# 62 confidence columns
V = [vals(n, k) for k in range(4)]
Stranger(
    "en_confidence",
    "d.csv",
    csv([["source", "paraphrase", "R1", "R1 confidence", "R2", "R2 confidence"], *z(s, t, *V)]),
    I(s, {None: t}),
    judgments=J(t, "R1", "MEANING", V[0]) | J(t, "R2", "MEANING", V[2]),
    scales=("MEANING",),
)
# 63 metrics beside wide
a = {"T5": EN.sys(n, 1), "BART": EN.sys(n, 2)}
Stranger(
    "en_metrics",
    "d.csv",
    csv(
        [
            ["src", "T5", "T5 BLEU", "BART", "BART BLEU", "len_src"],
            *z(
                s,
                a["T5"],
                [round(0.1 * i, 3) for i in range(n)],
                a["BART"],
                [round(0.07 * i, 3) for i in range(n)],
                [len(x) for x in s],
            ),
        ]
    ),
    I(s, a),
)
# 65 reversed + korean
s = KO.src(n)
t = KO.sys(n, 1)
Stranger(
    "ko_pair",
    "d.csv",
    csv([["문장1", "문장2", "점수1", "점수2"], *z(s, t, *V[:2])]),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=("MEANING",),
)
# 69 sep=;
s = FR.src(n)
t = FR.sys(n, 1)
Stranger(
    "fr_sep",
    "d.csv",
    csv(
        [["Phrase", "Paraphrase", "Système"], *z(s, t, ["T5"] * n)],
        "utf-8-sig",
        ";",
        pre="sep=;\r\n",
    ),
    I(s, {"T5": t}),
)
# 71 metadata before the head
Stranger(
    "fr_meta",
    "d.csv",
    csv(
        [
            ["Projet", "Paraphrases 2022"],
            ["Date", "2022-05-01"],
            [],
            ["id", "texte original", "texte reformulé"],
            *z(num(), s, t),
        ],
        d=";",
    ),
    I(s, {None: t}),
)
Stranger(
    "en_comments",
    "d.csv",
    b"# exported 2024-01-01\n# by lab\n"
    + csv([["id", "source", "paraphrase"], *z(num(), EN.src(n), EN.sys(n, 1))]),
    I(EN.src(n), {None: EN.sys(n, 1)}),
)
# 75 refs and systems
s = EN.src(n)
Stranger(
    "en_sys_refs",
    "d.csv",
    csv(
        [
            ["Sentence", "Ref 1", "Ref 2", "Ref 3", "Sys A", "Sys B"],
            *z(s, EN.keep(n, 1), EN.keep(n, 2), EN.keep(n, 3), EN.sys(n, 1), EN.sys(n, 2)),
        ]
    ),
    I(s, {"Sys A": EN.sys(n, 1), "Sys B": EN.sys(n, 2)}),
    R(s, EN.keep(n, 1), EN.keep(n, 2), EN.keep(n, 3)),
)
Stranger(
    "en_gold_output",
    "d.csv",
    csv([["Input", "Gold", "Output"], *z(s, EN.keep(n, 1), EN.sys(n, 2))]),
    I(s, {None: EN.sys(n, 2)}),
    R(s, EN.keep(n, 1)),
)
# 78 python list refs
Stranger(
    "en_pylist_refs",
    "d.csv",
    csv(
        [
            ["source", "references", "prediction"],
            *z(s, [str(list(x)) for x in zip(EN.keep(n, 1), EN.keep(n, 2))], EN.sys(n, 1)),
        ]
    ),
    I(s, {None: EN.sys(n, 1)}),
    R(s, EN.keep(n, 1), EN.keep(n, 2)),
)
Stranger(
    "en_jsonlist_refs_csv",
    "d.csv",
    csv(
        [
            ["source", "references", "prediction"],
            *z(s, [json.dumps(list(x)) for x in zip(EN.keep(n, 1), EN.keep(n, 2))], EN.sys(n, 1)),
        ]
    ),
    I(s, {None: EN.sys(n, 1)}),
    R(s, EN.keep(n, 1), EN.keep(n, 2)),
)
Stranger(
    "en_pydict_csv",
    "d.csv",
    csv(
        [
            ["source", "outputs"],
            *z(s, [str(dict(T5=x, BART=y)) for x, y in zip(EN.sys(n, 1), EN.sys(n, 2))]),
        ]
    ),
    I(s, a),
)
Stranger(
    "en_numpy_refs",
    "d.csv",
    csv(
        [
            ["source", "references", "prediction"],
            *z(
                s,
                [
                    "[" + "\n ".join(repr(q) for q in x) + "]"
                    for x in zip(EN.keep(n, 1), EN.keep(n, 2))
                ],
                EN.sys(n, 1),
            ),
        ]
    ),
    I(s, {None: EN.sys(n, 1)}),
    R(s, EN.keep(n, 1), EN.keep(n, 2)),
)
# 80 chinese two heads
s = ZH.src(n)
a = {"BART": ZH.sys(n, 1), "ChatGLM": ZH.sys(n, 2), "人工": ZH.sys(n, 3)}
Stranger(
    "zh_twoheads",
    "d.xlsx",
    xlsx(
        {
            "Sheet1": [
                ["编号", "原文", "模型输出", None, "参考"],
                [None, None, "BART", "ChatGLM", "人工"],
                *z(num(), s, *a.values()),
            ]
        },
        {"Sheet1": [(0, 2, 0, 3, "模型输出")]},
    ),
    I(s, {k: a[k] for k in ("BART", "ChatGLM")}),
    R(s, a["人工"]),
)
# fill down spanish with rank
s = ES.src(n)
rows = []
for i in range(n):
    for k, y in enumerate(("GPT", "T5", "Humano")):
        rows.append([i + 1 if not k else None, s[i] if not k else None, y, ES.sent(i, k + 1)])
Stranger(
    "es_filldown",
    "d.xlsx",
    xlsx({"H": [["N.º", "Frase", "Modelo", "Salida"], *rows]}),
    I(s, {y: ES.sys(n, k + 1) for k, y in enumerate(("GPT", "T5", "Humano"))}),
)
# marked guillemets
s = FR.parts(n)
r = FR.repl(n, 1)
Stranger(
    "fr_marked_b",
    "d.csv",
    csv(
        [
            ["phrase", "remplacement", "modèle"],
            *z([f"{a} <strong>{b}</strong> {c}" for a, b, c in s], r, ["X1"] * n),
        ],
        d=";",
    ),
    {(f"{a} {b} {c}", b, q, "X1") for (a, b, c), q in zip(s, r)},
)
# phrase with paraphrase of phrase; wide systems
s = DE.src(n)
ph = DE.phrase(n)
Stranger(
    "de_phrase_wide",
    "d.csv",
    csv(
        [
            ["Satz", "Ausdruck", "GPT-4", "LLaMA", "Mistral 7B"],
            *z(s, ph, DE.repl(n, 1), DE.repl(n, 2), DE.repl(n, 3)),
        ]
    ),
    {
        (x, p, q, y)
        for k, y in enumerate(("GPT-4", "LLaMA", "Mistral 7B"), 1)
        for x, p, q in zip(s, ph, DE.repl(n, k))
    },
)
# kwic spanish
s = ES.parts(n)
Stranger(
    "es_kwic",
    "d.csv",
    csv(
        [
            ["contexto izquierdo", "nodo", "contexto derecho", "sustitución"],
            *[[a, b, c, q] for (a, b, c), q in zip(s, ES.repl(n, 1))],
        ]
    ),
    {(f"{a[0].lower() + a[1:]} {b} {c}", b, q, None) for (a, b, c), q in zip(s, ES.repl(n, 1))},
)
# long: annotator names as 'user', timestamp, trial id, wide two scales, reasons
s = EN.src(n)
t = EN.sys(n, 1)
rows = []
J_ = set()
for k, u in enumerate(("5f3a9c1b2d", "61bb02ce9a", "5d9e77aa01")):
    m, g = vals(n, k), vals(n, k + 4)
    rows += [
        [
            f"{u}-{i}",
            u,
            f"2024-02-0{k + 1} 10:{i:02d}:00",
            s[i],
            t[i],
            m[i],
            g[i],
            round(3.1 + i * 0.7, 2),
            "ok" if i == 3 else "",
        ]
        for i in range(n)
    ]
    J_ |= J(t, u, "MEANING", m) | J(t, u, "GRAMMAR", g)
Stranger(
    "en_prolific",
    "d.csv",
    csv(
        [
            [
                "trial_id",
                "prolific_pid",
                "timestamp",
                "source",
                "paraphrase",
                "meaning_score",
                "grammar_score",
                "rt",
                "comments",
            ],
            *rows,
        ]
    ),
    I(s, {None: t}),
    judgments=J_,
)
# german: annotator in column head as "Annotator: Anna"
Stranger(
    "de_colon",
    "d.csv",
    csv(
        [
            ["Satz", "Paraphrase", "Annotator: Anna", "Annotator: Bert", "Durchschnitt"],
            *[[x, y, a, b, (a + b) / 2] for x, y, a, b in z(DE.src(n), DE.sys(n, 1), *V[:2])],
        ]
    ),
    I(DE.src(n), {None: DE.sys(n, 1)}),
    judgments=None,
)
# system column called "label"/"version"
Stranger(
    "en_version",
    "d.csv",
    csv(
        [
            ["text", "version", "rewrite"],
            *[r for k, y in enumerate(("v1", "v2"), 1) for r in z(s, [y] * n, EN.sys(n, k))],
        ]
    ),
    I(s, {"v1": EN.sys(n, 1), "v2": EN.sys(n, 2)}),
    ask=("items",),
)
# annotator x system long, value columns of three scales with one beyond
Stranger(
    "en_three_scales",
    "d.csv",
    csv(
        [
            ["source", "output", "model", "annotator", "meaning", "grammar", "creativity"],
            *z(s, t, ["T5"] * n, ["a"] * n, *V[:3]),
        ]
    ),
    I(s, {"T5": t}),
    judgments=(),
    ask=("judgments",),
)
# no sentence, just pairs with id and systems long korean tab in csv
s = KO.src(n)
Stranger(
    "ko_tab_csv",
    "d.csv",
    csv(
        [
            ["문항 번호", "원문", "시스템", "결과"],
            *[r for k, y in enumerate(("A", "B"), 1) for r in z(num(), s, [y] * n, KO.sys(n, k))],
        ],
        "utf-8-sig",
        "\t",
    ),
    I(s, {"A": KO.sys(n, 1), "B": KO.sys(n, 2)}),
)
# two originals? 'original' and 'normalized'
s = EN.src(n)
Stranger(
    "en_cleaned",
    "d.csv",
    csv(
        [
            ["raw_text", "clean_text", "paraphrase"],
            *z([x + "  " for x in s], [x.lower() for x in s], t),
        ]
    ),
    (),
    ask=("items",),
)
# back-translation pivot column
Stranger(
    "en_pivot",
    "d.csv",
    csv([["source", "pivot_de", "backtranslation"], *z(s, DE.src(n), t)]),
    I(s, {None: t}),
    ask=("items",),
)
# half-point scale with decimals comma
s = DE.src(n)
t = DE.sys(n, 1)
V = [[q / 2 + 0.5 for q in vals(n, k, 1, 9)] for k in (1, 2)]
Stranger(
    "de_halfpoints",
    "d.csv",
    csv(
        [
            ["Satz", "Paraphrase", "Gutachter 1", "Gutachter 2"],
            *[
                [x, y, str(a).replace(".", ","), str(b).replace(".", ",")]
                for x, y, a, b in z(s, t, *V)
            ],
        ],
        d=";",
    ),
    I(s, {None: t}),
    judgments=J(t, "Gutachter 1", "MEANING", V[0]) | J(t, "Gutachter 2", "MEANING", V[1]),
    scales=("MEANING",),
)

n = 12
s = EN.src(n)
t = EN.sys(n, 1)
t2 = EN.sys(n, 2)
t3 = EN.sys(n, 3)


def people(t, names, V, scale="MEANING"):
    return set().union(*(J(t, w, scale, v) for w, v in zip(names, V)))


V = [vals(n, k) for k in range(8)]
# names as words in headings of questions
Stranger(
    "q_long_heads",
    "d.xlsx",
    xlsx(
        {
            "Rating": [
                [
                    "Sentence ID",
                    "Original Sentence (English)",
                    "Machine Paraphrase",
                    "How well is the meaning preserved? (1-5)",
                    "Is it grammatical? (1-5)",
                    "Name of rater",
                ],
                *[
                    [i, a, b, m, g, w]
                    for k, w in enumerate(("Sophie", "Tom"))
                    for i, a, b, m, g in z(num(n), s, t, V[k], V[k + 2])
                ],
            ]
        }
    ),
    I(s, {None: t}),
    judgments=people(t, ("Sophie", "Tom"), V[:2]) | people(t, ("Sophie", "Tom"), V[2:4], "GRAMMAR"),
)
# german question heads
sd, td = DE.src(n), DE.sys(n, 1)
Stranger(
    "q_de_heads",
    "Bewertung.csv",
    csv(
        [
            [
                "Nr",
                "Ausgangstext",
                "Umschreibung",
                "Kürzel",
                "Bedeutungserhalt (1–5)",
                "Grammatikalität (1–5)",
                "Bemerkung",
            ],
            *[
                [i, a, b, w, m, g, "unklar" if i == 3 else ""]
                for k, w in enumerate(("KM", "TS"))
                for i, a, b, m, g in z(num(n), sd, td, V[k], V[k + 2])
            ],
        ],
        "cp1252",
        ";",
    ),
    I(sd, {None: td}),
    judgments=people(td, ("KM", "TS"), V[:2]) | people(td, ("KM", "TS"), V[2:4], "GRAMMAR"),
)
# wide systems x raters two heads: group = system, sub = raters, with text col
rows = [
    ["", "", "BART", "", "", "T5", "", ""],
    ["id", "source", "text", "r1", "r2", "text", "r1", "r2"],
    *z(num(n), s, t, V[0], V[1], t2, V[2], V[3]),
]
Stranger(
    "sys_group_raters",
    "d.csv",
    csv(rows),
    I(s, {"BART": t, "T5": t2}),
    judgments=people(t, ("r1", "r2"), V[:2]) | people(t2, ("r1", "r2"), V[2:4]),
    scales=("MEANING",),
)
# three heads: system > scale > rater
h1 = ["", "", "BART", "", "", "", "", "T5", "", "", "", ""]
h2 = ["", "", "output", "meaning", "", "grammar", "", "output", "meaning", "", "grammar", ""]
h3 = ["id", "source", "", "A", "B", "A", "B", "", "A", "B", "A", "B"]
Stranger(
    "three_level",
    "d.xlsx",
    xlsx(
        {
            "S": [
                [c or None for c in h1],
                [c or None for c in h2],
                [c or None for c in h3],
                *z(num(n), s, t, *V[:4], t2, *V[4:8]),
            ]
        }
    ),
    I(s, {"BART": t, "T5": t2}),
    judgments=people(t, "AB", V[:2])
    | people(t, "AB", V[2:4], "GRAMMAR")
    | people(t2, "AB", V[4:6])
    | people(t2, "AB", V[6:8], "GRAMMAR"),
)
# judgments in separate rows per scale with 'criteria' names in Chinese
sz, tz = ZH.src(n), ZH.sys(n, 1)
Stranger(
    "zh_long_scale",
    "评测.xlsx",
    xlsx(
        {
            "评测": [
                ["编号", "原句", "改写", "模型", "评价者", "指标", "分数"],
                *[
                    [i, a, b, "文心", w, c, v]
                    for k, w in enumerate(("张三", "李四"))
                    for c, q in (("语义", V[k]), ("语法", V[k + 2]))
                    for i, a, b, v in z(num(n), sz, tz, q)
                ],
            ]
        }
    ),
    I(sz, {"文心": tz}),
    judgments=people(tz, ("张三", "李四"), V[:2]) | people(tz, ("张三", "李四"), V[2:4], "GRAMMAR"),
)
# korean wide persons with mean and std and n
sk, tk = KO.src(n), KO.sys(n, 1)
Stranger(
    "ko_people_stats",
    "d.xlsx",
    xlsx(
        {
            "시트1": [
                [
                    "순번",
                    "원문",
                    "의역문",
                    "김민수",
                    "이영희",
                    "박철수",
                    "평균",
                    "표준편차",
                    "응답수",
                ],
                *[
                    [i, a, b, *v, round(fmean(v), 2), round(stdev(v), 2), 3]
                    for i, a, b, *v in z(num(n), sk, tk, *V[:3])
                ],
                ["평균", None, None, *[round(fmean(v), 2) for v in V[:3]], None, None, None],
            ]
        }
    ),
    I(sk, {None: tk}),
    judgments=people(tk, ("김민수", "이영희", "박철수"), V[:3]),
    scales=("MEANING",),
)
# spanish: two scales as groups each with evaluador 1..2 and total
se, te = ES.src(n), ES.sys(n, 1)
Stranger(
    "es_groups",
    "d.csv",
    csv(
        [
            ["", "", "Significado", "", "Gramática", ""],
            ["oración", "paráfrasis", "evaluador 1", "evaluador 2", "evaluador 1", "evaluador 2"],
            *z(se, te, *V[:4]),
        ],
        d=";",
    ),
    I(se, {None: te}),
    judgments=people(te, ("evaluador 1", "evaluador 2"), V[:2])
    | people(te, ("evaluador 1", "evaluador 2"), V[2:4], "GRAMMAR"),
)
# french with 0 for 'ne peut juger' column unaffected (0-100 sliders)
sf, tf = FR.src(n), FR.sys(n, 1)
S = [vals(n, k, 0, 100) for k in (1, 2)]
Stranger(
    "fr_slider",
    "d.csv",
    csv(
        [
            ["phrase originale", "reformulation", "annotateur", "similarité de sens"],
            *[[a, b, w, v] for k, w in enumerate(("Luc", "Marie")) for a, b, v in z(sf, tf, S[k])],
        ],
        d=";",
    ),
    I(sf, {None: tf}),
    judgments=people(tf, ("Luc", "Marie"), S),
    scales=("MEANING",),
)
# 0-100 into a campaign with 1-5: ask
Stranger(
    "range_mismatch",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "rater", "meaning"],
            *[[a, b, w, v] for k, w in enumerate(("Luc", "Marie")) for a, b, v in z(s, t, S[k])],
        ]
    ),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    ranges={"MEANING": (1, 5), "GRAMMAR": (1, 5)},
)
# -2..2
W = [[v - 3 for v in q] for q in V[:2]]
Stranger(
    "minus2",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "rater", "meaning"],
            *[[a, b, w, v] for k, w in enumerate(("Luc", "Marie")) for a, b, v in z(s, t, W[k])],
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, ("Luc", "Marie"), W),
    scales=("MEANING",),
)
# boolean gold etc
Stranger(
    "sep_by_system_cols",
    "d.csv",
    csv([["source", "t5", "t5_human", "bart", "bart_human"], *z(s, t, V[0], t2, V[1])]),
    I(s, {"t5": t, "bart": t2}),
    judgments=(),
    ask=("judgments",),
    scales=("MEANING",),
)
# long judged with ratings mean per system rows at bottom (summary table below)
Stranger(
    "summary_below",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "system", "annotator", "meaning"],
            *[[a, b, "T5", w, v] for k, w in enumerate(("x1", "x2")) for a, b, v in z(s, t, V[k])],
            ["", "", "", "", ""],
            ["System", "Mean", "", "", ""],
            ["T5", "3.2", "", "", ""],
        ]
    ),
    I(s, {"T5": t}),
    judgments=people(t, ("x1", "x2"), V[:2]),
    scales=("MEANING",),
    ask=("items", "judgments"),
)
# annotators as rows in wide transposed
Stranger(
    "transposed",
    "d.csv",
    csv([["", "s1", "s2", "s3"], ["source", *s[:3]], ["T5", *t[:3]], ["BART", *t2[:3]]]),
    I(s[:3], {"T5": t[:3], "BART": t2[:3]}),
    ask=("items",),
)
# text_a text_b
Stranger(
    "text_ab",
    "d.csv",
    csv(
        [
            ["pair_id", "text_a", "text_b", "annotator_id", "similarity"],
            *[
                [i, a, b, w, v]
                for k, w in enumerate((11, 12))
                for i, a, b, v in z(num(n), s, t, V[k])
            ],
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, ("11", "12"), V[:2], "SIMILARITY"),
    scales=("SIMILARITY",),
)
Stranger(
    "text_12",
    "d.csv",
    csv(
        [
            ["pair_id", "Text 1", "Text 2", "User", "Rating"],
            *[
                [i, a, b, w, v]
                for k, w in enumerate(("u11", "u12"))
                for i, a, b, v in z(num(n), s, t, V[k])
            ],
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, ("u11", "u12"), V[:2]),
    scales=("MEANING",),
)
# numeric annotator ids 101..103 in a column "annotator"; and batch/hit/condition
Stranger(
    "num_annotators",
    "d.csv",
    csv(
        [
            ["item", "source", "paraphrase", "condition", "annotator", "batch", "meaning"],
            *[
                [i, a, b, "greedy", w, k + 1, v]
                for k, w in enumerate((101, 102))
                for i, a, b, v in z(num(n), s, t, V[k])
            ],
        ]
    ),
    I(s, {"greedy": t}),
    judgments=people(t, ("101", "102"), V[:2]),
    scales=("MEANING",),
)
# duplicates: same annotator rated twice (session 1,2)
Stranger(
    "sessions",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "annotator", "session", "meaning"],
            *[[a, b, "A", k + 1, v] for k in range(2) for a, b, v in z(s, t, V[k])],
        ]
    ),
    I(s, {None: t}),
    judgments=J(t, "A", "MEANING", V[0]) | J(t, "A", "MEANING", V[1]),
    scales=("MEANING",),
)
# ranking per system columns (rank 1..3)
Stranger(
    "ranks",
    "d.csv",
    csv(
        [
            ["source", "A", "B", "C", "rank_A", "rank_B", "rank_C", "annotator"],
            *[[a, b, c, d, 1, 2, 3, "x"] for a, b, c, d in z(s, t, t2, t3)],
        ]
    ),
    I(s, {"A": t, "B": t2, "C": t3}),
    judgments=(),
    ask=("judgments",),
)
# html table style, xlsx with percent
Stranger(
    "percent",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "judge", "meaning"],
            *[
                [a, b, w, f"{v * 20}%"]
                for k, w in enumerate(("Luc", "Marie"))
                for a, b, v in z(s, t, V[k])
            ],
        ]
    ),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=("MEANING",),
)
# numbers as text with comma in french
H = [[q / 2 + 1 for q in vals(n, k, 0, 8)] for k in (3, 4)]
Stranger(
    "fr_virgule",
    "d.xlsx",
    xlsx(
        {
            "F": [
                ["phrase", "paraphrase", "juge 1", "juge 2", "moyenne"],
                *[
                    [
                        a,
                        b,
                        str(x).replace(".", ","),
                        str(y).replace(".", ","),
                        str((x + y) / 2).replace(".", ","),
                    ]
                    for a, b, x, y in z(sf, tf, *H)
                ],
            ]
        }
    ),
    I(sf, {None: tf}),
    judgments=people(tf, ("juge 1", "juge 2"), H),
    scales=("MEANING",),
)
# unnamed columns with index, several references numbered no space
Stranger(
    "ref123",
    "d.tsv",
    csv(
        [
            ["", "src", "ref1", "ref2", "sys1", "sys2"],
            *z(num(n), s, EN.keep(n, 1), EN.keep(n, 2), t, t2),
        ],
        d="\t",
    ),
    I(s, {"sys1": t, "sys2": t2}),
    R(s, EN.keep(n, 1), EN.keep(n, 2)),
)
Stranger(
    "target_gold",
    "d.jsonl",
    "\n".join(
        json.dumps({"source": a, "target": b, "generated": c}) for a, b, c in z(s, EN.keep(n, 1), t)
    ).encode(),
    I(s, {None: t}),
    R(s, EN.keep(n, 1)),
    ask=("items",),
)
Stranger(
    "preds",
    "d.jsonl",
    "\n".join(
        json.dumps({"src": a, "tgt": b, "pred": c, "bleu": 0.3})
        for a, b, c in z(s, EN.keep(n, 1), t)
    ).encode(),
    I(s, {None: t}),
    R(s, EN.keep(n, 1)),
    ask=("items",),
)
# prompt/completion
Stranger(
    "prompt",
    "d.jsonl",
    "\n".join(
        json.dumps({"prompt": f"Paraphrase: {a}", "completion": b, "model": "gpt-4o"})
        for a, b in z(s, t)
    ).encode(),
    I(s, {"gpt-4o": t}),
    ask=("items",),
)
# input/instruction/output alpaca
Stranger(
    "alpaca",
    "d.json",
    json.dumps(
        [{"instruction": "Paraphrase the sentence.", "input": a, "output": b} for a, b in z(s, t)]
    ).encode(),
    I(s, {None: t}),
)
# chat messages
Stranger(
    "chat",
    "d.jsonl",
    "\n".join(
        json.dumps(
            {"messages": [{"role": "user", "content": a}, {"role": "assistant", "content": b}]}
        )
        for a, b in z(s, t)
    ).encode(),
    I(s, {None: t}),
    ask=("items",),
)
# outputs as list of objects with model & text & scores by rater
rows = [
    {
        "id": i,
        "original": a,
        "systems": [
            {"name": "T5", "output": b, "ratings": {"r1": v, "r2": w}},
            {"name": "BART", "output": c, "ratings": {"r1": x, "r2": y}},
        ],
    }
    for i, a, b, v, w, c, x, y in z(num(n), s, t, V[0], V[1], t2, V[2], V[3])
]
Stranger(
    "json_systems_list_ratings",
    "d.json",
    json.dumps(rows).encode(),
    I(s, {"T5": t, "BART": t2}),
    judgments=people(t, ("r1", "r2"), V[:2]) | people(t2, ("r1", "r2"), V[2:4]),
    scales=("MEANING",),
)
# keyed by system each {text, score}
rows = [
    {
        "id": i,
        "original": a,
        "systems": {"T5": {"text": b, "meaning": v}, "BART": {"text": c, "meaning": x}},
    }
    for i, a, b, v, c, x in z(num(n), s, t, V[0], t2, V[2])
]
Stranger(
    "json_systems_keyed_text",
    "d.json",
    json.dumps(rows).encode(),
    I(s, {"T5": t, "BART": t2}),
    judgments=(),
    ask=("judgments",),
)
# columns oriented JSON
Stranger(
    "json_columns",
    "d.json",
    json.dumps({"source": s, "paraphrase": t, "model": ["a"] * n}).encode(),
    I(s, {"a": t}),
)
Stranger(
    "json_split",
    "d.json",
    json.dumps(
        {"columns": ["source", "paraphrase"], "index": list(range(n)), "data": z(s, t)}
    ).encode(),
    I(s, {None: t}),
)
Stranger(
    "json_wrapped",
    "d.json",
    json.dumps(
        {"version": "1.0", "data": [{"source": a, "paraphrase": b} for a, b in z(s, t)]}
    ).encode(),
    I(s, {None: t}),
)
# squad-like nesting
Stranger(
    "json_deep",
    "d.json",
    json.dumps(
        {
            "data": [
                {
                    "title": "x",
                    "pairs": [
                        {"original": a, "paraphrase": b} for a, b in z(s[k : k + 4], t[k : k + 4])
                    ],
                }
                for k in (0, 4, 8)
            ]
        }
    ).encode(),
    I(s, {None: t}),
)
# xlsx: head in row 5 with logo, notes columns to the right, legend
Stranger(
    "legend_right",
    "d.xlsx",
    xlsx(
        {
            "S": [
                ["Study 4"],
                [],
                ["Source", "Paraphrase", "Rater 1", "Rater 2", None, "Legend"],
                *[
                    [*r, None, leg]
                    for r, leg in zip(z(s, t, V[0], V[1]), ["1 = bad", "5 = good"] + [None] * 10)
                ],
            ]
        }
    ),
    I(s, {None: t}),
    judgments=people(t, ("Rater 1", "Rater 2"), V[:2]),
    scales=("MEANING",),
)
# hidden empty cols, trailing unnamed col with numbers
Stranger(
    "unnamed_number",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "Rater 1", "Rater 2", ""],
            *[[a, b, x, y, round((x + y) / 2, 1)] for a, b, x, y in z(s, t, V[0], V[1])],
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, ("Rater 1", "Rater 2"), V[:2]),
    scales=("MEANING",),
)
# weighted mean? trimmed; last col 'score' real not computed
Stranger(
    "r12_score",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "R1", "R2", "score"],
            *[
                [a, b, x, y, q]
                for a, b, x, y, q in z(
                    s, t, V[0], V[1], [round(random.Random(i).uniform(1, 5), 3) for i in range(n)]
                )
            ],
        ]
    ),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=("MEANING",),
)
# 2 raters + max-normalised z-scores
# adjudicated column
Stranger(
    "adjudicated",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "ann1", "ann2", "adjudicated"],
            *[[a, b, x, y, min(x, y)] for a, b, x, y in z(s, t, V[0], V[1])],
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, ("ann1", "ann2"), V[:2]),
    scales=("MEANING",),
)
# phrase start/end offsets
ph = EN.phrase(n)
Stranger(
    "offsets",
    "d.csv",
    csv(
        [
            ["sentence", "start", "end", "substitute", "rank"],
            *[[a, a.index(p), a.index(p) + len(p), q, 1] for a, p, q in z(s, ph, EN.repl(n, 1))],
        ]
    ),
    {(a, p, q, None) for a, p, q in z(s, ph, EN.repl(n, 1))},
)
# SemEval lexsub: "word.pos :: id :: sub 3;sub 2" ... ask
Stranger(
    "lexsub_gold",
    "gold.txt",
    (
        "\n".join(f"turn.v {i} :: {'reject 3;refuse 2;decline 1;'}" for i in range(1, n)) + "\n"
    ).encode(),
    (),
    ask=("items",),
)
# paraphrase pairs with bar
Stranger(
    "bars",
    "ppdb.txt",
    ("\n".join(f"{a} ||| {b} ||| 0.{i}" for i, (a, b) in enumerate(z(s, t))) + "\n").encode(),
    I(s, {None: t}),
    ask=("items",),
)
# control column and attention checks
Stranger(
    "attention",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "system", "annotator", "meaning", "is_check"],
            *[
                [a, b, "T5", w, v, "TRUE" if i == 2 else "FALSE"]
                for k, w in enumerate(("x", "y"))
                for i, (a, b, v) in enumerate(z(s, t, V[k]))
            ],
        ]
    ),
    I(s, {"T5": t}),
    judgments=people(t, ("x", "y"), V[:2]),
    scales=("MEANING",),
    ask=("judgments",),
)
# system outputs where one is mostly empty
# copy system (identical to source)
Stranger(
    "copy_sys",
    "d.csv",
    csv([["Sentence", "T5", "Copy", "BART"], *z(s, t, s, t2)]),
    I(s, {"T5": t, "Copy": s, "BART": t2}),
)
# same text of two systems with different scores
# comments that are long texts; correction column
Stranger(
    "corrections",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "annotator", "meaning", "corrected paraphrase"],
            *[
                [a, b, "x", v, c if i % 3 == 0 else ""]
                for i, (a, b, v, c) in enumerate(z(s, t, V[0], t3))
            ],
        ]
    ),
    I(s, {None: t}),
    judgments=J(t, "x", "MEANING", V[0]),
    scales=("MEANING",),
    ask=("items",),
)
# explanation wide
Stranger(
    "explanations",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "model", "explanation"],
            *[
                [
                    a,
                    b,
                    "T5",
                    f"The sentence number {i} keeps all that matters, but the order of the parts is another one than before.",
                ]
                for i, (a, b) in enumerate(z(s, t))
            ],
        ]
    ),
    I(s, {"T5": t}),
    ask=("items",),
)
# gender/age of annotator
Stranger(
    "demography",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "participant", "age", "gender", "native", "meaning"],
            *[
                [a, b, w, 20 + k, "f", "yes", v]
                for k, w in enumerate(("p1", "p2"))
                for a, b, v in z(s, t, V[k])
            ],
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, ("p1", "p2"), V[:2]),
    scales=("MEANING",),
)
Stranger(
    "demography3",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "participant", "age", "education_years", "meaning"],
            *[
                [a, b, w, 20 + 3 * k, 12 + k, v]
                for k, w in enumerate(("p1", "p2"))
                for a, b, v in z(s, t, V[k])
            ],
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, ("p1", "p2"), V[:2]),
)

n = 11
s = EN.src(n)
t = EN.sys(n, 1)
t2 = EN.sys(n, 2)
t3 = EN.sys(n, 3)
V = [vals(n, k) for k in range(8)]
sd, td = DE.src(n), DE.sys(n, 1)
sk, tk = KO.src(n), KO.sys(n, 1)
se, te = ES.src(n), ES.sys(n, 1)
sf, tf = FR.src(n), FR.sys(n, 1)
sz, tz = ZH.src(n), ZH.sys(n, 1)
Stranger(
    "ko_human_machine",
    "d.csv",
    csv([["문장", "사람", "기계1", "기계2"], *z(sk, KO.sys(n, 3), tk, KO.sys(n, 2))]),
    I(sk, {"기계1": tk, "기계2": KO.sys(n, 2)}),
    R(sk, KO.sys(n, 3)),
)
Stranger(
    "comments_per_rater",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "R1", "R1 comment", "R2", "R2 comment"],
            *z(
                s,
                t,
                V[0],
                ["ok" if i % 4 == 0 else "" for i in range(n)],
                V[1],
                ["" if i % 3 else "odd order" for i in range(n)],
            ),
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, ("R1", "R2"), V[:2]),
    scales=("MEANING",),
)
Stranger(
    "score_nobody",
    "d.csv",
    csv([["original", "paraphrase", "score"], *z(s, t, V[0])]),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=("MEANING",),
)
Stranger(
    "scale_brackets",
    "d.csv",
    csv(
        [
            [
                "original",
                "paraphrase",
                "Meaning (R1)",
                "Meaning (R2)",
                "Grammar (R1)",
                "Grammar (R2)",
            ],
            *z(s, t, *V[:4]),
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, ("R1", "R2"), V[:2]) | people(t, ("R1", "R2"), V[2:4], "GRAMMAR"),
)
Stranger(
    "dash_de",
    "d.csv",
    csv(
        [
            [
                "Original",
                "Paraphrase",
                "R1 – Bedeutung",
                "R2 – Bedeutung",
                "R1 – Grammatik",
                "R2 – Grammatik",
            ],
            *z(sd, td, *V[:4]),
        ],
        d=";",
    ),
    I(sd, {None: td}),
    judgments=people(td, ("R1", "R2"), V[:2]) | people(td, ("R1", "R2"), V[2:4], "GRAMMAR"),
)
Stranger(
    "upper",
    "d.tsv",
    csv(
        [
            ["SOURCE SENTENCE", "SYSTEM OUTPUT", "SYSTEM ID", "RATER ID", "ADEQUACY", "FLUENCY"],
            *[
                [a, b, "sys7", w, x, y]
                for k, w in enumerate(("R-001", "R-002"))
                for a, b, x, y in z(s, t, V[k], V[k + 2])
            ],
        ],
        d="\t",
    ),
    I(s, {"sys7": t}),
    judgments=people(t, ("R-001", "R-002"), V[:2], "ADEQUACY")
    | people(t, ("R-001", "R-002"), V[2:4], "FLUENCY"),
    scales=("ADEQUACY", "FLUENCY"),
)
Stranger(
    "doc_ids",
    "d.csv",
    csv(
        [
            ["doc_id", "split", "date", "time", "source", "hyp", "sys"],
            *[
                [f"doc{i // 3}_s{i}", "test", "03.05.2024", "10:31", a, b, "X"]
                for i, (a, b) in enumerate(z(s, t))
            ],
        ]
    ),
    I(s, {"X": t}),
)
Stranger(
    "cands",
    "d.csv",
    csv([["query", "cand_0", "cand_1", "cand_2"], *z(s, t, t2, t3)]),
    I(s, {"cand_0": t, "cand_1": t2, "cand_2": t3}),
)
Stranger(
    "bws",
    "d.csv",
    csv(
        [
            ["source", "A", "B", "C", "best", "worst"],
            *[
                [a, b, c, d, "ABC"[i % 3], "ABC"[(i + 1) % 3]]
                for i, (a, b, c, d) in enumerate(z(s, t, t2, t3))
            ],
        ]
    ),
    I(s, {"A": t, "B": t2, "C": t3}),
    ask=("items",),
)
Stranger(
    "latin1_txt",
    "d.txt",
    csv([["frase", "paráfrasis", "sistema"], *z(se, te, ["S"] * n)], "cp1252", "\t"),
    I(se, {"S": te}),
)
Stranger(
    "trailing",
    "d.csv",
    csv([["source", "paraphrase", "", ""], *[[a, b, "", ""] for a, b in z(s, t)]]),
    I(s, {None: t}),
)
Stranger(
    "dup_heads",
    "d.csv",
    csv([["text", "text", "system"], *z(s, t, ["S"] * n)]),
    I(s, {"S": t}),
    ask=("items",),
)
Stranger(
    "bools",
    "d.xlsx",
    xlsx(
        {
            "S": [
                ["source", "paraphrase", "Rater 1", "Rater 2"],
                *[[a, b, x > 3, y > 3] for a, b, x, y in z(s, t, V[0], V[1])],
            ]
        }
    ),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=("MEANING",),
)
Stranger(
    "ids_only",
    "d.csv",
    csv(
        [
            ["item_id", "system", "rater", "score"],
            *[[i, "S", w, v] for k, w in enumerate(("a", "b")) for i, v in z(num(n), V[k])],
        ]
    ),
    (),
    judgments=(),
    ask=("items", "judgments"),
    scales=("MEANING",),
)
Stranger(
    "side_by_side",
    "d.xlsx",
    xlsx(
        {
            "S": [
                ["source", "paraphrase", None, "system", "BLEU"],
                *[
                    [
                        a,
                        b,
                        None,
                        *(["T5", 12.1] if i == 0 else ["BART", 13.0] if i == 1 else [None, None]),
                    ]
                    for i, (a, b) in enumerate(z(s, t))
                ],
            ]
        }
    ),
    I(s, {None: t}),
    ask=("items",),
)
Stranger(
    "numbered_cell",
    "d.csv",
    csv([["source", "paraphrases"], *[[a, f"1. {b}\n2. {c}"] for a, b, c in z(s, t, t2)]]),
    I(s, {None: t}),
    ask=("items",),
)
Stranger(
    "num_system",
    "d.csv",
    csv(
        [
            ["source", "system", "paraphrase"],
            *[[a, k, b] for k, x in ((1, t), (2, t2)) for a, b in z(s, x)],
        ]
    ),
    I(s, {"1": t, "2": t2}),
)
Stranger(
    "score_stats",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "score_r1", "score_r2", "score_r3", "score_mean", "score_std"],
            *[[a, b, *v, round(fmean(v), 2), round(stdev(v), 3)] for a, b, *v in z(s, t, *V[:3])],
        ]
    ),
    I(s, {None: t}),
    judgments={(a, b, c, d) for a, b, c, d in people(t, ("r1", "r2", "r3"), V[:3])},
    scales=("MEANING",),
)
Stranger(
    "anno_maj",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "anno1", "anno2", "anno3", "maj", "kappa"],
            *[[a, b, *v, sorted(v)[1], 0.61] for a, b, *v in z(s, t, *V[:3])],
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, ("anno1", "anno2", "anno3"), V[:3]),
    scales=("MEANING",),
)
Stranger(
    "de_words",
    "d.csv",
    csv(
        [
            ["Satz", "Paraphrase", "Bewerter", "Bedeutung"],
            *[
                [
                    a,
                    b,
                    w,
                    [
                        "trifft gar nicht zu",
                        "trifft eher nicht zu",
                        "teils teils",
                        "trifft eher zu",
                        "trifft voll zu",
                    ][v - 1],
                ]
                for k, w in enumerate(("AB", "CD"))
                for a, b, v in z(sd, td, V[k])
            ],
        ]
    ),
    I(sd, {None: td}),
    judgments=(),
    ask=("judgments",),
)
Stranger(
    "zh_wide_people",
    "d.csv",
    csv(
        [
            ["原文", "改写", "张三评分", "李四评分", "平均"],
            *[[a, b, x, y, (x + y) / 2] for a, b, x, y in z(sz, tz, V[0], V[1])],
        ]
    ),
    I(sz, {None: tz}),
    judgments=people(tz, ("张三", "李四"), V[:2]),
    scales=("MEANING",),
)
Stranger(
    "es_two_people",
    "d.csv",
    csv(
        [["oración original", "paráfrasis", "Nota de Ana", "Nota de Luis"], *z(se, te, V[0], V[1])]
    ),
    I(se, {None: te}),
    judgments=people(te, ("Nota de Ana", "Nota de Luis"), V[:2]),
    scales=("MEANING",),
)
Stranger(
    "fr_grid",
    "d.csv",
    csv(
        [
            [
                "Phrase",
                "Système A",
                "Fluidité A",
                "Sens A",
                "Système B",
                "Fluidité B",
                "Sens B",
                "Juge",
            ],
            *[
                [a, b, x, y, c, u, v, w]
                for k, w in enumerate(("J1", "J2"))
                for a, b, x, y, c, u, v in z(
                    sf, tf, V[k], V[k + 1], FR.sys(n, 2), V[k + 2], V[k + 3]
                )
            ],
        ]
    ),
    I(sf, {"Système A": tf, "Système B": FR.sys(n, 2)}),
    judgments=None,
)
Stranger(
    "percent_agree",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "rater", "meaning", "% agreement"],
            *[[a, b, w, v, 0.5 + v / 20] for k, w in enumerate("xy") for a, b, v in z(s, t, V[k])],
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, "xy", V[:2]),
    scales=("MEANING",),
)
Stranger(
    "labels_int",
    "d.csv",
    csv(
        [
            ["sentence", "paraphrase", "annotator_1_label", "annotator_2_label", "final_label"],
            *[[a, b, x, y, x] for a, b, x, y in z(s, t, V[0], V[1])],
        ]
    ),
    I(s, {None: t}),
    judgments=None,
    scales=("MEANING",),
)

Stranger(
    "q123",
    "d.csv",
    csv([["source", "paraphrase", "Q1", "Q2", "Q3"], *z(s, t, *V[:3])]),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=("MEANING",),
)
Stranger(
    "q_rater",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "rater", "Q1", "Q2"],
            *[
                [a, b, w, x, y]
                for k, w in enumerate("xy")
                for a, b, x, y in z(s, t, V[k], V[k + 2])
            ],
        ]
    ),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
)
Stranger(
    "min_max",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "min", "max"],
            *[[a, b, min(x, y), max(x, y)] for a, b, x, y in z(s, t, V[0], V[1])],
        ]
    ),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=("MEANING",),
)

n = 13
s = EN.src(n)
t = EN.sys(n, 1)
t2 = EN.sys(n, 2)
V = [vals(n, k) for k in range(8)]
one = ("MEANING",)
Stranger(
    "criteria",
    "d.csv",
    csv([["source", "paraphrase", "Originality", "Humour"], *z(s, t, V[0], V[1])]),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=one,
)
Stranger(
    "times",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "R1", "R1 time (s)", "R2", "R2 time (s)"],
            *z(s, t, V[0], [3.2 + i for i in range(n)], V[1], [4.7 + 2 * i for i in range(n)]),
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, ("R1", "R2"), V[:2]),
    scales=one,
)
Stranger(
    "freq",
    "d.csv",
    csv([["source", "paraphrase", "R1", "R2", "Freq"], *z(s, t, V[0], V[1], vals(n, 9, 1, 900))]),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=one,
)
Stranger(
    "translation",
    "d.csv",
    csv([["source", "translation", "paraphrase"], *z(s, KO.src(n), t)]),
    I(s, {None: t}),
    ask=("items",),
)
Stranger(
    "two_sources",
    "d.csv",
    csv([["source_en", "source_de", "paraphrase"], *z(s, DE.src(n), t)]),
    I(s, {None: t}),
    ask=("items",),
)
Stranger(
    "rank_raters",
    "d.csv",
    csv([["source", "paraphrase", "rank_r1", "rank_r2"], *z(s, t, V[0], V[1])]),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=one,
)
Stranger(
    "expert",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "expert", "rating"],
            *[[a, b, w, v] for k, w in enumerate(("Dr. A", "Dr. B")) for a, b, v in z(s, t, V[k])],
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, ("Dr. A", "Dr. B"), V[:2]),
    scales=one,
)
Stranger(
    "experts",
    "d.csv",
    csv(
        [["source", "paraphrase", "Expert 1", "Expert 2", "Novice 1", "Novice 2"], *z(s, t, *V[:4])]
    ),
    I(s, {None: t}),
    judgments=people(t, ("Expert 1", "Expert 2", "Novice 1", "Novice 2"), V[:4]),
    scales=one,
    ask=("judgments",),
)
p = EN.parts(n)
Stranger(
    "ctx",
    "d.csv",
    csv(
        [
            ["context_before", "target", "context_after", "substitute", "annotator", "rating"],
            *[
                [a, b, c, q, w, v]
                for k, w in enumerate(("x1", "x2"))
                for (a, b, c), q, v in zip(p, EN.repl(n, 1), V[k])
            ],
        ]
    ),
    {(f"{a} {b} {c}", b, q, None) for (a, b, c), q in zip(p, EN.repl(n, 1))},
    judgments=None,
    scales=one,
)
Stranger(
    "year",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "year", "annotator", "meaning"],
            *[
                [a, b, 2019 + i % 3, w, v]
                for k, w in enumerate(("x1", "x2"))
                for i, (a, b, v) in enumerate(z(s, t, V[k]))
            ],
        ]
    ),
    I(s, {None: t}),
    judgments=None,
)
Stranger(
    "model_family",
    "d.csv",
    csv(
        [
            ["source", "model", "model family", "output"],
            *[
                [a, m, f, b]
                for m, f, x in (("T5-base", "T5", t), ("BART-large", "BART", t2))
                for a, b in z(s, x)
            ],
        ]
    ),
    I(s, {"T5-base": t, "BART-large": t2}),
)
Stranger(
    "temperature",
    "d.csv",
    csv(
        [
            ["prompt", "model", "temperature", "output"],
            *[[a, "GPT", T, b] for T, x in ((0.2, t), (1.0, t2)) for a, b in z(s, x)],
        ]
    ),
    (),
    ask=("items",),
)
Stranger(
    "accept",
    "d.csv",
    csv([["source", "paraphrase", "accepted"], *z(s, t, [("yes", "no")[i % 2] for i in range(n)])]),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=one,
)
Stranger(
    "pref_score",
    "d.csv",
    csv([["source", "A", "B", "A better than B (1-5)", "rater"], *z(s, t, t2, V[0], ["r"] * n)]),
    I(s, {"A": t, "B": t2}),
    judgments=(),
    ask=("judgments",),
    scales=one,
)
Stranger(
    "halves",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "rater", "meaning", "grammar"],
            *[[a, b, w, x, ""] for w, k in (("A", 0), ("B", 1)) for a, b, x in z(s, t, V[k])],
            *[[a, b, w, "", x] for w, k in (("A", 2), ("B", 3)) for a, b, x in z(s, t, V[k])],
        ]
    ),
    I(s, {None: t}),
    judgments=people(t, "AB", V[:2]) | people(t, "AB", V[2:4], "GRAMMAR"),
)
Stranger(
    "two_annotator_cols",
    "d.csv",
    csv(
        [
            ["source", "paraphrase", "annotator 1", "score 1", "annotator 2", "score 2"],
            *[
                [a, b, ("Ann", "Bob")[i % 2], x, ("Cyd", "Dan")[i % 2], y]
                for i, (a, b, x, y) in enumerate(z(s, t, V[0], V[1]))
            ],
        ]
    ),
    I(s, {None: t}),
    judgments=(),
    ask=("judgments",),
    scales=one,
)
Stranger(
    "pairs_ab",
    "d.csv",
    csv(
        [
            ["source", "system_a", "text_a", "system_b", "text_b"],
            *[[a, "T5", b, "BART", c] for a, b, c in z(s, t, t2)],
        ]
    ),
    I(s, {"T5": t, "BART": t2}),
    ask=("items",),
)
Stranger(
    "pairs_ab_vary",
    "d.csv",
    csv(
        [
            ["source", "system_a", "output_a", "system_b", "output_b"],
            *[
                [a, *(("T5", b, "BART", c) if i % 2 else ("BART", c, "T5", b))]
                for i, (a, b, c) in enumerate(z(s, t, t2))
            ],
        ]
    ),
    I(s, {"T5": t, "BART": t2}),
    ask=("items",),
)
