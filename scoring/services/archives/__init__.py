"""Archives of campaigns: written and restored; and the orders of them and of packages."""
