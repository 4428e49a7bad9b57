"""Formats of programs that evaluate language models, one module for each program."""
