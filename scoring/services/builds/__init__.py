"""Builds: resources made of other resources, in a process of their own."""
