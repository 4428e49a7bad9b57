"""Functions with the signatures of other packages and the results of evalstats, one module for each package."""

__all__: list[str] = []  # users import these modules instead of the packages with the same names
