"""A campaign with metrics against people."""

import csv
import io

from tests.clients import client_of

ITEMS, SYSTEMS = 10, "ABC"


def item_rows():
    for item in range(ITEMS):
        for system in SYSTEMS:
            row = {
                "item": f"i{item}",
                "phrase": f"number {item}",
                "sentence": f"The old number {item}.",
                "paraphrase": f"text {item} {system}",
                "system": system,
            }
            yield row | ({"reference": f"The old text {item} A."} if item == 0 else {})


def get(address="", **query):
    """A page of the correlation of the campaign called world, as a reader gets it."""
    return client_of("vera").get(f"/c/world/correlation/{address}", query)


def figure_rows(name, **query):
    """What a figure draws, as its table has it: (series, x, y, value, ...)."""
    text = get(f"figure/{name}.csv", **query).content.decode()
    return [tuple(row) for row in csv.reader(io.StringIO(text))][1:]
