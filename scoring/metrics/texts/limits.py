"""Sizes of caches of text analyses."""

# A chunk has about 250 paraphrases with their originals and references. Longer texts are not
# cached, so that a cache stays within some 10 MB for each tokenizer.
MOST_KEPT = 1024
LONGEST_KEPT = 1000  # characters
