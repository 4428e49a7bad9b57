"""Readers of the file formats of other programs."""
