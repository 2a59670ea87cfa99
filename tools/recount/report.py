"""Compares all files with what was computed again."""

import hashlib
import re

from tools.recount.agreement import coefficients
from tools.recount.correlation import correlation, evaluation_folder, figures, systems
from tools.recount.files import Campaign
from tools.recount.results import results
from tools.recount.texts import gold, scores

# What agreement.tex calls the statistics of agreement.csv.
PRINTED = {
    "percent_agreement": "Percent agreement",
    "within_one": "Within one point",
    "alpha_nominal": "Krippendorff's alpha, nominal",
    "alpha_ordinal": "Krippendorff's alpha, ordinal",
    "alpha_interval": "Krippendorff's alpha, interval",
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2, quadratic",
    "brennan_prediger": "Brennan-Prediger",
    "fleiss_kappa": "Fleiss' kappa",
    "cohen_kappa_pooled": "Cohen's kappa, pooled",
    "cohen_kappa_pooled_linear": "Cohen's kappa, linear, pooled",
    "cohen_kappa_pooled_quadratic": "Cohen's kappa, quadratic, pooled",
    "cohen_kappa": "Cohen's kappa, mean of pairs",
    "cohen_kappa_linear": "Cohen's kappa, linear, mean of pairs",
    "cohen_kappa_quadratic": "Cohen's kappa, quadratic, mean of pairs",
    "scott_pi": "Scott's pi, mean of pairs",
    "kendall_w": "Kendall's W",
    "icc_1_1": "ICC(1,1)",
    "icc_2_1": "ICC(2,1)",
    "icc_3_1": "ICC(3,1)",
    "icc_1_k": "ICC(1,k)",
    "icc_2_k": "ICC(2,k)",
    "icc_3_k": "ICC(3,k)",
}


def recount(folder, against=None):
    """What differs in the folder; `against` says for bleu, chrf and pinc what they compare with."""
    campaign = Campaign(folder)
    for look in (manifest, agreement, gold, results, methods):
        look(campaign)
    if against:
        scores(campaign, against)
        for look in (correlation, systems, evaluation_folder, figures):
            look(campaign)
    return campaign


def manifest(campaign):
    for name, entry in campaign.json("manifest.json")["files"].items():
        data = (campaign.folder / "paper" / name).read_bytes()
        campaign.same(f"{name} bytes", entry["bytes"], len(data))
        campaign.same(f"{name} sha256", entry["sha256"], hashlib.sha256(data).hexdigest())


def agreement(campaign):
    """ratings.csv holds the counted ratings, and agreement.csv what follows from them."""
    columns = ["text_key", "annotator", "scale", "value"]
    ours = campaign.ratings[columns].values.tolist()
    file = campaign.csv("ratings.csv")
    file = file[file.value != ""].assign(value=file.value.astype(float))
    theirs = file[["item", "annotator", "scale", "value"]].values.tolist()
    campaign.same("ratings.csv", sorted(theirs), sorted(ours))
    levels = {
        s: sorted({float(v) for v in d["distribution"]})
        for s, d in campaign.json("agreement.json")["scales"].items()
    }
    tables = {("ratings", scale): (campaign.wide(scale), levels[scale]) for scale in levels}
    for scale, least in campaign.scales.items():
        tables["passes", scale] = (campaign.wide(scale, least), [0.0, 1.0])
    tables["passes", "ALL"] = (campaign.all_pass, [0.0, 1.0])
    found = campaign.csv("agreement.csv")
    campaign.same(
        "tables of agreement", set(zip(found.about, found.name, strict=True)), set(tables)
    )
    for (about, name), (wide, values) in tables.items():
        expected = coefficients(wide, values)
        per_text = wide.notna().sum(axis=1)
        n, every = int((per_text >= 2).sum()), int((per_text >= 1).sum())
        for row in found[(found.about == about) & (found.name == name)].to_dict("records"):
            label = f"{about} {name} {row['statistic']}"
            value = expected[row["statistic"]]
            if row["value"] == "":
                campaign.same(f"{label}: a reason", bool(row["reason"]), True)
                continue
            near = 2e-5 if row["statistic"].startswith("icc") else 1e-9  # both search a maximum
            campaign.same(label, float(row["value"]), value, near)
            if row["statistic"] != "kendall_w":
                used = every if row["statistic"].startswith("icc") else n  # REML takes all ratings
                campaign.same(f"{label} n", int(row["n"]), used)
            if row["ci_low"]:
                inside = float(row["ci_low"]) <= float(row["value"]) <= float(row["ci_high"])
                campaign.same(f"{label} is in its interval", inside, True)
    latex(campaign, found)


def latex(campaign, found):
    """Cells of agreement.tex are rounded values of agreement.csv; what does not fit is empty."""
    text = (campaign.folder / "paper" / "agreement.tex").read_text()
    of = list(dict.fromkeys(zip(found.about, found.name, strict=True)))
    cells = {}
    first = 0
    for table in text.split(r"\begin{tabular}")[1:]:
        head, *lines = [
            line.removesuffix(r" \\").split(" & ")
            for line in table.splitlines()
            if line.endswith(r" \\") and " & " in line
        ]
        for label, *line in lines:
            label = label.removeprefix(r"\raggedright ").replace(r"\hspace{0pt}", "")
            cells.setdefault(label, {}).update(enumerate(line, first))
            campaign.same(f"agreement.tex {label}: has a cell", any(line), True)
        first += len(head) - 1
    campaign.same("agreement.tex: columns", first, len(of))
    for at, (about, name) in enumerate(of):
        rows = found[(found.about == about) & (found.name == name)]
        for key, value in zip(rows.statistic, rows.value, strict=True):
            printed = cells.get(PRINTED[key], {}).get(at, "").split(" ")[0]
            if printed or about == "ratings":
                campaign.same(f"agreement.tex {about} {name} {key}", printed, short(value))


def short(value):
    """Two digits without a zero before the point; nothing is less than nothing."""
    if not value:
        return "--"
    return re.sub(r"^(-?)0\.", r"\1.", f"{float(value):.2f}").replace("-.00", ".00")


def methods(campaign):
    """The counts of the first sentences of methods.md."""
    text = (campaign.folder / "paper" / "methods.md").read_text()
    answers, texts = campaign.ratings, campaign.texts
    expected = {
        r"([\d,]+) judgments": len(answers.drop_duplicates(["text_key", "annotator"])),
        r"The data are ([\d,]+) texts": texts.text_key.nunique(),
        r"([\d,]+) of them without a rating": texts.text_key.nunique() - answers.text_key.nunique(),
        r"of ([\d,]+) systems": texts.system.nunique(),
        r"([\d,]+) answers \"cannot judge\"": int((campaign.answers.value == "").sum()),
    }
    for pattern, count in expected.items():
        match = re.search(pattern, text)
        known = int(match.group(1).replace(",", "")) if match else 0
        campaign.same(f"methods.md: {pattern}", known, count)
