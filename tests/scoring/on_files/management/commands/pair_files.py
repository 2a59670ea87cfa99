"""Files of pairs, as people write them."""

from __future__ import annotations

GOOD = (
    "id,original,paraphrase,reference,reference_2\n"
    "a,the cat sat,the cat sat,the cat sat down,a cat sat\n"
    "b,the cat sat,a dog ran,,\n"
    "c,hello there,,,\n"
)
