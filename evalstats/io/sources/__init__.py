"""Cells of a source, and the words around the table."""
