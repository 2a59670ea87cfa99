"""Stores of resources that recipes take."""

from scoring.metrics.resources.kinds import convert


def store_of(kind, content, folder):
    """The store of a file with this content, called by its kind."""
    source, store = folder / f"{kind}.txt", folder / kind
    source.write_text(content, "utf-8")
    store.mkdir()
    convert(kind, source, store, progress=print)
    return store
