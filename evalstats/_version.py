"""The version of evalstats, in one place."""

__version__ = "0.1.0"
