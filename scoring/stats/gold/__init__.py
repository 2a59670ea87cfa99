"""Gold: one value per unit, by named methods."""
