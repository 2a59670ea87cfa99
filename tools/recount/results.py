"""Results per system: coverage, means, distributions, passes, Wilson's intervals, differences."""

from scipy import stats


def items_of(texts):
    return texts.drop_duplicates(["item", "phrase", "sentence", "start"])


def results(campaign):
    same = campaign.same
    found = campaign.json("results.json")
    texts = campaign.texts
    makers = texts[["text_key", "system"]].drop_duplicates()
    judged = campaign.ratings.merge(makers, on="text_key")
    items = items_of(texts)
    answers = campaign.ratings.drop_duplicates(["text_key", "annotator"])
    same("judgments", found["judgments"], len(answers))
    same("phrases", found["phrases"], answers.phrase.nunique())
    same("contexts", found["contexts"], len(answers[["sentence", "start"]].drop_duplicates()))
    same("systems", set(found["systems"]), set(makers.system))
    passes = campaign.all_pass.stack().rename("passes").reset_index()
    passes = passes[passes.passes.notna()].merge(makers, on="text_key")
    for system, row in found["systems"].items():
        own = judged[judged.system == system]
        same(f"{system} n", row["n"], len(own[["text_key", "annotator"]].drop_duplicates()))
        given = items_of(texts[texts.system == system])
        same(f"{system} coverage", row["coverage"], len(given) / len(items))
        for scale, least in campaign.scales.items():
            values = own[own.scale == scale].value
            one = row["scales"][scale]
            same(f"{system} {scale} n", one["n"], len(values))
            same(f"{system} {scale} mean", one["mean"], float(values.mean()))
            shares = values.value_counts(normalize=True)
            for value, share in one["distribution"].items():
                same(f"{system} {scale} {value}", share, float(shares.get(float(value), 0)))
            share_of(same, f"{system} {scale} pass", one, "pass", values >= least)
            low, high = (one["mean_bootstrap"][end] for end in ("low", "high"))
            inside = low is None or low <= one["mean"] <= high
            same(f"{system} {scale} interval holds the mean", inside, True)
        decided = passes[passes.system == system].passes
        share_of(same, f"{system} pass_all", row, "pass_all", decided == 1)
    differences(campaign, found["pairs"], judged, passes)
    in_csv(campaign, found)


def share_of(same, name, row, key, passed):
    same(f"{name} n", row[f"{key}_n"], len(passed))
    same(name, row[key], float(passed.mean()))
    wilson = stats.binomtest(int(passed.sum()), len(passed)).proportion_ci(method="wilson")
    same(f"{name} Wilson, low", row[f"{key}_interval"]["low"], float(wilson.low))
    same(f"{name} Wilson, high", row[f"{key}_interval"]["high"], float(wilson.high))


def differences(campaign, pairs, judged, passes):
    """Means over the items that both systems have; an item's value is the mean of its judgments."""
    place = campaign.texts.drop_duplicates("text_key").set_index("text_key")
    place = place.sentence + "|" + place.start

    def of_items(rows, column):
        item = rows.text_key.map(place)
        return rows.assign(item=item).pivot_table(index="item", columns="system", values=column)

    given = {
        system: set(own.sentence + "|" + own.start)
        for system, own in campaign.texts.groupby("system")
    }
    tables = {scale: of_items(judged[judged.scale == scale], "value") for scale in campaign.scales}
    tables[None] = of_items(passes, "passes")
    for pair in pairs:
        a, b, scale = str(pair["a"]), str(pair["b"]), pair["scale"]
        both = tables[scale][[a, b]].dropna()
        name = f"{a} - {b}, {scale or 'all pass'}"
        for about, expected in (
            ("n", len(both)),
            ("items", len(given[a] & given[b])),
            ("a_value", float(both[a].mean())),
            ("b_value", float(both[b].mean())),
            ("difference", float((both[a] - both[b]).mean())),
        ):
            campaign.same(f"{name}: {about}", pair[about], expected)


def in_csv(campaign, found):
    """results.csv has the numbers of results.json."""
    for row in campaign.csv("results.csv").to_dict("records"):
        of = found["systems"][row["system"]]
        if row["scale"]:
            of = of["scales"][row["scale"]]
        name = f"results.csv {row['system']} {row['scale']} {row['outcome']}"
        campaign.same(name, float(row["value"]), float(of[row["outcome"]]))
