"""Pages about a campaign."""
