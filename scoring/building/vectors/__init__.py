"""Word vectors trained from a text, nearest words, and texts whose words are replaced by them."""
