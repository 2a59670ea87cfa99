"""The files of a package to publish, beside its tables. No Django, no database."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

# What the files of a package say about it.


# Identifier (of SPDX in lower case, as Hugging Face and Zenodo write it) -> name, address.
LICENCES = {
    "cc-by-4.0": (
        "Creative Commons Attribution 4.0 International",
        "https://creativecommons.org/licenses/by/4.0/",
    ),
    "cc-by-sa-4.0": (
        "Creative Commons Attribution Share Alike 4.0 International",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
    "cc-by-nc-4.0": (
        "Creative Commons Attribution Non Commercial 4.0 International",
        "https://creativecommons.org/licenses/by-nc/4.0/",
    ),
    "cc0-1.0": (
        "Creative Commons Zero 1.0 Universal",
        "https://creativecommons.org/publicdomain/zero/1.0/",
    ),
}
FEW = 5  # An answer that fewer annotators gave is not told.


@dataclass(frozen=True, slots=True)
class PackageTable:
    """A table: its name, what a row is, the columns with their kinds, and the SHA-256 of its CSV.

    kinds  those of `annotation.exporters.Column`: text, integer, number, flag, time, list, json
    """

    name: str
    says: str
    columns: Sequence[tuple[str, str]]
    rows: int
    sha256: str
    parquet_sha256: str


@dataclass(frozen=True, slots=True)
class BackgroundCount:
    """A background question, with how many annotators gave each answer.

    `few` are those whose answer fewer than FEW gave, `silent` those who gave none.
    """

    wording: str
    counts: Sequence[tuple[str, int]]
    few: int
    silent: int


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """What cards and metadata report.

    judgments  number of (text, annotator) with a rating; ratings: of values on scales
    contexts   what was paraphrased, with its numbers
    licence    a key of LICENCES, or "" where none was chosen
    creators   names, as "Family, Given"
    collected  how the judgments came, as sentences; first and last: the days that are known of it
    kinds      what Hugging Face calls the annotators; empty where nobody said so
    reported   what a reviewer asks, with the answer; an empty answer is none
    asked_here whether background questions could be asked: somebody judged here
    data       digest of the data, which every file names
    """

    slug: str
    name: str
    description: str
    languages: Sequence[str]
    scales: Sequence[tuple[str, str, float, float]]
    systems: Sequence[str]
    texts: int
    contexts: str
    judgments: int
    ratings: int
    annotators: int
    simulated: int
    collected: Sequence[str]
    kinds: Sequence[str]
    reported: Mapping[str, str]
    first: str
    last: str
    licence: str
    creators: Sequence[str]
    version: str
    data: str
    asked_here: bool = True
    background: Sequence[BackgroundCount] = ()

    @property
    def size_category(self) -> str:
        """The category of Hugging Face for the number of ratings."""
        for most, name in ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K")):
            if self.ratings < most:
                return name
        return "100K<n<1M" if self.ratings < 10**6 else "1M<n<10M"


# One page to browse texts and ratings offline: no server, no address, nothing loaded.


MOST = 20_000  # Texts in the page; a browser holds more, but not quickly.

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 1rem; }}
form {{ display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; }}
label {{ display: block; font-size: .875rem; }}
input, select, button {{ font: inherit; min-height: 2.75rem; }}
ol {{ list-style: none; padding: 0; }}
li {{ border-top: 1px solid #8888; padding: .75rem 0; overflow-wrap: anywhere; }}
mark {{ background: #ffe49c; color: #1d1e20; }}
small {{ opacity: .8; }}
</style>
<h1>{title}</h1>
<p>{note}</p>
<form>
  <div><label for="word">Text holds</label><input id="word" type="search"></div>
  <div><label for="system">System</label><select id="system"><option value="">all</option></select></div>
  <div><button type="button" id="back">Back</button> <button type="button" id="on">On</button></div>
</form>
<p id="told" role="status"></p>
<ol id="texts"></ol>
<script type="application/json" id="data">{data}</script>
<script>
const {{texts, scales}} = JSON.parse(document.getElementById("data").textContent);
const word = document.getElementById("word"), system = document.getElementById("system");
const list = document.getElementById("texts"), told = document.getElementById("told");
const SHOWN = 50;
let page = 0;
for (const name of [...new Set(texts.flatMap((text) => text.systems))].sort()) {{
  system.append(new Option(name, name));
}}
function line(text) {{
  const item = document.createElement("li");
  const sentence = document.createElement("div");
  sentence.dir = "auto";
  const mark = document.createElement("mark");
  mark.textContent = text.text;
  sentence.append(text.before, mark, text.after);
  const rest = document.createElement("small");
  const given = scales.map((scale) => scale + ": " + (Object.entries(text.given[scale] || {{}})
    .map(([who, value]) => who + " " + value).join(", ") || "none"));
  rest.textContent = "instead of “" + text.phrase + "” · " + text.systems.join(", ") + " · " + given.join(" · ");
  item.append(sentence, rest);
  return item;
}}
function show() {{
  const wanted = word.value.toLowerCase();
  const found = texts.filter((text) => (!system.value || text.systems.includes(system.value)) &&
    (text.before + text.text + text.after + text.phrase).toLowerCase().includes(wanted));
  page = Math.max(0, Math.min(page, Math.ceil(found.length / SHOWN) - 1));
  const from = page * SHOWN;
  told.textContent = found.length
    ? (from + 1) + " to " + Math.min(from + SHOWN, found.length) + " of " + found.length + " texts" : "No text.";
  list.replaceChildren(...found.slice(from, from + SHOWN).map(line));
}}
word.addEventListener("input", () => {{ page = 0; show(); }});
system.addEventListener("change", () => {{ page = 0; show(); }});
document.getElementById("back").addEventListener("click", () => {{ page -= 1; show(); }});
document.getElementById("on").addEventListener("click", () => {{ page += 1; show(); }});
show();
</script>
</html>
"""  # noqa: E501 lines of a page


