"""Gold of each text, and its scores by sacrebleu and by definition."""

import math

import pandas as pd
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from tools.recount.files import read


def gold(campaign):
    """gold.csv and table.csv: mean, number and standard deviation of the ratings, and passes."""
    same = campaign.same
    file = campaign.csv("gold.csv")
    outputs = file[file.role == "output"].set_index("text_key")
    table = campaign.table.set_index("text_key")
    texts = campaign.texts
    same("texts in table.csv", set(table.index), set(texts.text_key))
    systems = texts.groupby("text_key").system.agg(lambda names: sorted(set(names)))
    for key, names in systems.items():
        same(f"{key} systems in table.csv", sorted(table.loc[key].systems.split("|")), names)
    means = {}
    for scale in campaign.scales:
        one = campaign.ratings[campaign.ratings.scale == scale].groupby("text_key").value
        means[scale] = one.mean()
        for key, mean in means[scale].items():
            row = outputs.loc[key]
            same(f"{key} {scale}", float(row[scale]), float(mean))
            same(f"{key} {scale} in table.csv", table.loc[key][scale], float(mean))
            same(f"{key} {scale}_n", int(row[f"{scale}_n"]), int(one.size()[key]))
            deviation = float(one.std()[key])
            if math.isnan(deviation):
                same(f"{key} {scale}_sd of one rating", row[f"{scale}_sd"], "")
            else:
                same(f"{key} {scale}_sd", float(row[f"{scale}_sd"]), deviation)
        same(f"gold texts of {scale}", int((outputs[scale] != "").sum()), len(means[scale]))
    total = " + ".join(campaign.scales)
    if len(campaign.scales) > 1:
        for key, mean in campaign.sums.groupby("text_key").mean().items():
            same(f"{key} {total}", table.loc[key][total], float(mean))
    for key, values in pd.DataFrame(means).dropna().iterrows():
        passes = all(values[scale] >= least for scale, least in campaign.scales.items())
        same(f"{key} pass", int(table.loc[key]["pass"]), int(passes))


def scores(campaign, against):
    """The columns bleu, chrf and pinc of table.csv; `against` names what each compares with."""
    items = read(campaign.folder / "items.csv").drop_duplicates("text_key").set_index("text_key")
    columns = [name for name in items.columns if name.startswith("reference")]
    metrics = {"bleu": BLEU(effective_order=True), "chrf": CHRF()}
    for row in campaign.table.to_dict("records"):
        item = items.loc[row["text_key"]]
        start, end = int(item.start), int(item.end)
        made = item.sentence[:start] + item.paraphrase + item.sentence[end:]
        references = [item[name] for name in columns if item[name]]
        for label, target in against.items():
            name = label.partition(":")[0]
            known = references if target == "references" else [item.sentence]
            expected = None
            if name == "pinc":
                expected = pinc(item.sentence, made)
            elif known:
                expected = metrics[name].sentence_score(made, known).score
            found = None if math.isnan(row[label]) else row[label]
            campaign.same(f"{row['text_key']} {label}", found, expected)


def pinc(original, made, longest=4):
    """Chen and Dolan 2011, section 3.2: the mean share of new n-grams, n = 1 to 4."""
    one, other = (Tokenizer13a()(text).split() for text in (original, made))
    shares = []
    for n in range(1, longest + 1):
        new = {tuple(other[at : at + n]) for at in range(len(other) - n + 1)}
        old = {tuple(one[at : at + n]) for at in range(len(one) - n + 1)}
        if new:
            shares.append(1 - len(new & old) / len(new))
    return sum(shares) / len(shares)
