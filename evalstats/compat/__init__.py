"""Functions with the signatures of other packages and the results of evalstats, one module for each package."""

__all__: list[str] = []  # the modules are imported, instead of the packages whose names they have
