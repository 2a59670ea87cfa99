"""What a campaign was, for the files of a paper."""

from scoring.paper.facts import Facts, ScaleFacts, SourceFacts
from scoring.stats.agreement.catalogue import coefficients

NAMES = {key: one.printed for key, one in coefficients().items()}

MEANING = ScaleFacts("MEANING", "Same?", "ordinal", 1, 5, 1, True, 3, ((1, "No", "not at all"),))

FOUND = {
    "value": 0.7,
    "ci_low": 0.61,
    "ci_high": 0.79,
    "generalises_to": "new phrases",
    "n": 9,
    "reason": None,
}

UNDEFINED = {
    "value": None,
    "ci_low": None,
    "ci_high": None,
    "generalises_to": None,
    "n": 0,
    "reason": "undefined: no ratings",
}

AGREEMENT = {
    "scales": {
        "MEANING": {
            "n_units": 9,
            "n_ratings": 18,
            "alpha_ordinal": FOUND,
            "icc_2_1": UNDEFINED,
        }
    }
}


HERE = SourceFacts("browser", "", 2, 18, "2026-01-02", "2026-02-03")
IMPORTED = SourceFacts("import", "Potato", 2, 18, "2025-01-02", "2025-02-03")


def facts(**changes):
    values = {
        "slug": "camp",
        "name": "Camp",
        "description": "",
        "scales": (MEANING,),
        "systems": ("A",),
        "items": 3,
        "phrases": 2,
        "texts": 9,
        "per_sheet": 2,
        "max_per_sheet": None,
        "layout": "item",
        "annotators": {"invited": 2},
        "judgments": 18,
        "ratings": 35,
        "cannot_judge": 1,
        "sources": (HERE,),
        "per_text": (2, 2, 2.0),
    }
    return Facts(**{**values, **changes})
