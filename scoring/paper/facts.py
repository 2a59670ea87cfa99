"""The design of a campaign as plain values, for the parts of a paper that are not statistics."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class ScaleFacts:
    """One rating scale. `points` are (value, label, definition) in ascending order."""

    name: str
    question: str
    level: str
    minimum: float
    maximum: float
    step: float
    higher_is_better: bool
    threshold: float | None
    points: tuple[tuple[float, str, str], ...] = ()

    @property
    def size(self) -> int:
        """Number of scale values."""
        return round((self.maximum - self.minimum) / self.step) + 1

    def called(self, value: str) -> str:
        """A value as reports write it, with its label if it has one: `1 (word)`."""
        labels = {f"{at:.12g}": label for at, label, _definition in self.points}
        return f"{value} ({labels[value]})" if labels.get(value) else value

    @property
    def passes(self) -> str:
        """The pass criterion, as `MEANING >= 3`, or "" without a threshold."""
        if self.threshold is None:
            return ""
        return f"{self.name} {'>=' if self.higher_is_better else '<='} {self.threshold:g}"


@dataclass(frozen=True, slots=True)
class ExclusionFacts:
    """An exclusion in force. `rule` is the rule that made it, "" if a person did."""

    kind: str
    name: str
    reason: str
    since: str
    rule: str = ""
    withdrawal: bool = False


@dataclass(frozen=True, slots=True)
class RepeatFacts:
    """Hidden repeats on one scale: how many, and the shares with the same value and within one
    point of it."""

    n: int
    equal: float
    within: float


NOT_REPORTED = "not reported"


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """Judgments that came in one way, of those that are included.

    how        "browser" (given here in a browser), "program" (sent with a token), "simulated",
               "import" (from a file) or "pilot" (taken over)
    name       the tool that wrote the file, or the short name of the pilot; "" if it is unknown
    first, last  ISO dates of the first and the last, as far as they are known; "" if none is
    undated    number of judgments without a date
    ranges     to which range values were read: "0…100 → 1…5"; "" for none
    """

    how: str
    name: str
    annotators: int
    judgments: int
    first: str = ""
    last: str = ""
    undated: int = 0
    ranges: str = ""


@dataclass(frozen=True, slots=True)
class CampaignDesign:
    """What the campaign was made of and who was asked what.

    whole          number of items whose phrase is the whole sentence, and of their phrases
    languages      number of items by language (BCP 47, "" where it is unknown)
    outputs        number of distinct texts by system
    sheets         number of sheets, and of those that everybody judges
    repeats        by scale
    background     background questions, each with how often which answer was given
    test_sets      how imported test sets were drawn: provenance of the imports, oldest first
    """

    whole: int = 0
    whole_phrases: int = 0
    languages: Mapping[str, int] = field(default_factory=dict)
    outputs: Mapping[str, int] = field(default_factory=dict)
    sheets: int = 0
    shared_sheets: int = 0
    exclusions: tuple[ExclusionFacts, ...] = ()
    repeats: Mapping[str, RepeatFacts] = field(default_factory=dict)
    background: tuple[str, ...] = ()
    test_sets: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a campaign. Counts are after exclusions, unless the name says otherwise.

    annotators     number of annotators with included judgments, by origin ("invited",
                   "simulated", ...)
    judgments      number of (text, annotator) with a rating; ratings: of values on scales
    sources        how the judgments came, each way with its own numbers
    per_text       smallest, largest and median number of judgments of a judged text
    twice          number of annotators who are the pilot's codes of people who are counted already
    not_blind      number of annotators who judged here and could see the systems
    guidelines     versions of the guidelines that those had who judged here
    consented      number of those who judged here and agreed to a consent text
    panels, pay    what the campaign knows of recruiting by panels, and of pay
    answers        what the researchers answered to a reviewer's questions, by question
    short_references  a sentence if references are too short for what they are compared with
    excluded       number of currently excluded targets of each kind
    unjudged       number of `texts` without a counted judgment
    checks         number of hidden checks of each kind ("controls", "degraded copies", ...)
    copied_from    short name of the campaign that it was copied from; "" if it was not
    pilot          whether it is a pilot of that one
    """

    slug: str
    name: str
    description: str
    scales: tuple[ScaleFacts, ...]
    systems: tuple[str, ...]
    items: int
    phrases: int
    texts: int
    per_sheet: int
    max_per_sheet: int | None
    layout: str
    annotators: Mapping[str, int]
    judgments: int
    ratings: int
    cannot_judge: int
    sources: tuple[SourceFacts, ...] = ()
    per_text: tuple[int, int, float] | None = None
    twice: int = 0
    not_blind: int = 0
    panels: tuple[str, ...] = ()
    pay: tuple[str, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    short_references: str = ""
    guidelines: tuple[int, ...] = ()
    consented: int = 0
    background: tuple[str, ...] = ()
    practice_required: bool = False
    practice_share: float | None = None
    checks: Mapping[str, int] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    excluded: Mapping[str, int] = field(default_factory=dict)
    withdrawn: int = 0
    unjudged: int = 0
    design: CampaignDesign = CampaignDesign()
    copied_from: str = ""
    pilot: bool = False

    @property
    def n_annotators(self) -> int:
        return sum(self.annotators.values())

    @property
    def simulated(self) -> int:
        """Number of simulated annotators, which a paper must not count as people."""
        return self.annotators.get("simulated", 0)

    @property
    def in_browser(self) -> bool:
        """Whether any judgment was given here in a browser; of others nothing is seen."""
        return any(one.how == "browser" for one in self.sources)

    @property
    def only_in_browser(self) -> bool:
        """Whether all were."""
        return self.in_browser and len({one.how for one in self.sources}) == 1

    @property
    def kinds(self) -> tuple[str, ...]:
        """Who the annotators are, as Hugging Face names it; empty where nobody said so."""
        machine = "machine-generated" if self.simulated else ""
        crowd = "crowdsourced" if self.annotators.get("participant") else ""
        kind = self.answers.get("kind", "")
        return tuple(dict.fromkeys(one for one in (machine, crowd, KINDS.get(kind, "")) if one))


# What the researchers may say of their annotators, and what it is called in a data card.
KINDS = {"experts": "expert-generated", "crowd": "crowdsourced", "others": "other"}

# How the phrases of a campaign were drawn, where the software built the test set.


def drawn_from(facts: Facts) -> list[str]:
    """A sentence or two for each test set that was imported."""
    return [_one(test_set) for test_set in facts.design.test_sets]


def _one(test_set: Mapping[str, Any]) -> str:
    cuts, options = test_set["cut_offs"], test_set["options"]
    passed = f"{cuts['test_least']:,} to {cuts['test_most']:,} times in these sentences"
    if cuts["train_least"] is not None:
        passed += f" and {cuts['train_least']:,} times or more in the training text"
    lowered = "".join(
        f"; {_name(name)} lowered from {before:,} to {now:,} as fewer phrases than asked for passed"
        for name, before, now in test_set["lowered"]
    )
    removed = ", ".join(f"{name} {count:,}" for name, count in test_set["removed"].items())
    least, most = cuts["min_words"], cuts["max_words"]
    words = f"{least}" if least == most else f"{least} to {most}"
    return (
        f"{test_set['phrases']:,} phrases were drawn at random (seed {options['seed']}) from the "
        f"{test_set['every']:,} distinct phrases of {words} words in {test_set['sentences']:,} "
        f"test sentences, up to {options['contexts']} sentences each, among those that occur "
        f"{passed}{lowered} (phrases removed: {removed}); the build was {test_set['signature']}."
    )


def _name(name: str) -> str:
    return {"test_least": "occurrences in the sentences"}.get(
        name, "occurrences in the training text"
    )


# One sentence that says what metrics compared the paraphrases with.


UNKNOWN = "with references or, where there were none, the original, numbers unknown"


def compared_with(runs: Iterable[Mapping[str, Any]], names: Mapping[str, str]) -> str:
    """The sentence, ending in a space; empty if there are no runs but imported ones.

    runs: those of a report about metrics; names: printed names of the metrics by label. A run of an
    earlier version does not know it, unless it used the original alone.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for run in runs:
        signature = run["signature"]
        if not signature.startswith("external|"):
            comparison = _comparison_text(run["met"]) if run.get("met") else _unknown(signature)
            groups[comparison].append(names.get(run["label"], run["label"]))
    if not groups:
        return ""
    parts = (f"{what} ({', '.join(labels)})" for what, labels in groups.items())
    return f"Paraphrases were compared {'; '.join(parts)}. "


def _comparison_text(met: Mapping[str, int]) -> str:
    original, references, neither = met["original"], met["references"], met["neither"]
    parts = []
    if references:
        least, most = met["least"], met["most"]
        number = f"{most}" if least == most else f"{least} to {most}"
        each = "reference" if number == "1" else "references"
        mixed = f" for {references:,} texts" if neither or original else ""
        parts.append(f"with {number} {each} each{mixed}")
    if original:
        mixed = f" for {original:,} texts" if neither or references else ""
        parts.append(f"with the original{mixed}")
    if not parts:
        return "with neither original nor references"
    return " and ".join(parts) + (f", {neither:,} texts with neither" if neither else "")


def _unknown(signature: str) -> str:
    return "with the original" if "|against:original|" in signature else UNKNOWN


# How to cite the software and the methods behind the numbers of a zip, as BibTeX.
#
# The entries are in references.bib, each looked up. A metric or coefficient that is not listed here
# has its source on its page of the documentation.


SOFTWARE = "paraanno"
AUTHORS = "The paraanno developers"
TITLE = "paraanno: human judgments of paraphrases, and of the metrics that judge paraphrases"
LICENSE = "GPL-3.0-or-later"
# Datasheet and design, intervals and tests: in every zip.
ALWAYS = ("belz2025", "vanderlee2021", "tukey1958", "wilson1927", "korn1998", "holm1979")
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
    matches = re.findall(r"^(@\w+\{(\w+),\n.*?^\})$", text, re.MULTILINE | re.DOTALL)
    return {key: entry for entry, key in matches}


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
