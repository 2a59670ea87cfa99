"""Metadata after Croissant 1.0 (MLCommons 2024), which mlcroissant checks. No Django."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from scoring.publishing.package_files import LICENCES, UNKNOWN, PackageFacts, PackageTable

TYPES = {"integer": "sc:Integer", "number": "sc:Float", "flag": "sc:Boolean"}
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(facts: PackageFacts, tables: Sequence[PackageTable]) -> dict[str, Any]:
    """croissant.json: the CSV files of the package, and their columns as fields."""
    metadata: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": facts.slug,
        "description": facts.description or facts.name,
        "alternateName": facts.name,
        "version": "1.0.0",
        "citeAs": "; ".join([*facts.creators, facts.name, f"data {facts.data[:12]}"]),
        "rai:dataCollection": " ".join(facts.collected) or UNKNOWN,
        "rai:annotatorDemographics": facts.reported.get("annotators") or UNKNOWN,
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": f"{table.name}.csv",
                "name": f"{table.name}.csv",
                "description": f"A row is {table.says}.",
                "contentUrl": f"data/{table.name}.csv",
                "encodingFormat": "text/csv",
                "sha256": table.sha256,
            }
            for table in tables
        ],
        "recordSet": [_records(table) for table in tables],
    }
    if facts.licence:
        metadata["license"] = LICENCES[facts.licence][1]
    if facts.creators:
        metadata["creator"] = [{"@type": "sc:Person", "name": name} for name in facts.creators]
    return metadata


def _records(table: PackageTable) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": f"A record is {table.says}.",
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{table.name}/{quote(name)}",  # A name may have spaces, an id may not.
                "name": name,
                "description": name,
                "dataType": TYPES.get(kind, "sc:Text"),
                "source": {
                    "fileObject": {"@id": f"{table.name}.csv"},
                    "extract": {"column": name},
                },
            }
            for name, kind in table.columns
        ],
    }