def browse_page(*, title: str, texts: Sequence[Mapping[str, Any]], scales: Sequence[str]) -> str:
    """The page. Each text: `phrase`, `before`, `text`, `after`, `systems` (labels), `given`
    (scale -> annotator -> value). Beyond MOST, texts are left out and the page says so."""
    shown = list(texts[:MOST])
    note = f"{len(texts)} texts with every rating."
    if len(texts) > MOST:
        note = f"The first {MOST} of {len(texts)} texts; the tables hold all."
    data = json.dumps({"texts": shown, "scales": list(scales)}, ensure_ascii=False)
    # Nothing inside may end the element or begin a comment.
    safe = data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _PAGE.format(title=escape(title), note=escape(note), data=safe)


# Texts about a package: the data card, the data statement, the licence, Zenodo's metadata.
#
# Sources: Hugging Face, "Dataset cards" (YAML head of README.md); Bender and Friedman 2018, "Data
# statements for natural language processing"; Zenodo, "Deposit metadata" (.zenodo.json).


UNKNOWN = "not reported"


def data_card(facts: PackageFacts, tables: Sequence[PackageTable]) -> str:
    """README.md with Hugging Face's YAML head."""
    return "\n".join([*_head(facts, tables), *_card(facts, tables)]) + "\n"


def _head(facts: PackageFacts, tables: Sequence[PackageTable]) -> Iterator[str]:
    """YAML; texts are written as JSON, which YAML holds."""
    yield "---"
    yield f"pretty_name: {json.dumps(facts.name, ensure_ascii=False)}"
    if facts.languages:
        yield "language:"
        yield from (f"- {json.dumps(one)}" for one in facts.languages)
    yield f"license: {facts.licence or 'unknown'}"
    if facts.kinds:
        yield "annotations_creators:"
        yield from (f"- {one}" for one in facts.kinds)
    yield "task_categories:"
    yield "- other"
    yield "tags:"
    yield from (f"- {one}" for one in ("paraphrase", "human-evaluation", "annotator-disagreement"))
    yield "size_categories:"
    yield f"- {facts.size_category}"
    yield "configs:"
    for table in tables:
        yield f"- config_name: {table.name}"
        yield f"  data_files: data/{table.name}.parquet"
        if table is tables[0]:
            yield "  default: true"
    yield "---"


