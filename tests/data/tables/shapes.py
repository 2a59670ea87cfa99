# ruff: noqa: E501
"""Thirty shapes of tables as laboratories keep them, each in English and in another language.

A shape returns a file and what must come out of it: `Expected`.
"""

import html
import json
from dataclasses import dataclass, field
from statistics import fmean, stdev

from tests.annotation.importers.tables.writing import book, delimited
from tests.data.tables.texts import DE, EN, ES, FR, KO, PEOPLE, SYSTEMS, ZH, points


@dataclass
class Expected:
    """The file, and what is read of it. `items`: (sentence, phrase, paraphrase, system);
    `references`
    of a sentence; `judgments`: (paraphrase, annotator, scale, value), those without a value left out.
    `asks`: of which kinds the import has to wait."""

    name: str
    data: bytes
    items: set = field(default_factory=set)
    references: dict = field(default_factory=dict)
    judgments: set = field(default_factory=set)
    asks: tuple = ()
    scales: tuple = ("MEANING", "GRAMMAR")

    def of_phrases(self, language, systems=SYSTEMS, label=None):
        for system in systems:
            for s, p, new in zip(
                language.sentences, language.phrases, language.news(system), strict=True
            ):
                self.items.add((s, p, new, label(system) if label else system))
        return self

    def of_wholes(self, language, systems=SYSTEMS, label=None):
        for system in systems:
            for s, new in zip(language.sentences, language.wholes(system), strict=True):
                self.items.add((s, s, new, label(system) if label else system))
        return self

    def referring(self, language, *places):
        for at, s in enumerate(language.sentences):
            self.references[s] = {language.references(place)[at] for place in places}
        return self

    def judged(self, texts, who, scale, values):
        for text, value in zip(texts, values, strict=True):
            if value is not None:
                self.judgments.add((text, who, scale, float(value)))
        return self


def csv(rows, encoding="utf-8-sig", mark=","):
    quoted = [
        [f'"{cell}"' if isinstance(cell, str) and mark in cell else cell for cell in row]
        for row in rows
    ]
    return delimited(
        [["" if cell is None else cell for cell in row] for row in quoted], mark, encoding
    )


def columns(*lists):
    """Rows of lists that stand beside each other."""
    return [list(row) for row in zip(*lists, strict=True)]


def numbers(language):
    return list(range(1, len(language.texts) + 1))


def none(_):
    return None


def wide_systems(L):
    rows = [
        [L["id"], L["sentence"], *SYSTEMS],
        *columns(numbers(L), L.sentences, *map(L.wholes, SYSTEMS)),
    ]
    return Expected("wide.csv", csv(rows)).of_wholes(L)


def wide_references(L):
    """As pandas renames a second column of the same name."""
    head = [L["sentence"], "BART", "T5", L["reference"], f"{L['reference']}.1"]
    rows = columns(L.sentences, L.wholes("BART"), L.wholes("T5"), L.references(0), L.references(1))
    return Expected("refs.csv", csv([head, *rows])).of_wholes(L, SYSTEMS[:2]).referring(L, 0, 1)


def wide_human(L):
    head = [L["id"], L["sentence"], "T5", "GPT-4", L["human"]]
    rows = columns(numbers(L), L.sentences, L.wholes("T5"), L.wholes("GPT-4"), L.references(0))
    return (
        Expected("human.xlsx", book({"S": [head, *rows]})).of_wholes(L, SYSTEMS[1:]).referring(L, 0)
    )


def stems(L):
    """Two systems with a common stem, of which one always writes the same."""
    names = [f"{L['sys']} {L['one']}", f"{L['sys']} {L['two']}"]
    same = [L.wholes("T5")[0]] * len(L.texts)
    found = Expected(
        "stems.csv", csv([[L["sentence"], *names], *columns(L.sentences, L.wholes("BART"), same)])
    )
    for s, new in zip(L.sentences, L.wholes("BART"), strict=True):
        found.items |= {(s, s, new, names[0]), (s, s, same[0], names[1])}
    return found


