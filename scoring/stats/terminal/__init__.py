"""Reading tables from files, and formatting reports as text for the terminal."""
