"""Reports of all records that are not comparisons."""
