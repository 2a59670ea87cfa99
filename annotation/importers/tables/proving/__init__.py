"""What is proven of a table as it is guessed: all that is not, asks."""
