"""What the files of a package say about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# Identifier (of SPDX in lower case, as Hugging Face and Zenodo write it) -> name, address.
LICENCES = {
    "cc-by-4.0": (
        "Creative Commons Attribution 4.0 International",
        "https://creativecommons.org/licenses/by/4.0/",
    ),
    "cc-by-sa-4.0": (
        "Creative Commons Attribution Share Alike 4.0 International",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
    "cc-by-nc-4.0": (
        "Creative Commons Attribution Non Commercial 4.0 International",
        "https://creativecommons.org/licenses/by-nc/4.0/",
    ),
    "cc0-1.0": (
        "Creative Commons Zero 1.0 Universal",
        "https://creativecommons.org/publicdomain/zero/1.0/",
    ),
}
FEW = 5  # An answer that fewer annotators gave is not told.


@dataclass(frozen=True, slots=True)
class PackageTable:
    """A table: its name, what a row is, the columns with their kinds, and the SHA-256 of its CSV.

    kinds  those of `annotation.exporters.Column`: text, integer, number, flag, time, list, json
    """

    name: str
    says: str
    columns: Sequence[tuple[str, str]]
    rows: int
    sha256: str
    parquet_sha256: str


@dataclass(frozen=True, slots=True)
class BackgroundCount:
    """A background question, with how many annotators gave each answer.

    `few` are those whose answer fewer than FEW gave, `silent` those who gave none.
    """

    wording: str
    counts: Sequence[tuple[str, int]]
    few: int
    silent: int


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """What cards and metadata report.

    licence   a key of LICENCES, or "" where none was chosen
    creators  names, as "Family, Given"
    """

    slug: str
    name: str
    description: str
    languages: Sequence[str]
    scales: Sequence[tuple[str, str, float, float]]
    systems: Sequence[str]
    texts: int
    items: int
    phrases: int
    ratings: int
    annotators: int
    simulated: int
    first: str
    last: str
    licence: str
    creators: Sequence[str]
    version: str
    background: Sequence[BackgroundCount] = ()

    @property
    def size_category(self) -> str:
        """The category of Hugging Face for the number of ratings."""
        for most, name in ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K")):
            if self.ratings < most:
                return name
        return "100K<n<1M" if self.ratings < 10**6 else "1M<n<10M"
