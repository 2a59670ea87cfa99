"""The human ceiling beside the correlations of metrics."""

import json
import re

from annotation.models import Annotator
from scoring.correlation import report
from scoring.ratings.tables import ratings_get
from scoring.stats.evaluation.ceiling import ceiling
from scoring.stats.table import combine
from tests.clients import client_of, html_of
from tests.scoring.selectors.small import small_campaign
from tests.scoring.views.site import done_run


def test_one_row_for_each_scale_and_their_sum():
    campaign = small_campaign()
    done_run(campaign, {f"w{n} {text}": n + 0.5 * (text == "y") for n in range(8) for text in "xy"})
    client, address = client_of("alice"), "/c/small/correlation/"
    page = client.get(address)
    ratings = ratings_get(campaign=campaign)
    tables = {**ratings.tables, "MEANING + GRAMMAR": combine(list(ratings.tables.values()))}
    rows = re.findall(r'<tr class="ceiling">.*?</tr>', html_of(page))
    for row, (name, table) in zip(rows, tables.items(), strict=True):
        pure = ceiling(table, clusters=ratings.phrase, plan=report.PLAN)
        assert page.context["found"]["ceiling"][name] == {
            kind: {key: json.loads(json.dumps(one.as_json())) for key, one in estimates.items()}
            for kind, estimates in pure.items()
        }
        best = pure["leave_one_out"]["pearson"]
        assert best.ci_low is not None and best.generalises_to == "new phrases"
        assert f"{best.value:.3f}" in row and f"{best.ci_low:.2f}" in row
        assert f"halves {pure['split_half']['spearman'].value:.2f}" in row
    Annotator.objects.filter(code="a").update(origin="anonymous")
    html = html_of(client.get(address))
    assert html.count("undefined: annotators are anonymous") >= 6 and "halves" in html
