"""A package in memory."""

from scoring.publishing.package_files import BackgroundCount, PackageFacts, PackageTable

TABLES = [
    PackageTable(
        "ratings",
        "a rating",
        [("item", "text"), ("value", "number"), ("A + B", "number")],
        3,
        "a" * 64,
        "b" * 64,
    ),
]


def facts(**changes):
    found = {
        "slug": "camp",
        "name": 'A "camp": one',
        "description": "Why.",
        "languages": ["en", "no"],
        "scales": [("MEANING", "How much | of it?", 1.0, 5.0)],
        "systems": ["S1", "S2"],
        "texts": 4,
        "contexts": "1 phrase in 2 sentences",
        "judgments": 2,
        "ratings": 3,
        "annotators": 8,
        "simulated": 0,
        "collected": ["2 judgments of 8 annotators were imported from Potato."],
        "kinds": ["crowdsourced"],
        "reported": {"texts": "Drawn at random"},
        "data": "d" * 64,
        "first": "2026-01-01",
        "last": "2026-01-02",
        "licence": "cc-by-4.0",
        "creators": ["Doe, Jane"],
        "version": "1.0",
        "background": [BackgroundCount("First language?", [("en", 5)], 2, 1)],
    }
    return PackageFacts(**{**found, **changes})
