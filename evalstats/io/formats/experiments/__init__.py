"""Formats of programs that run experiments, one module for each program."""
