"""Names of parameters that a crowd platform adds to a link."""

from __future__ import annotations

import re

from paraanno.plain.sentence import NOTHING, Sentence, say

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
# Forms and logins read these: an id under such a name would be taken for theirs.
TAKEN = frozenset({"csrfmiddlewaretoken", "next"})


def parameter_problem(name: str) -> Sentence:
    """Return what is wrong with the name, NOTHING if a platform may give an id under it."""
    if not NAME.fullmatch(name):
        return say("The name of a parameter: letters, digits, _ and -, a letter first, no blanks.")
    if name.lower() in TAKEN:
        return say("Pages of this site use %(name)s themselves: choose another name.", name=name)
    return NOTHING
