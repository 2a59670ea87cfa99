"""A campaign whose questions were answered."""

PAGE = "/c/camp/consent/answers/"
