"""Phrase pairs of a linked parallel text, and paraphrases by pivoting through them."""
