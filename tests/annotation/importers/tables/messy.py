"""Spreadsheets as people really make them, each with what a person has to choose.

The sentences are our own.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from io import BytesIO
from pathlib import Path

import pandas
import pyreadstat

from annotation.importers.tables import open_book
from tests.annotation.importers.tables.writing import book, delimited, ods

EN = [
    ("The committee reached a dead end on Friday.", "reached a dead end"),
    ("She made no secret of her doubts.", "made no secret of"),
    ("It takes a great deal of patience to dry herbs.", "a great deal of"),
    ("Most of the crew stayed put after the storm.", "stayed put"),
    ("They will look into the broken lift.", "look into"),
    ("The old bridge gave way last winter.", "gave way"),
]
EN_NEW = {
    "careful": ["came to a standstill", "did not hide", "much", "remained", "examine", "collapsed"],
    "lattice": [
        "arrived at a dead end",
        "was open about",
        "a lot of",
        "did not leave",
        "see into",
        "gave path",
    ],
    "pivot": ["got stuck", "hid", "plenty of", "remained", "investigate", "broke"],
}
NEWS = tuple(enumerate(EN_NEW["careful"], 1))
DE = [
    ("Der Ausschuss ist am Freitag nicht weitergekommen.", "nicht weitergekommen"),
    ("Die Brücke hält im Frühling noch stand.", "hält im Frühling noch stand"),
    ("Für das Trocknen der Kräuter braucht man viel Geduld.", "viel Geduld"),
    ("Müde Gäste bleiben gern sitzen.", "bleiben gern sitzen"),
    ("Sie machte aus ihren Zweifeln kein Geheimnis.", "kein Geheimnis"),
]
DE_NEW = [
    "stecken geblieben",
    "ist im Frühling noch fest",
    "große Ruhe",
    "stehen ungern auf",
    "keinen Hehl",
]
FR = [
    ("Le comité s’est arrêté là vendredi.", "s’est arrêté là"),
    ("Elle n’a pas caché ses doutes à l’équipe.", "n’a pas caché"),
    ("Il faut énormément de patience pour sécher les herbes.", "énormément de"),
    ("L’équipage est resté à bord après la tempête.", "est resté à bord"),
]
FR_NEW = ["n’est pas allé plus loin", "a montré", "beaucoup de", "n’a pas quitté le bateau"]
KO = [
    ("위원회는 금요일에 막다른 길에 이르렀다.", "막다른 길에 이르렀다"),
    ("그녀는 의심을 숨기지 않았다.", "숨기지 않았다"),
    ("허브를 말리려면 많은 인내심이 필요하다.", "많은 인내심"),
    ("선원 대부분은 폭풍 뒤에도 그 자리에 머물렀다.", "그 자리에 머물렀다"),
]
KO_NEW = ["더 나아가지 못했다", "드러냈다", "큰 참을성", "떠나지 않았다"]


@dataclass(frozen=True)
class Messy:
    """One spreadsheet. `choices` are roles by column letter, set by a person (three at most);
    `refused` is a part of the reason where it cannot be imported; `adds` are new rows."""

    make: Callable[[], bytes]
    what: str = "items"
    choices: Mapping[str, str] = field(default_factory=dict)
    refused: str = ""
    adds: Mapping[str, int] = field(default_factory=dict)


def long_rows(texts, new):
    return [
        [number, sentence, phrase, new[system][number - 1], system]
        for number, (sentence, phrase) in enumerate(texts, 1)
        for system in new
    ]


def numbered(head, texts, news):
    """One paraphrase of each text."""
    rows = enumerate(zip(texts, news, strict=True), 1)
    return [[*head], *([number, *text, new] for number, (text, new) in rows)]


def capitals():
    head = ["ITEM ID", "SENTENCE", "PHRASE", "PARAPHRASE", "SYSTEM"]
    return delimited([head, *long_rows(EN, EN_NEW)], ",", "utf-8")


def semicolons():
    rows = numbered(["Nr.", "Satz", "Ausdruck", "Umschreibung"], DE, DE_NEW)
    for at, row in enumerate(rows):
        row.append(f"{at / 2 + 1:.1f}".replace(".", ",") if at else "Güte")
    return delimited(rows, ";", "cp1252")


def utf16():
    rows = [["번호", "문장", "구", "바꿔쓰기", "시스템"], *long_rows(KO, {"가나다": KO_NEW})]
    return b"\xff\xfe" + delimited(rows, "\t", "utf-16-le")


def french():
    head = ["N°", "Phrase complète", "Expression", "Reformulation"]
    return delimited(numbered(head, FR, FR_NEW), ";", "cp1252")


def wide_merged():
    """A merged head over the systems, and their names in the second row."""
    rows = [
        ["Nr.", "Satz", "Phrase", "Systeme", None, None, "Bemerkung"],
        [None, None, None, "careful", "lattice", "pivot", None],
    ]
    for at, (sentence, phrase) in enumerate(EN):
        note = "bitte prüfen" if at == 2 else None
        rows.append([at + 1, sentence, phrase, *(EN_NEW[one][at] for one in EN_NEW), note])
    return book({"Runde 1": rows}, lambda _, sheet: sheet.merge_range(0, 3, 0, 5, "Systeme"))


def notes_first():
    notes = [["Bitte lesen!"], ["Stand: März"], ["Fragen an das Sekretariat der Gruppe"]]
    head = ["Id", "Original sentence", "Target phrase", "Output", "Model"]
    after = [[], ["Source: our own collection"], ["* checked by two people"]]
    return book({"Notizen": notes, "Daten": [head, *long_rows(EN, EN_NEW), *after]})


def empty_rows():
    """A title, empty rows and columns around and between."""
    rows = [
        [None, None, "Paraphrases, second round"],
        [],
        [None, None, "sentence", None, "phrase", "paraphrase", "system"],
    ]
    for _, sentence, phrase, new, system in long_rows(EN, EN_NEW):
        rows += [[None, None, sentence, None, phrase, new, system], []]
    return ods({"Sheet1": rows})


def no_head():
    rows = [row[1:] for row in numbered([], EN, EN_NEW["careful"])[1:]]
    return delimited(rows, "\t", "utf-8", "\n")


def pairs():
    rows = [["sentence1", "sentence2", "score"]]
    for at, (sentence, phrase) in enumerate(EN):
        rows.append([sentence, sentence.replace(phrase, EN_NEW["careful"][at]), at % 5])
    return delimited(rows, "\t", "utf-8-sig", "\n")


def frame(texts, news):
    return pandas.DataFrame(
        {
            "source": [sentence for sentence, _ in texts],
            "span": [phrase for _, phrase in texts],
            "rewrite": list(news),
            "model": ["small"] * len(texts),
        }
    )


def parquet():
    return frame(EN, EN_NEW["pivot"]).to_parquet(None)


def stata():
    out = BytesIO()
    frame(DE, DE_NEW).to_stata(out, write_index=False, version=118)
    return out.getvalue()


def spss():
    rows = pandas.DataFrame(
        {
            "v1": [1.0, 2, 3, 4],
            "v2": [one for one, _ in KO],
            "v3": [two for _, two in KO],
            "v4": KO_NEW,
            "v5": [1.0, 1, 2, 2],
        }
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "survey.sav"
        pyreadstat.write_sav(
            rows,
            path,
            column_labels=["번호", "문장", "표현", "패러프레이즈", "시스템"],
            variable_value_labels={"v5": {1.0: "alpha", 2.0: "beta"}},
        )
        return path.read_bytes()


def json_records():
    rows = [
        {"uid": f"a{at}", "context": sentence, "target": phrase, "prediction": new}
        for at, ((sentence, phrase), new) in enumerate(zip(EN, EN_NEW["pivot"], strict=True))
    ]
    return json.dumps({"version": 2, "data": rows}, ensure_ascii=False).encode()


def json_lines():
    rows = [
        {"Text": sentence, "Span": phrase, "Output_A": a, "Output_B": b}
        for (sentence, phrase), a, b in zip(EN, EN_NEW["careful"], EN_NEW["lattice"], strict=True)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def pipes():
    rows = numbered(["Identifiant", "Contexte", "Segment", "Proposition"], FR, FR_NEW)
    for row in rows[1:]:
        row[0] = f"fr-{row[0]}"
    return delimited(rows, "|", "cp1252", "\n")


def merged_down():
    """The sentence stands once, merged over the rows of its systems."""
    rows = [["Sentence", "Phrase", "Paraphrase", "System"]]
    rows += [list(row[1:]) for row in long_rows(EN, EN_NEW)]

    def merge(_, sheet):
        for at, (sentence, phrase) in enumerate(EN):
            first = 1 + at * len(EN_NEW)
            sheet.merge_range(first, 0, first + 2, 0, sentence)
            sheet.merge_range(first, 1, first + 2, 1, phrase)

    return book({"Tabelle1": rows}, merge)


def formulas():
    rows = [["Sentence", "Phrase", "Paraphrase", "Helper"]]
    for number, *text, new in numbered([], EN, EN_NEW["careful"])[1:]:
        rows.append([*text, f'=D{number + 1}&""', new])
    return book({"Sheet1": rows})


def korean_cp949():
    rows = [["번호", "원문", "어구", "의역", "모델"], *long_rows(KO, {"모델1": KO_NEW})]
    return delimited(rows, ",", "cp949")


def numbers_as_text():
    rows = [["Item", "Umschreibung", "Bewerter", "Skala", "Bewertung"]]
    for number, new in NEWS:
        for who, value in (("Anna", "4"), ("Ben", "3,0")):
            rows.append([str(number), new, who, "MEANING", value])
    return book({"Sheet1": rows})


def raters_wide():
    """Two scales beside each other, one column for who judged."""
    rows = [["item", "paraphrase", "Rater", "Meaning (1-5)", "GRAMMAR"]]
    for number, new in NEWS:
        rows += [[number, new, "r1", 1 + number % 5, 5], [number, new, "r2", 3, 1 + number % 4]]
    return book({"ratings": rows})


def dates_for_scores():
    rows = [["item", "paraphrase", "annotator", "MEANING"]]
    for number, new in NEWS:
        rows.append([number, new, "Anna", 4 if number < 5 else date(2024, 5, 4)])
    return book({"Sheet1": rows})


def means():
    rows = [["ID", "Paraphrase", "MEANING Mittelwert", "MEANING SD", "n"]]
    for number, new in NEWS:
        rows.append([number, new, "3,5" if number % 2 else "4,25", "0,5", 4])
    return ods({"Mittelwerte": rows})


ALL = {"items": 6, "substitutions": 17, "systems": 3}
FILES = {
    "capitals.csv": Messy(capitals, adds=ALL),
    "Übersicht;Komma.csv": Messy(semicolons, adds={"items": 5, "substitutions": 5}),
    "Excel Unicode.txt": Messy(utf16, adds={"items": 4, "substitutions": 4, "systems": 1}),
    "français.csv": Messy(french, adds={"items": 4, "substitutions": 4}),
    "Runde 1 (merged, wide).xlsx": Messy(wide_merged, adds=ALL),
    "notes first.xlsx": Messy(notes_first, adds=ALL),
    "empty rows.ods": Messy(empty_rows, adds=ALL),
    "no head.tsv": Messy(no_head, adds={"items": 6, "substitutions": 6}),
    "pairs.tsv": Messy(pairs, adds={"items": 6, "substitutions": 6}),
    "frame.parquet": Messy(parquet, adds={"items": 6, "substitutions": 6, "systems": 1}),
    "panel.dta": Messy(stata, adds={"items": 5, "substitutions": 5, "systems": 1}),
    "survey.sav": Messy(spss, adds={"items": 4, "substitutions": 4, "systems": 2}),
    "records.json": Messy(json_records, adds={"items": 6, "substitutions": 6}),
    "lines.jsonl": Messy(json_lines, adds={"items": 6, "substitutions": 12, "systems": 2}),
    "pipes.txt": Messy(pipes, adds={"items": 4, "substitutions": 4}),
    "merged down.xlsx": Messy(merged_down, adds=ALL),
    "한글.csv": Messy(korean_cp949, adds={"items": 4, "substitutions": 4, "systems": 1}),
    "formulas.xlsx": Messy(formulas, choices={"D": "ignore"}, refused="formula"),
    "numbers as text.xlsx": Messy(numbers_as_text, "judgments", adds={"judgments": 12}),
    "raters.xlsx": Messy(raters_wide, "judgments", adds={"judgments": 24}),
    "dates.xlsx": Messy(dates_for_scores, "judgments", refused="date"),
    "means.ods": Messy(means, "gold", adds={"gold": 6}),
}


def opened(name):
    return open_book(BytesIO(FILES[name].make()), name)
