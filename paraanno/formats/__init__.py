"""Dates and numbers: unambiguous, and the same in every language.

Django imports `paraanno.formats.CODE.formats` for the language of a page, and takes its own, with
decimal commas and local dates, where there is none. So this module has the names of all languages.
"""

from __future__ import annotations

import sys

DATE_FORMAT = SHORT_DATE_FORMAT = "Y-m-d"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y-m-d H:i"
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","

LOCALES = ("en", "ko", "ar", "de", "es", "fr", "hi", "ja", "pt", "ru", "vi", "zh_Hans", "pt_BR")
for _locale in LOCALES:
    for _name in (_locale, f"{_locale}.formats"):
        sys.modules[f"{__name__}.{_name}"] = sys.modules[__name__]
