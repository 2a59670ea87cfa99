"""Tables of texts: a row for each text, with what is known of it or was made of it."""
