"""Version of evalstats."""

__version__ = "0.1.0"
