"""Reports of all records other than comparisons."""
