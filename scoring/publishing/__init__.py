"""The files of a package to publish, beside its tables. No Django, no database."""

from scoring.publishing.about import LICENCES, BackgroundCount, PackageFacts, PackageTable
from scoring.publishing.browse import browse_page
from scoring.publishing.cards import data_card, data_statement, licence_text, zenodo
from scoring.publishing.croissant import croissant
from scoring.publishing.expected import expected_numbers

__all__ = [
    "LICENCES",
    "BackgroundCount",
    "PackageFacts",
    "PackageTable",
    "browse_page",
    "croissant",
    "data_card",
    "data_statement",
    "expected_numbers",
    "licence_text",
    "zenodo",
]
