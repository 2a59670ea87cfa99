"""Texts about a package: the data card, the data statement, the licence, Zenodo's metadata.

Sources: Hugging Face, "Dataset cards" (YAML head of README.md); Bender and Friedman 2018, "Data
statements for natural language processing"; Zenodo, "Deposit metadata" (.zenodo.json).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from scoring.publishing.about import LICENCES, PackageFacts, PackageTable

UNKNOWN = "TO BE FILLED IN BY THE AUTHORS"


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
    yield "annotations_creators:"
    yield f"- {'machine-generated' if facts.simulated == facts.annotators else 'expert-generated'}"
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
    yield (
        f"{facts.ratings} ratings by {facts.annotators} annotators of {facts.texts} paraphrases "
        f"from {len(facts.systems)} systems, for {facts.phrases} phrases in {facts.items} "
        f"sentences{_dates(facts)}.\n"
    )
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
    yield "See `DATA_STATEMENT.md`, and `datasheet.md` (HEDS 3.0; `heds.json` for its form)."
    yield "`CITATION.md` and `references.bib` say how to cite the software and its methods."


def _dates(facts: PackageFacts) -> str:
    return f", recorded from {facts.first} to {facts.last}" if facts.first else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def data_statement(facts: PackageFacts) -> str:
    """DATA_STATEMENT.md after Bender and Friedman; annotators are counted, never listed."""
    return "\n".join(_statement(facts)) + "\n"


def _statement(facts: PackageFacts) -> Iterator[str]:
    yield f"# Data statement: {facts.name}\n"
    yield "## Curation rationale\n"
    yield f"{facts.description or UNKNOWN}\n"
    yield "## Language variety\n"
    yield f"{', '.join(facts.languages) or UNKNOWN}\n"
    yield "## Speakers of the texts\n"
    yield f"{UNKNOWN}\n"
    yield "## Annotators\n"
    simulated = f", {facts.simulated} of them simulated by a program" if facts.simulated else ""
    yield f"{facts.annotators} annotators rated{simulated}.\n"
    if not facts.background:
        yield "No background questions were asked.\n"
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
    yield f"Rated in a browser with paraanno {facts.version}{_dates(facts)}.\n"
    yield "## Characteristics of the texts\n"
    yield (
        f"{facts.texts} paraphrases of {facts.phrases} phrases in {facts.items} sentences, by the "
        f"systems {', '.join(facts.systems)}.\n"
    )
    yield "## Provenance\n"
    yield UNKNOWN


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
    found: dict[str, Any] = {
        "title": facts.name,
        "upload_type": "dataset",
        "description": facts.description or facts.name,
        "creators": [{"name": name} for name in facts.creators or [UNKNOWN]],
        "keywords": ["paraphrase", "human evaluation", "annotator agreement"],
        "access_right": "open" if facts.licence else "restricted",
    }
    if facts.licence:
        found["license"] = facts.licence
    else:
        found["access_conditions"] = "No licence was chosen yet."
    return found
