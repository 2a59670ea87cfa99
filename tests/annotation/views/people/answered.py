"""A campaign whose questions were answered."""

from __future__ import annotations

PAGE = "/c/camp/consent/answers/"