def long_names(L):
    head = [L["id"], L["sentence"], L["phrase"], L["new"], L["system"]]
    rows = [
        [n, s, p, new, system]
        for system in SYSTEMS
        for n, s, p, new in columns(numbers(L), L.sentences, L.phrases, L.news(system))
    ]
    return Expected("long.csv", csv([head, *rows], "utf-8", ";")).of_phrases(L)


def raters_mean(L):
    """Values of three people from 0 to 100, with their mean and deviation."""
    head = [L["sentence"], L["new"], *(f"{L['rater']} {n}" for n in (1, 2, 3)), L["mean"], L["sd"]]
    values = [points(len(L.texts), n, 97) for n in (0, 4, 7)]
    rows = [
        [s, new, *vs, round(fmean(vs), 2), round(stdev(vs), 2)]
        for s, new, *vs in columns(L.sentences, L.wholes("T5"), *values)
    ]
    found = Expected("raters.xlsx", book({"S": [head, *rows]}), scales=("QUALITY",)).of_wholes(
        L, ["T5"], none
    )
    for n, vs in enumerate(values, 1):
        found.judged(L.wholes("T5"), f"{L['rater']} {n}", "QUALITY", vs)
    return found


def people_mean(L):
    """First names, of whose values a mean stands beside them."""
    head = [L["sentence"], L["new"], *PEOPLE, L["mean"]]
    values = [points(len(L.texts), n) for n in (0, 4, 7)]
    rows = [
        [s, new, *vs, f"{fmean(vs):.2f}"]
        for s, new, *vs in columns(L.sentences, L.wholes("T5"), *values)
    ]
    found = Expected("people.csv", csv([head, *rows]), scales=("MEANING",)).of_wholes(
        L, ["T5"], none
    )
    for who, vs in zip(PEOPLE, values, strict=True):
        found.judged(L.wholes("T5"), who, "MEANING", vs)
    return found


def two_heads(L):
    """Merged names over those of systems and of annotators."""
    rows = [
        [L["id"], L["sentence"], L["outputs"], None, None],
        [None, None, *SYSTEMS],
        *columns(numbers(L), L.sentences, *map(L.wholes, SYSTEMS)),
    ]

    def merge(_, sheet):
        sheet.merge_range(0, 0, 1, 0, L["id"])
        sheet.merge_range(0, 1, 1, 1, L["sentence"])
        sheet.merge_range(0, 2, 0, 4, L["outputs"])

    return Expected("two heads.xlsx", book({"S": rows}, merge)).of_wholes(L)


