"""Rating tables made from the rows of judgments."""
