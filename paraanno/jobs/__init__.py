"""One engine for all work that takes longer than a page: claimed, carried out, closed, swept."""
