"""What is seen of a running site from outside."""
