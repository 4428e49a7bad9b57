"""Layouts of tables, and the conversion of each layout to records."""
