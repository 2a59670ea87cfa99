"""Setting a campaign up: its steps, templates, copies, preview and pilots."""
