"""Meaning of columns, rows and names."""