def _card(facts: PackageFacts, tables: Sequence[PackageTable]) -> Iterator[str]:
    yield f"# {facts.name}\n"
    if facts.description:
        yield f"{facts.description}\n"
    if facts.simulated:
        yield f"**{facts.simulated} of {facts.annotators} annotators are SIMULATED.**\n"
    yield f"{_size(facts)}\n"
    yield f"{' '.join(facts.collected)}\n" if facts.collected else ""
    yield "## Files\n"
    yield "Each table is there as Parquet and as CSV (UTF-8, comma, a header).\n"
    yield "| file | rows | a row is |\n|---|---|---|"
    yield from (f"| `data/{one.name}` | {one.rows} | {one.says} |" for one in tables)
    yield ""
    yield "`browse.html` shows texts and ratings in a browser, without a server."
    yield "`expected.json` holds the numbers that were reported; `python reproduce.py` computes"
    yield "them again from `data/` (it needs pandas and numpy) and ends with 1 if one differs.\n"
    yield "## Scales\n"
    yield "| scale | question | from | to |\n|---|---|---|---|"
    for name, question, low, high in facts.scales:
        yield f"| {_cell(name)} | {_cell(question)} | {low:g} | {high:g} |"
    yield ""
    yield "## Who, how, for what\n"
    yield f"Annotators: {', '.join(facts.kinds) or UNKNOWN}."
    yield "See `DATA_STATEMENT.md`, and `datasheet.md` (HEDS 3.0; `heds.json` for its form)."
    yield "`CITATION.md` and `references.bib` say how to cite the software and its methods."
    yield f"Digest of the data: data {facts.data[:12]} (SHA-256 of `data/ratings.csv`)."


def _size(facts: PackageFacts) -> str:
    """The counts, by the names that every file has for them."""
    systems = f" of {_many(len(facts.systems), 'system')}" if facts.systems else ""
    return (
        f"{_many(facts.annotators, 'annotator')}, {_many(facts.judgments, 'judgment')} (a text by "
        f"an annotator), {_many(facts.ratings, 'rating')} (a value on a scale) of "
        f"{_many(facts.texts, 'text')}{systems}, for {facts.contexts}."
    )


def _many(n: int, one: str) -> str:
    return f"{n} {one}{'' if n == 1 else 's'}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def data_statement(facts: PackageFacts) -> str:
    """DATA_STATEMENT.md after Bender and Friedman; annotators are counted, never listed."""
    return "\n".join(_statement(facts)) + "\n"


def _statement(facts: PackageFacts) -> Iterator[str]:
    yield f"# Data statement: {facts.name}\n"
    yield "## Curation rationale\n"
    yield f"{_answer(facts, 'texts')}\n"
    yield "## Language variety\n"
    yield f"{', '.join(facts.languages) or UNKNOWN}\n"
    yield "## Speakers of the texts\n"
    yield f"{UNKNOWN}\n"
    yield "## Annotators\n"
    simulated = f", {facts.simulated} of them simulated by a program" if facts.simulated else ""
    yield (
        f"{_many(facts.annotators, 'annotator')} gave {_many(facts.judgments, 'judgment')}"
        f"{simulated}.\n"
    )
    yield f"Who they are: {_answer(facts, 'annotators')}\n"
    yield f"Pay: {_answer(facts, 'pay')}\n"
    yield f"Instructions: {_answer(facts, 'instructions')}\n"
    yield f"Ethics: {_answer(facts, 'ethics')}\n"
    if not facts.background and facts.asked_here:
        yield "No background questions were asked in paraanno.\n"
    for question in facts.background:
        yield f"### {question.wording}\n"
        yield "| answer | annotators |\n|---|---|"
        yield from (f"| {_cell(answer)} | {n} |" for answer, n in question.counts)
        if question.few:
            yield f"| other answers, each of fewer than five | {question.few} |"
        if question.silent:
            yield f"| no answer | {question.silent} |"
        yield ""
    yield "## Situation\n"
    yield f"{' '.join(facts.collected) or UNKNOWN}\n"
    yield "## Characteristics of the texts\n"
    systems = f", by the systems {', '.join(facts.systems)}" if facts.systems else ""
    yield f"{_many(facts.texts, 'text')}: paraphrases of {facts.contexts}{systems}.\n"
    yield "## Provenance\n"
    yield f"Data {facts.data[:12]}, exported with paraanno {facts.version}."


