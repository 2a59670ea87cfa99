"""Recipes: long work in stages that makes a resource of files or of other resources."""
