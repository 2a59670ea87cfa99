"""What answers have in common: refusals and failures, headers, and the address of the site."""