def _answer(facts: PackageFacts, question: str) -> str:
    answer = facts.reported.get(question, "").strip()
    return f"{answer.rstrip('.')}." if answer else f"{UNKNOWN}."


def licence_text(facts: PackageFacts) -> str:
    """LICENSE.md."""
    if not facts.licence:
        return (
            "# Licence\n\nNone was chosen yet: until somebody with the right to do so names one "
            "here, all rights are reserved.\n"
        )
    name, address = LICENCES[facts.licence]
    return f"# Licence\n\n{name} ({facts.licence.upper()})\n\n<{address}>\n"


def zenodo(facts: PackageFacts) -> dict[str, Any]:
    """.zenodo.json: metadata of a deposit; without a licence it is restricted."""
    metadata: dict[str, Any] = {
        "title": facts.name,
        "upload_type": "dataset",
        "description": facts.description or facts.name,
        "creators": [{"name": name} for name in facts.creators or [UNKNOWN]],
        "keywords": ["paraphrase", "human evaluation", "annotator agreement"],
        "access_right": "open" if facts.licence else "restricted",
    }
    if facts.licence:
        metadata["license"] = facts.licence
    else:
        metadata["access_conditions"] = "No licence was chosen yet."
    return metadata


# The reported numbers that `reproduce.py` computes again, picked from the reports.


AGREEMENT = ("percent_agreement", "within_one", "alpha_nominal", "alpha_ordinal", "alpha_interval")
CORRELATION = ("pearson", "spearman", "kendall")


def expected_numbers(
    *,
    agreement: Mapping[str, Any],
    results: Mapping[str, Any],
    correlation: Mapping[str, Any],
    directions: Mapping[str, bool],
    counts: Mapping[str, Any],
) -> dict[str, Any]:
    """expected.json. `directions`: for each scale with a threshold, whether higher is better;
    `counts`: of annotators, judgments, ratings and texts, and the digest of the data."""
    return {
        "counts": dict(counts),
        "thresholds": {
            name: {"value": value, "higher_is_better": directions[name]}
            for name, value in results["thresholds"].items()
            if value is not None
        },
        "agreement": {
            scale: {"n_ratings": block["n_ratings"], **_values(block, AGREEMENT)}
            for scale, block in agreement["scales"].items()
        },
        "results": {
            system: {
                "n": numbers["n"],
                "pass_all": numbers["pass_all"],
                "scales": {
                    scale: {
                        "n": block["n"],
                        "mean": block.get("mean"),
                        "pass": block.get("pass"),
                        "distribution": block["distribution"],
                    }
                    for scale, block in numbers["scales"].items()
                },
            }
            for system, numbers in results["systems"].items()
        },
        "turned": {
            "human": list(correlation.get("turned", ())),
            "metrics": [run["label"] for run in correlation["runs"] if run["turned"]],
        },
        "correlation": {
            human: {
                metric: {"n": numbers["pearson"]["n"], **_values(numbers, CORRELATION)}
                for metric, numbers in block["metrics"].items()
            }
            for human, block in correlation["human"].items()
        },
    }


def _values(numbers: Mapping[str, Any], names: Sequence[str]) -> dict[str, float | None]:
    return {name: numbers[name]["value"] for name in names if name in numbers}
