"""Coefficients of metrics against people, over texts and systems, and mt-metrics-eval's files."""

from itertools import combinations

import pandas as pd
from sacrebleu.metrics import BLEU
from scipy import stats

from tools.recount.files import read

# Of these lower is better; the product reverses their sign.
LOWER = ("ter", "fkgl", "self_bleu", "p_bleu")
MISSING = "[No translation supplied]"
TESTS = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
}


def correlation(campaign):
    """correlation.csv over the texts that have both values."""
    for row in campaign.csv("correlation.csv").to_dict("records"):
        human, metric, name = row["human"], row["metric"], row["coefficient"]
        both = campaign.table[["item_key", human, metric]].dropna()
        both[metric] *= sign(metric)
        label = f"{human} {metric} {name}"
        if name in TESTS:
            value, p = TESTS[name](both[human], both[metric])
            campaign.same(f"{label} n", int(row["n"]), len(both))
            campaign.same(f"{label} p", float(row["p_independent"]), float(p), 1e-6)
        elif name == "pairwise_accuracy":
            value, n = accuracy(both, human, metric)
            campaign.same(f"{label} n", int(row["n"]), n)
        else:
            raise KeyError(f"correlation.csv has a coefficient that nobody recounts: {name}")
        campaign.same(label, float(row["value"]), float(value))
        if row["ci_low"]:
            inside = float(row["ci_low"]) <= value <= float(row["ci_high"])
            campaign.same(f"{label} is in its interval", inside, True)


def sign(metric):
    return -1 if metric.partition(":")[0] in LOWER else 1


def accuracy(rows, human, metric):
    """Share of pairs of one item, not tied by people, in the order of people; a tie is half."""
    right = n = 0.0
    for _, own in rows.groupby("item_key"):
        for a, b in combinations(zip(own[human], own[metric], strict=True), 2):
            if a[0] == b[0]:
                continue
            n += 1
            order = (a[0] - b[0]) * (a[1] - b[1])
            right += 0.5 if order == 0 else float(order > 0)
    return right / n, int(n)


def systems(campaign):
    """correlation-systems.json: means of systems, and coefficients within each system."""
    same = campaign.same
    makers = campaign.texts[["text_key", "system"]].drop_duplicates()
    rows = campaign.table.merge(makers, on="text_key")
    for human, found in campaign.json("correlation-systems.json")["human"].items():
        for metric, one in found["systems"].items():
            both = rows[["system", human, metric]].dropna()
            both[metric] *= sign(metric)
            means = both.groupby("system")[[human, metric]].mean()
            for system in one["systems"]:
                for who, column in (("metric", metric), ("human", human)):
                    mean = float(means.loc[system["system"], column])
                    same(f"{human} {metric}: {who} of {system['system']}", system[who], mean)
            for name, test in TESTS.items():
                value = test(means[human], means[metric])[0]
                same(f"{human} {metric} {name} of systems", one[name]["value"], float(value))
        for system, by_metric in found["per_system"].items():
            own = rows[rows.system == system]
            for metric, one in by_metric.items():
                both = own[[human, metric]].dropna()
                both[metric] *= sign(metric)
                for name, test in TESTS.items():
                    if one[name]["value"] is None:
                        same(f"{system}: a reason", bool(one[name]["reason"]), True)
                        continue
                    label = f"{human} {metric} {name} within {system}"
                    same(label, one[name]["value"], float(test(both[human], both[metric])[0]))
                    same(f"{label} n", one[name]["n"], len(both))


def evaluation_folder(campaign):
    """mt-metrics-eval: scores of segments; of systems the mean or, for BLEU, of the corpus."""
    same = campaign.same
    (folder,) = (campaign.folder / "paper" / "mt-metrics-eval").glob("*/")
    for documents in sorted((folder / "documents").iterdir()):
        pair = documents.stem
        sources = (folder / "sources" / f"{pair}.txt").read_text().splitlines()
        same(f"{pair} documents", len(documents.read_text().splitlines()), len(sources))
        for scale in campaign.scales:
            known = campaign.table[["sentence", "systems", scale]].dropna()
            segments, means = (
                table(folder / "human-scores" / f"{pair}.{scale}.{level}.score")
                for level in ("seg", "sys")
            )
            for system, own in segments.groupby("system", sort=False):
                texts = known[known.systems.str.split("|").map(lambda s, n=system: n in s)]
                for sentence, value in zip(sources, own.value, strict=True):
                    golds = texts[texts.sentence == sentence][scale]
                    if value == "None":
                        same(f"{pair} {system}: no gold", len(golds), 0)
                    else:
                        near = (golds - float(value)).abs().min() < 1e-6
                        same(f"{pair} {system} {scale} {sentence[:30]}", bool(near), True)
                given = own.value[own.value != "None"].astype(float)
                found = means.set_index("system").value[system]
                same(f"{pair} {system} {scale}", found == "None", given.empty)
                if not given.empty:
                    same(f"{pair} {system} {scale}", float(found), float(given.mean()), 1e-6)
        corpus_bleu(campaign, folder, pair)


def corpus_bleu(campaign, folder, pair):
    """The score of a system by BLEU is sacrebleu's of all its texts."""

    def lines(of):
        return (folder / f"{of}.txt").read_text().splitlines()

    references = {
        path.stem.removeprefix(f"{pair}."): lines(f"references/{path.stem}")
        for path in sorted((folder / "references").glob(f"{pair}.*.txt"))
    }
    for path in sorted((folder / "metric-scores" / pair).glob("bleu-*.sys.score")):
        named = path.name.removeprefix("bleu-").removesuffix(".sys.score")
        if named == "src":
            targets = [lines(f"sources/{pair}")]
        else:
            names = references if named == "all" else named.split(".")
            targets = [references[name] for name in names if name in references]
        for row in table(path).itertuples():
            made = lines(f"system-outputs/{pair}/{row.system}")
            filled = [at for at, text in enumerate(made) if text != MISSING]
            score = BLEU().corpus_score(
                [made[at] for at in filled],
                [[one[at].replace(MISSING, "") or None for at in filled] for one in targets],
            )
            campaign.same(f"{path.name} {row.system}", float(row.value), score.score, 1e-6)


def table(path):
    return pd.read_csv(path, sep="\t", names=["system", "value"], dtype=str, keep_default_na=False)


def figures(campaign):
    """Every point of a scatter plot is a text of table.csv with its two numbers."""
    known = campaign.table.set_index("text_key")
    humans = [*campaign.scales, " + ".join(campaign.scales)]
    for path in sorted((campaign.folder / "paper" / "figures").glob("scatter-*.csv")):
        human = humans[int(path.stem.rpartition("-")[2]) - 1]
        points = read(path)
        metric = points.series.iloc[0]
        for point in points.itertuples():
            text = known.loc[point.text_key]
            campaign.same(f"{path.name} {point.text_key} x", float(point.x), text[metric])
            campaign.same(f"{path.name} {point.text_key} y", float(point.y), text[human])
