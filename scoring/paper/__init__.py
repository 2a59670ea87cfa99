"""Files for a paper about a campaign: tables, a methods paragraph, a datasheet, and the
mt-metrics-eval layout. Pure functions from reports and facts to text. No database, no Django."""
