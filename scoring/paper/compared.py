"""One sentence that says what metrics compared the paraphrases with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

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
            told = _told(run["met"]) if run.get("met") else _unknown(signature)
            groups[told].append(names.get(run["label"], run["label"]))
    if not groups:
        return ""
    parts = (f"{what} ({', '.join(labels)})" for what, labels in groups.items())
    return f"Paraphrases were compared {'; '.join(parts)}. "


def _told(met: Mapping[str, int]) -> str:
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
