"""How to cite the software and the methods behind the numbers of a zip, as BibTeX.

The entries are in references.bib, each looked up. A metric or coefficient that is not listed here
has its source on its page of the documentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

SOFTWARE = "paraanno"
AUTHORS = "The paraanno developers"
TITLE = "paraanno: human judgments of paraphrases, and of the metrics that judge paraphrases"
LICENSE = "GPL-3.0-or-later"
# Datasheet and design, intervals and tests: in every zip.
ALWAYS = ("belz2025", "vanderlee2021", "efron1979", "wilson1927", "holm1979")
BLEU = ("papineni2002", "post2018")
METRICS: Mapping[str, tuple[str, ...]] = {
    "bleu": BLEU,
    "self_bleu": (*BLEU, "sun2012"),
    "ibleu": (*BLEU, "sun2012"),
    "p_bleu": BLEU,
    "bleu_apem": BLEU,
    "chrf": ("popovic2015", "post2018"),
    "chrfpp": ("popovic2017", "post2018"),
    "ter": ("snover2006", "post2018"),
    "rouge_1": ("lin2004",),
    "rouge_2": ("lin2004",),
    "rouge_l": ("lin2004",),
    "meteor": ("lavie2007",),
    "nist": ("doddington2002",),
    "pinc": ("chen2011",),
    "paraeval": ("zhou2006",),
    "wmd": ("kusner2015",),
    "sentence_cosine": ("reimers2019",),
    "embedding_f1": ("zhang2020",),
    "bert_ibleu": ("niu2021", "zhang2020"),
    "parascore": ("shen2022", "zhang2020"),
}
# By what the key of a coefficient of agreement begins with; the longest counts.
AGREEMENT: Mapping[str, tuple[str, ...]] = {
    "alpha_": ("krippendorff2011",),
    "gwet_": ("gwet2008",),
    "fleiss_kappa": ("fleiss1971",),
    "cohen_kappa": ("cohen1960",),
    "cohen_kappa_": ("cohen1960", "cohen1968"),
    "scott_pi": ("scott1955",),
    "brennan_prediger": ("brennan1981",),
    "icc_": ("shrout1979", "mcgraw1996", "koo2016"),
}
ACCURACY = {"acc_eq": ("deutsch2023",)}
PHRASES = ("callisonburch2008",)


@cache
def entries() -> dict[str, str]:
    """Every entry of references.bib by its key."""
    text = Path(__file__).with_name("references.bib").read_text(encoding="utf-8")
    found = re.findall(r"^(@\w+\{(\w+),\n.*?^\})$", text, re.MULTILINE | re.DOTALL)
    return {key: entry for entry, key in found}


def software_entry(version: str, data: str) -> str:
    """The entry of the software itself; `data` is the fingerprint of the judgments."""
    return "\n".join(
        [
            f"@misc{{{SOFTWARE},",
            f"  author = {{{{{AUTHORS}}}}},",
            f"  title = {{{TITLE}}},",
            f"  note = {{Version {version}, {LICENSE}; data {data}}},",
            "}",
        ]
    )


def cited(*, coefficients: Iterable[str], metrics: Iterable[str], phrases: bool) -> list[str]:
    """The keys of what to cite, in order and each once.

    coefficients: keys of agreement and of correlation; phrases: whether phrases were substituted.
    """
    keys = [*ALWAYS, *(PHRASES if phrases else ())]
    for name in coefficients:
        starts = [start for start in AGREEMENT if name.startswith(start)]
        keys += AGREEMENT[max(starts, key=len)] if starts else ACCURACY.get(name, ())
    for metric in metrics:
        keys += METRICS.get(metric, ())
    return list(dict.fromkeys(keys))


def bibliography(version: str, data: str, keys: Iterable[str]) -> str:
    """A .bib file: the software, then the methods."""
    parts = [software_entry(version, data), *(entries()[key] for key in keys)]
    return "\n\n".join(parts) + "\n"


def citation_page(version: str, data: str, metrics: Mapping[str, str]) -> str:
    """What to cite, to be read. metrics: signature by printed name."""
    lines = [
        "# How to cite",
        "",
        f"{AUTHORS}. {TITLE}. Version {version}. {LICENSE}. (Data {data}.)",
        "",
        "`references.bib` has this and the papers of the methods behind the numbers here. A method "
        "that is not in it has its source in the documentation (docs/metrics, docs/statistics.md).",
        "",
    ]
    if metrics:
        lines += ["A score can be compared with others of the same signature only:", ""]
        lines += [f"- {name}: `{signature}`" for name, signature in metrics.items()]
        lines.append("")
    return "\n".join(lines)
