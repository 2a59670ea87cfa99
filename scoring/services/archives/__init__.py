"""Archives of campaigns: written, restored, and made to be published."""
