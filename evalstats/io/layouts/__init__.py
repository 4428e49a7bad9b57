"""Layouts of tables, and the records made from them."""
