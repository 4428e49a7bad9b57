"""Engines that hold large tables and count their rows."""
