"""The rows of exports, streamed."""
