"""Compares all files with what was computed again."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pandas as pd

from tests.site.recount.agreement import coefficients
from tests.site.recount.correlation import correlation, evaluation_folder, figures, systems
from tests.site.recount.files import Campaign, Tally
from tests.site.recount.results import results
from tests.site.recount.texts import gold, scores


def recount(folder: Path, against: dict[str, str] | None = None) -> Tally:
    """What differs in the folder; `against` says for bleu, chrf and pinc what they compare with."""
    campaign = Campaign(folder, Tally())
    manifest(campaign)
    agreement(campaign)
    gold(campaign)
    results(campaign)
    methods(campaign)
    if against:
        scores(campaign, against)
        correlation(campaign)
        systems(campaign)
        evaluation_folder(campaign)
        figures(campaign)
    return campaign.tally


def manifest(campaign: Campaign) -> None:
    for name, entry in campaign.json("manifest.json")["files"].items():
        data = (campaign.folder / "paper" / name).read_bytes()
        campaign.tally.same(f"{name} bytes", entry["bytes"], len(data))
        campaign.tally.same(f"{name} sha256", entry["sha256"], hashlib.sha256(data).hexdigest())


def agreement(campaign: Campaign) -> None:
    """ratings.csv holds the counted ratings, and agreement.csv what follows from them."""
    columns = ["text_key", "annotator", "scale", "value"]
    ours = campaign.ratings[columns].values.tolist()
    file = campaign.csv("ratings.csv")
    file = file[file.value != ""].assign(value=file.value.astype(float))
    theirs = file[["item", "annotator", "scale", "value"]].values.tolist()
    campaign.tally.same("ratings.csv", sorted(theirs), sorted(ours))
    levels = {s: sorted({float(v) for v in d["distribution"]}) for s, d in
              campaign.json("agreement.json")["scales"].items()}  # fmt: skip
    tables = {("ratings", scale): (campaign.wide(scale), levels[scale]) for scale in levels}
    for scale, least in campaign.scales.items():
        tables["passes", scale] = (campaign.wide(scale, least), [0.0, 1.0])
    tables["passes", "ALL"] = (campaign.all_pass, [0.0, 1.0])
    found = campaign.csv("agreement.csv")
    campaign.tally.same("tables of agreement", set(zip(found.about, found.name, strict=True)),
                        set(tables))  # fmt: skip
    for (about, name), (wide, values) in tables.items():
        expected = coefficients(wide, values)
        per_text = wide.notna().sum(axis=1)
        n, every = int((per_text >= 2).sum()), int((per_text >= 1).sum())
        for row in found[(found.about == about) & (found.name == name)].to_dict("records"):
            label = f"{about} {name} {row['statistic']}"
            value = expected[row["statistic"]]
            if row["value"] == "":
                campaign.tally.same(f"{label}: a reason", bool(row["reason"]), True)
                continue
            near = 2e-5 if row["statistic"].startswith("icc") else 1e-9  # both search a maximum
            campaign.tally.same(label, float(row["value"]), value, near)
            if row["statistic"] != "kendall_w":
                used = every if row["statistic"].startswith("icc") else n  # REML takes all ratings
                campaign.tally.same(f"{label} n", int(row["n"]), used)
            if row["ci_low"]:
                inside = float(row["ci_low"]) <= float(row["value"]) <= float(row["ci_high"])
                campaign.tally.same(f"{label} is in its interval", inside, True)
    latex(campaign, found)


def latex(campaign: Campaign, found: pd.DataFrame) -> None:
    """Cells of agreement.tex are rounded values of agreement.csv; what does not fit is empty."""
    text = (campaign.folder / "paper" / "agreement.tex").read_text()
    rows: list[list[str]] = []
    for table in text.split(r"\begin{tabular}")[1:]:
        lines = [line.removesuffix(r" \\").split(" & ")[1:] for line in table.splitlines()
                 if line.endswith(r" \\") and " & " in line]  # fmt: skip
        rows = [[*one, *more] for one, more in zip(rows, lines, strict=True)] if rows else lines
    of = list(dict.fromkeys(zip(found.about, found.name, strict=True)))
    for at, (about, name) in enumerate(of):
        values = found[(found.about == about) & (found.name == name)].value
        for line, value in zip(rows[4:], values, strict=False):
            printed = line[at].split(" ")[0]
            if printed or about == "ratings":
                campaign.tally.same(f"agreement.tex {about} {name}", printed, short(value))


def short(value: str) -> str:
    return re.sub(r"^(-?)0\.", r"\1.", f"{float(value):.2f}") if value else "--"


def methods(campaign: Campaign) -> None:
    """The counts of the first sentences of methods.md."""
    text = (campaign.folder / "paper" / "methods.md").read_text()
    answers, texts = campaign.ratings, campaign.texts
    expected = {
        r"([\d,]+) judgments": len(answers.drop_duplicates(["text_key", "annotator"])),
        r"of ([\d,]+) paraphrases": texts.text_key.nunique(),
        r"\(([\d,]+) of them without a judgment\)": texts.text_key.nunique()
        - answers.text_key.nunique(),
        r"of ([\d,]+) systems": texts.system.nunique(),
        r"([\d,]+) answers \"cannot judge\"": int((campaign.answers.value == "").sum()),
    }
    for pattern, count in expected.items():
        match = re.search(pattern, text)
        known = int(match.group(1).replace(",", "")) if match else 0
        campaign.tally.same(f"methods.md: {pattern}", known, count)
