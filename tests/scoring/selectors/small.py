"""A small campaign judged by three voices."""

from datetime import UTC, datetime, timedelta

from django.urls import reverse

from scoring.annotators.report import annotators_for
from tests.factories import add_judgments, judgment_row, make_campaign

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)

EIGHT = 8


def rows_of_items(items=EIGHT):
    places = [
        {"item": f"i{n}", "phrase": f"w{n}", "sentence": f"There is w{n} here."}
        for n in range(items)
    ]
    outputs = [
        {**place, "paraphrase": f"{place['phrase']} {text}", "system": text}
        for place in places
        for text in "xy"
    ]
    return [*outputs, {**places[0], "paraphrase": "a control", "role": "control"}]


def value_of(item, text, code):
    shift = {"a": 0, "b": 1, "c": -1}[code]
    return min(5, max(1, 1 + (item * 3 + (text == "y") * 2) % 5 + shift * (item % 3 > 0)))


def judged(items=EIGHT, *, timed=True):
    """a, b and c judge everything; their times run against the order of the file."""
    rows = []
    for code in "abc":
        for n in range(items):
            for at, text in enumerate("xy"):
                moment = NINE - timedelta(seconds=60 * n + 10 * at)
                for scale in ("MEANING", "GRAMMAR"):
                    value = value_of(n + (scale == "GRAMMAR"), text, code)
                    row = judgment_row(f"i{n}", f"w{n} {text}", code, value, scale)
                    rows.append(row | ({"judged_at": moment.isoformat()} if timed else {}))
    return rows


def small_campaign(slug="small", items=EIGHT, **options):
    campaign = make_campaign(slug, rows=rows_of_items(items), k=3)
    add_judgments(campaign, judged(items, **options))
    return campaign


def numbers(campaign, code, scale="MEANING"):
    found = annotators_for(campaign=campaign)["scales"][scale]["voices"][code]
    return found


def shown(client, **query):
    page = client.get(reverse("annotators", args=["small"]), query)
    return [row["code"] for row in page.context["page"]]
