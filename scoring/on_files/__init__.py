"""Commands that work on plain files: no database, no campaign, no worker."""
