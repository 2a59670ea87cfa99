"""Components of variance behind the intraclass correlations: mean squares, else REML."""
