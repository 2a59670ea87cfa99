"""Gold, passes and results on the units of a campaign."""
