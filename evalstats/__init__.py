"""Is one classifier really better than another?"""

__version__ = "0.1.0"