def two_heads_judged(L):
    """One text of a row, judged by three people on two scales."""
    rows = [
        [L["id"], L["sentence"], L["new"], L["meaning"], None, None, L["grammar"], None, None],
        [None, None, None, *PEOPLE, *PEOPLE],
    ]
    values = [points(len(L.texts), n) for n in range(6)]
    rows += columns(numbers(L), L.sentences, L.wholes("BART"), *values)
    found = Expected("judged heads.csv", csv(rows)).of_wholes(L, ["BART"], none)
    for at, vs in enumerate(values):
        found.judged(L.wholes("BART"), PEOPLE[at % 3], ("MEANING", "GRAMMAR")[at // 3], vs)
    return found


def three_heads(L):
    rows = [
        [None, None, L["outputs"], None, None],
        [None, None, "neural", None, "rules"],
        [L["id"], L["sentence"], *SYSTEMS],
        *columns(numbers(L), L.sentences, *map(L.wholes, SYSTEMS)),
    ]

    def merge(_, sheet):
        sheet.merge_range(0, 2, 0, 4, L["outputs"])
        sheet.merge_range(1, 2, 1, 3, "neural")

    return Expected("three heads.xlsx", book({"S": rows}, merge)).of_wholes(L)


def totals(L):
    """A row of means at the end, and values by scale of one annotator."""
    head = [L["id"], L["sentence"], L["new"], L["person"], L["meaning"], L["grammar"]]
    m, g = points(len(L.texts), 2), points(len(L.texts), 5)
    rows = columns(numbers(L), L.sentences, L.wholes("T5"), ["A1"] * len(L.texts), m, g)
    rows.append([L["mean"], None, None, None, round(fmean(m), 2), round(fmean(g), 2)])
    found = Expected("totals.xlsx", book({"S": [head, *rows]})).of_wholes(L, ["T5"], none)
    return found.judged(L.wholes("T5"), "A1", "MEANING", m).judged(
        L.wholes("T5"), "A1", "GRAMMAR", g
    )


def nested(L):
    rows = [
        {
            "id": n,
            "data": {"original": s},
            "outputs": dict(zip(SYSTEMS, news, strict=True)),
            "references": refs,
        }
        for n, s, news, refs in columns(
            numbers(L),
            L.sentences,
            columns(*map(L.wholes, SYSTEMS)),
            columns(L.references(0), L.references(1)),
        )
    ]
    data = json.dumps(rows, ensure_ascii=False).encode()
    return Expected("nested.json", data).of_wholes(L).referring(L, 0, 1)


def listed(L):
    """A list of the texts of systems in each record."""
    lines = [
        json.dumps(
            {
                "source": s,
                "outputs": [{"system": a, "text": b} for a, b in zip(SYSTEMS, news, strict=True)],
            }
        )
        for s, news in zip(L.sentences, columns(*map(L.wholes, SYSTEMS)), strict=True)
    ]
    return Expected("listed.jsonl", "\n".join(lines).encode() + b"\n").of_wholes(L)


def words_of_degree(L):
    """Degrees in words: filled in, and confirmed by a person."""
    head = [L["id"], L["sentence"], L["new"], L["person"], L["meaning"]]
    rows, found = [], Expected("degrees.csv", b"", asks=("judgments",))
    for who, start in (("Anna", 0), ("Ben", 4)):
        values = points(len(L.texts), start)
        words = [L["degrees"][value - 1] for value in values]
        rows += columns(numbers(L), L.sentences, L.wholes("T5"), [who] * len(words), words)
        found.judged(L.wholes("T5"), who, "MEANING", values)
    found.data = csv([head, *rows])
    return found.of_wholes(L, ["T5"], none)


def zero_is_none(L):
    """Points from 1 to 5, and a 0 that says that nobody could judge."""
    head = [L["sentence"], L["new"], L["person"], f"{L['meaning']} (0 = {L['none']})"]
    rows, found = [], Expected("zero.csv", b"", asks=("judgments",))
    for who, start in (("Anna", 0), ("Ben", 4)):
        values = points(len(L.texts), start)
        values[1] = 0
        rows += columns(L.sentences, L.wholes("T5"), [who] * len(values), values)
        found.judged(L.wholes("T5"), who, "MEANING", [one or None for one in values])
    found.data = csv([head, *rows])
    return found.of_wholes(L, ["T5"], none)


def marked_with(name, before, after):
    def shape(L):
        sentences = [f"{b}{before}{p}{after}{a}" for b, p, a, *_ in L.texts]
        rows = [[L["sentence"], *SYSTEMS], *columns(sentences, *map(L.news, SYSTEMS))]
        return Expected(f"{name}.csv", csv(rows)).of_phrases(L)

    shape.__name__ = f"marked_{name}"
    return shape


def contexts(L):
    """Left context, key and right context, as concordances print them."""
    head = [L["left"], L["key"], L["right"], L["new"], L["system"]]
    rows = [
        [b, p, a, new, "BART"] for (b, p, a, *_), new in zip(L.texts, L.news("BART"), strict=True)
    ]
    return Expected("kwic.xlsx", book({"S": [head, *rows]})).of_phrases(L, ["BART"])


def entities(L):
    def code(texts):
        return [html.escape(f"„{text}“ & Co") for text in texts]

    found = Expected(
        "entities.csv",
        csv(
            [
                [L["sentence"], "BART", "T5"],
                *columns(*map(code, (L.sentences, L.wholes("BART"), L.wholes("T5")))),
            ]
        ),
    )
    for system in ("BART", "T5"):
        for s, new in zip(L.sentences, L.wholes(system), strict=True):
            found.items.add((f"„{s}“ & Co", f"„{s}“ & Co", f"„{new}“ & Co", system))
    return found


def reversed_pair(L):
    """The paraphrase stands first."""
    rows = [[L["new"], L["sentence"]], *columns(L.wholes("GPT-4"), L.sentences)]
    return Expected("reversed.tsv", csv(rows, "utf-8", "\t")).of_wholes(L, ["GPT-4"], none)


def grid(L):
    """The text of each system with its values behind it."""
    head, lists = [L["id"], L["sentence"]], [numbers(L), L.sentences]
    found = Expected("grid.csv", b"").of_wholes(L, ["BART", "T5"])
    for at, system in enumerate(("BART", "T5")):
        m, g = points(len(L.texts), at), points(len(L.texts), at + 5)
        head += [system, f"{system} {L['meaning']} R1", f"{system} {L['grammar']} R1"]
        lists += [L.wholes(system), m, g]
        found.judged(L.wholes(system), "R1", "MEANING", m).judged(
            L.wholes(system), "R1", "GRAMMAR", g
        )
    found.data = csv([head, *columns(*lists)])
    return found


def several_in_a_cell(L):
    """All texts of systems in one cell: somebody has to split it."""
    cells = [" | ".join(news) for news in columns(*map(L.wholes, SYSTEMS))]
    rows = [[L["sentence"], L["new"]], *columns(L.sentences, cells)]
    return Expected("cells.csv", csv(rows, "utf-8", ";"), asks=("items",))


def fill_down(L):
    """An original only in the first of its rows, merged over them."""
    rows = [[L["id"], L["sentence"], L["system"], L["new"]]]
    for n, s, *news in columns(numbers(L), L.sentences, *map(L.wholes, SYSTEMS)):
        for at, (system, new) in enumerate(zip(SYSTEMS, news, strict=True)):
            rows.append([n if not at else None, s if not at else None, system, new])
    return Expected("merged.csv", csv(rows)).of_wholes(L)


def harmless(L):
    """An index, a date, a constant, a group and the length of a text beside what matters."""
    head = ["", L["date"], "Version", L["genre"], L["sentence"], L["new"], L["system"], "Length"]
    rows = []
    for system in SYSTEMS[:2]:
        for n, s, new in columns(numbers(L), L.sentences, L.wholes(system)):
            rows.append(
                [
                    len(rows),
                    f"2024-05-{n:02}",
                    "v2",
                    "news" if n % 2 else "blog",
                    s,
                    new,
                    system,
                    len(new),
                ]
            )
    return Expected("harmless.csv", csv([head, *rows])).of_wholes(L, SYSTEMS[:2])


def judged_long(L):
    """A row for each judgment, with the scale and a remark."""
    head = [
        L["id"],
        L["sentence"],
        L["new"],
        L["system"],
        L["person"],
        L["scale"],
        L["value"],
        L["remark"],
    ]
    rows, found = [], Expected("long judged.xlsx", b"").of_wholes(L, ["BART"])
    for at, who in enumerate(PEOPLE[:2]):
        for place, name in enumerate(("meaning", "grammar")):
            values = points(len(L.texts), 3 * at + place)
            for n, s, new, value in columns(numbers(L), L.sentences, L.wholes("BART"), values):
                note = L["genre"] if n == 2 and not rows else None
                rows.append([n, s, new, "BART", who, L[name], value, note])
            found.judged(L.wholes("BART"), who, ("MEANING", "GRAMMAR")[place], values)
    found.data = book({"S": [head, *rows]})
    return found


def commas(L):
    """Decimal commas, a code page of its own, semicolons, and a mean that is not called so."""
    head = [L["sentence"], L["new"], "R1", "R2", "R3", "x"]
    values = [points(len(L.texts), n) for n in (1, 3, 8)]
    rows = [
        [s, new, *vs, f"{fmean(vs):.3f}".replace(".", ",")]
        for s, new, *vs in columns(L.sentences, L.wholes("BART"), *values)
    ]
    found = Expected("commas.csv", csv([head, *rows], "utf-8-sig", ";"), scales=("MEANING",))
    for n, vs in enumerate(values, 1):
        found.judged(L.wholes("BART"), f"R{n}", "MEANING", vs)
    return found.of_wholes(L, ["BART"], none)


def wide_with_remarks(L):
    head = [L["id"], L["sentence"], L["phrase"], *SYSTEMS, L["remark"]]
    remarks = [None, L["genre"], *[None] * (len(L.texts) - 2)]
    rows = columns(numbers(L), L.sentences, L.phrases, *map(L.news, SYSTEMS), remarks)
    return Expected("remarks.xlsx", book({"S": [[L["outputs"]], [], head, *rows]})).of_phrases(L)


def by_group(L):
    """A merged name of a system over its text and the values of two people."""
    names = [("T5", 0), ("GPT-4", 4)]
    top, low, lists = [None, None], [L["id"], L["sentence"]], [numbers(L), L.sentences]
    found = Expected("by group.csv", b"", scales=("MEANING",)).of_wholes(L, ["T5", "GPT-4"])
    for system, start in names:
        values = [points(len(L.texts), start), points(len(L.texts), start + 2)]
        top += [system, None, None]
        low += [L["new"], "R1", "R2"]
        lists += [L.wholes(system), *values]
        for n, vs in enumerate(values, 1):
            found.judged(L.wholes(system), f"R{n}", "MEANING", vs)
    found.data = csv([top, low, *columns(*lists)])
    return found


def two_scales_side_by_side(L):
    """One column of annotators, one for each scale; the head stands below a title and is
    repeated."""
    head = [
        L["id"],
        L["sentence"],
        L["new"],
        L["person"],
        f"{L['meaning']} (1-5)",
        f"{L['grammar']} (1-5)",
    ]
    rows, found = [], Expected("pages.csv", b"").of_wholes(L, ["GPT-4"], none)
    for who, start in (("P07", 0), ("P11", 5)):
        m, g = points(len(L.texts), start), points(len(L.texts), start + 3)
        rows += [head, *columns(numbers(L), L.sentences, L.wholes("GPT-4"), [who] * len(m), m, g)]
        found.judged(L.wholes("GPT-4"), who, "MEANING", m).judged(
            L.wholes("GPT-4"), who, "GRAMMAR", g
        )
    found.data = csv(rows)
    return found


SHAPES = {
    shape.__name__: (shape, other)
    for shape, other in (
        (wide_systems, KO),
        (wide_references, DE),
        (wide_human, ES),
        (stems, FR),
        (long_names, ZH),
        (raters_mean, KO),
        (people_mean, DE),
        (two_heads, ZH),
        (two_heads_judged, FR),
        (three_heads, ES),
        (totals, DE),
        (nested, KO),
        (listed, ZH),
        (words_of_degree, KO),
        (zero_is_none, ES),
        (marked_with("tags", "<b>", "</b>"), ES),
        (marked_with("brackets", "[[", "]]"), KO),
        (marked_with("stars", "**", "**"), DE),
        (marked_with("lines", "_", "_"), FR),
        (contexts, FR),
        (entities, DE),
        (reversed_pair, ZH),
        (grid, ES),
        (several_in_a_cell, FR),
        (fill_down, KO),
        (harmless, ZH),
        (judged_long, ES),
        (commas, FR),
        (wide_with_remarks, DE),
        (by_group, KO),
        (two_scales_side_by_side, ZH),
    )
}
CASES = [(name, language) for name, (_, other) in SHAPES.items() for language in (EN, other)]
