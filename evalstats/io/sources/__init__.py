"""Readers of the cells of a source and of the texts around the table."""
