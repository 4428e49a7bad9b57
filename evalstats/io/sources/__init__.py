"""Readers of a source's cells and of the text around the table."""
